"""Xception, and how its images are made."""

from plimsoll.keras import layers

from ._network import network, tensorflow_kernels
from ._shapes import channel_axis
from .imagenet_utils import decode_predictions, preprocessing

__all__ = ["Xception", "decode_predictions", "preprocess_input"]

preprocess_input = preprocessing("tf")


def _normalised(x, name=None):
    return layers.BatchNormalization(axis=channel_axis(-1), name=name)(x)


def _relu(x, name):
    return layers.Activation("relu", name=name)(x)


def _separable(x, filters, name):
    x = layers.SeparableConv2D(filters, 3, padding="same", use_bias=False, name=name)(x)
    return _normalised(x, f"{name}_bn")


def _halving_block(x, block, filters, relu_first=True):
    """`filters` of its two convolutions; the shortcut is a convolution of its own."""
    shortcut = layers.Conv2D(filters[1], 1, strides=2, padding="same", use_bias=False)(x)
    shortcut = _normalised(shortcut)
    for index, count in enumerate(filters, start=1):
        name = f"block{block}_sepconv{index}"
        if index > 1 or relu_first:
            x = _relu(x, f"{name}_act")
        x = _separable(x, count, name)
    x = layers.MaxPooling2D(3, strides=2, padding="same", name=f"block{block}_pool")(x)
    return layers.Add()([x, shortcut])


def _middle_block(inputs, block):
    x = inputs
    for index in range(1, 4):
        name = f"block{block}_sepconv{index}"
        x = _separable(_relu(x, f"{name}_act"), 728, name)
    return layers.Add()([x, inputs])


def _xception(net):
    x = net.input(default_size=299, min_size=71)
    for name, filters, stride in (("block1_conv1", 32, 2), ("block1_conv2", 64, 1)):
        x = layers.Conv2D(filters, 3, strides=stride, use_bias=False, name=name)(x)
        x = _relu(_normalised(x, f"{name}_bn"), f"{name}_act")
    x = _halving_block(x, 2, (128, 128), relu_first=False)
    x = _halving_block(x, 3, (256, 256))
    x = _halving_block(x, 4, (728, 728))
    for block in range(5, 13):
        x = _middle_block(x, block)
    x = _halving_block(x, 13, (728, 1024))
    for name, filters in (("block14_sepconv1", 1536), ("block14_sepconv2", 2048)):
        x = _relu(_separable(x, filters, name), f"{name}_act")
    return net.model(net.head(x), tensorflow_kernels("xception", "xception"))


Xception = network(_xception, "Xception", "xception")
