"""MobileNet, and how its images are made."""

from plimsoll.keras import layers

from ._mobile import check_alpha, default_size, size_of_weights
from ._network import Weights, network
from ._shapes import channel_axis
from .imagenet_utils import decode_predictions, preprocessing

__all__ = ["MobileNet", "decode_predictions", "preprocess_input"]

SIZES = (128, 160, 192, 224)
ALPHAS = {1.0: "1_0", 0.75: "7_5", 0.5: "5_0", 0.25: "2_5"}
# (filters, stride) of each block.
BLOCKS = [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)]
BLOCKS += [(512, 1)] * 5 + [(1024, 2), (1024, 1)]

preprocess_input = preprocessing("tf")


def _activated(x, name):
    x = layers.BatchNormalization(axis=channel_axis(-1), name=f"{name}_bn")(x)
    return layers.ReLU(6.0, name=f"{name}_relu")(x)


def _block(x, filters, stride, multiplier, index):
    if stride == 2:
        x = layers.ZeroPadding2D(((0, 1), (0, 1)), name=f"conv_pad_{index}")(x)
    x = layers.DepthwiseConv2D(
        3,
        strides=stride,
        padding="same" if stride == 1 else "valid",
        depth_multiplier=multiplier,
        use_bias=False,
        name=f"conv_dw_{index}",
    )(x)
    x = _activated(x, f"conv_dw_{index}")
    x = layers.Conv2D(filters, 1, padding="same", use_bias=False, name=f"conv_pw_{index}")(x)
    return _activated(x, f"conv_pw_{index}")


def _head(net, x, dropout):
    if not net.include_top:
        return net.pooled(x)
    x = layers.GlobalAveragePooling2D(keepdims=True)(x)
    x = layers.Dropout(dropout, name="dropout")(x)
    x = layers.Conv2D(net.classes, 1, padding="same", name="conv_preds")(x)
    x = layers.Reshape((net.classes,), name="reshape_2")(x)
    return layers.Activation(net.classifier_activation, name="predictions")(x)


def _mobilenet(net, alpha, depth_multiplier, dropout):
    x = net.input(default_size(net.input_shape, SIZES))
    check_alpha(net, alpha, tuple(ALPHAS))
    if net.pretrained and depth_multiplier != 1:
        raise ValueError(f"depth_multiplier is {depth_multiplier}; weights='imagenet' need 1")
    size = size_of_weights(net, SIZES)
    net.name = net.name or f"mobilenet_{alpha:0.2f}_{size}"
    filters = int(32 * alpha)
    x = layers.Conv2D(filters, 3, strides=2, padding="same", use_bias=False, name="conv1")(x)
    x = _activated(x, "conv1")
    for index, (filters, stride) in enumerate(BLOCKS, start=1):
        x = _block(x, int(filters * alpha), stride, depth_multiplier, index)
    name = f"mobilenet_{ALPHAS.get(alpha)}_{size}_tf"
    folder = "tensorflow/keras-applications/mobilenet"
    return net.model(_head(net, x, dropout), Weights(folder, name, no_top="_no_top.h5"))


ARGUMENTS = {
    "input_shape": None,
    "alpha": 1.0,
    "depth_multiplier": 1,
    "dropout": 0.001,
    "include_top": True,
    "weights": "imagenet",
    "input_tensor": None,
    "pooling": None,
    "classes": 1000,
    "classifier_activation": "softmax",
}
MobileNet = network(_mobilenet, "MobileNet", None, ARGUMENTS)
