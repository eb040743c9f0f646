"""VGG16, and how its images are made."""

from ._network import network, tensorflow_kernels
from ._vgg import vgg
from .imagenet_utils import decode_predictions, preprocessing

__all__ = ["VGG16", "decode_predictions", "preprocess_input"]

preprocess_input = preprocessing("caffe")


def _vgg16(net):
    return vgg(net, (2, 2, 3, 3, 3), tensorflow_kernels("vgg16", "vgg16"))


VGG16 = network(_vgg16, "VGG16", "vgg16")
