"""ResNet50, ResNet101 and ResNet152, and how their images are made."""

from plimsoll.keras import layers

from ._network import network
from ._residual import normalised, residual_network
from .imagenet_utils import decode_predictions, preprocessing

__all__ = ["ResNet50", "ResNet101", "ResNet152", "decode_predictions", "preprocess_input"]

preprocess_input = preprocessing("caffe")


def _block(x, filters, stride, project, name):
    """A bottleneck; `project` gives the shortcut a convolution of its own."""
    shortcut = x
    if project:
        shortcut = layers.Conv2D(4 * filters, 1, strides=stride, name=f"{name}_0_conv")(x)
        shortcut = normalised(shortcut, f"{name}_0_bn")
    x = layers.Conv2D(filters, 1, strides=stride, name=f"{name}_1_conv")(x)
    x = normalised(x, f"{name}_1_bn", f"{name}_1_relu")
    x = layers.Conv2D(filters, 3, padding="same", name=f"{name}_2_conv")(x)
    x = normalised(x, f"{name}_2_bn", f"{name}_2_relu")
    x = layers.Conv2D(4 * filters, 1, name=f"{name}_3_conv")(x)
    x = normalised(x, f"{name}_3_bn")
    x = layers.Add(name=f"{name}_add")([shortcut, x])
    return layers.Activation("relu", name=f"{name}_out")(x)


def _stage(x, filters, blocks, index, name):
    """The first block changes the shape."""
    for block in range(1, blocks + 1):
        stride = 2 if block == 1 and index > 0 else 1
        x = _block(x, filters, stride, block == 1, f"{name}_block{block}")
    return x


def _resnet(net, depth):
    return residual_network(net, depth, _stage, f"resnet{depth}", stem_relu=True)


ResNet50 = network(_resnet, "ResNet50", "resnet50", depth=50)
ResNet101 = network(_resnet, "ResNet101", "resnet101", depth=101)
ResNet152 = network(_resnet, "ResNet152", "resnet152", depth=152)
