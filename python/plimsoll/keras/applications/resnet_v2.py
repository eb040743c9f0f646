"""ResNet50V2, ResNet101V2 and ResNet152V2, and how their images are made."""

from plimsoll.keras import layers

from ._network import network
from ._residual import normalised, padded, residual_network
from .imagenet_utils import decode_predictions, preprocessing

__all__ = ["ResNet50V2", "ResNet101V2", "ResNet152V2", "decode_predictions", "preprocess_input"]

preprocess_input = preprocessing("tf")


def _block(x, filters, stride, project, name):
    """A bottleneck; `project` gives the shortcut a convolution of its own."""
    ready = normalised(x, f"{name}_preact_bn", f"{name}_preact_relu")
    if project:
        shortcut = layers.Conv2D(4 * filters, 1, strides=stride, name=f"{name}_0_conv")(ready)
    else:
        shortcut = layers.MaxPooling2D(1, strides=stride)(x) if stride > 1 else x
    x = layers.Conv2D(filters, 1, use_bias=False, name=f"{name}_1_conv")(ready)
    x = padded(normalised(x, f"{name}_1_bn", f"{name}_1_relu"), 1, f"{name}_2_pad")
    x = layers.Conv2D(filters, 3, strides=stride, use_bias=False, name=f"{name}_2_conv")(x)
    x = normalised(x, f"{name}_2_bn", f"{name}_2_relu")
    x = layers.Conv2D(4 * filters, 1, name=f"{name}_3_conv")(x)
    return layers.Add(name=f"{name}_out")([shortcut, x])


def _stage(x, filters, blocks, index, name):
    """The first block has more filters than its input, the last one halves the size."""
    for block in range(1, blocks + 1):
        stride = 2 if block == blocks and index < 3 else 1
        x = _block(x, filters, stride, block == 1, f"{name}_block{block}")
    return x


def _resnet_v2(net, depth):
    return residual_network(net, depth, _stage, f"resnet{depth}v2", stem_relu=False)


ResNet50V2 = network(_resnet_v2, "ResNet50V2", "resnet50v2", depth=50)
ResNet101V2 = network(_resnet_v2, "ResNet101V2", "resnet101v2", depth=101)
ResNet152V2 = network(_resnet_v2, "ResNet152V2", "resnet152v2", depth=152)
