"""DenseNet121, DenseNet169 and DenseNet201, and how their images are made."""

from plimsoll.keras import layers

from ._network import network, tensorflow_kernels
from ._residual import normalised, padded
from ._shapes import channel_axis, refuse_channels_first
from .imagenet_utils import decode_predictions, preprocessing

__all__ = ["DenseNet121", "DenseNet169", "DenseNet201", "decode_predictions", "preprocess_input"]

GROWTH = 32
# Layers of each dense block.
BLOCKS = {121: (6, 12, 24, 16), 169: (6, 12, 32, 32), 201: (6, 12, 48, 32)}

preprocess_input = preprocessing("torch")


def _dense_layer(x, name):
    """Adds GROWTH channels that are computed from all channels so far."""
    y = normalised(x, f"{name}_0_bn", f"{name}_0_relu")
    y = layers.Conv2D(4 * GROWTH, 1, use_bias=False, name=f"{name}_1_conv")(y)
    y = normalised(y, f"{name}_1_bn", f"{name}_1_relu")
    y = layers.Conv2D(GROWTH, 3, padding="same", use_bias=False, name=f"{name}_2_conv")(y)
    return layers.Concatenate(axis=channel_axis(), name=f"{name}_concat")([x, y])


def _transition(x, name):
    """Halves channels and size."""
    x = normalised(x, f"{name}_bn", f"{name}_relu")
    filters = x.shape[channel_axis()] // 2
    x = layers.Conv2D(filters, 1, use_bias=False, name=f"{name}_conv")(x)
    return layers.AveragePooling2D(2, strides=2, name=f"{name}_pool")(x)


def _densenet(net, depth):
    refuse_channels_first("DenseNet")
    x = padded(net.input(default_size=224), 3)
    x = layers.Conv2D(64, 7, strides=2, use_bias=False, name="conv1_conv")(x)
    x = padded(normalised(x, "conv1_bn", "conv1_relu"), 1)
    x = layers.MaxPooling2D(3, strides=2, name="pool1")(x)
    for stage, count in enumerate(BLOCKS[depth], start=2):
        if stage > 2:
            x = _transition(x, f"pool{stage - 1}")
        for index in range(1, count + 1):
            x = _dense_layer(x, f"conv{stage}_block{index}")
    x = normalised(x, "bn", "relu")
    official = tensorflow_kernels("densenet", f"densenet{depth}")
    return net.model(net.head(x, named=True), official)


DenseNet121 = network(_densenet, "DenseNet121", "densenet121", depth=121)
DenseNet169 = network(_densenet, "DenseNet169", "densenet169", depth=169)
DenseNet201 = network(_densenet, "DenseNet201", "densenet201", depth=201)
