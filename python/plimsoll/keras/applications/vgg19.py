"""VGG19, and how its images are made."""

from ._network import network, tensorflow_kernels
from ._vgg import vgg
from .imagenet_utils import decode_predictions, preprocessing

__all__ = ["VGG19", "decode_predictions", "preprocess_input"]

preprocess_input = preprocessing("caffe")


def _vgg19(net):
    return vgg(net, (2, 2, 4, 4, 4), tensorflow_kernels("vgg19", "vgg19"))


VGG19 = network(_vgg19, "VGG19", "vgg19")
