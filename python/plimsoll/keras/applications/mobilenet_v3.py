"""MobileNetV3Small and MobileNetV3Large; they scale their pixels themselves."""

from plimsoll.keras import layers

from ._mobile import check_alpha, divisible
from ._network import Weights, network
from ._shapes import channel_axis, half_padding, image_shape, rows_and_columns, warn
from .imagenet_utils import decode_predictions, preprocessing

__all__ = ["MobileNetV3Large", "MobileNetV3Small", "decode_predictions", "preprocess_input"]

# (expansion, filters, kernel, stride, squeeze and excite, hard swish) of each block. Minimalistic
# networks have kernels of 3 and neither of the last two.
SMALL = [
    (1, 16, 3, 2, True, False),
    (72.0 / 16, 24, 3, 2, False, False),
    (88.0 / 24, 24, 3, 1, False, False),
    (4, 40, 5, 2, True, True),
    (6, 40, 5, 1, True, True),
    (6, 40, 5, 1, True, True),
    (3, 48, 5, 1, True, True),
    (3, 48, 5, 1, True, True),
    (6, 96, 5, 2, True, True),
    (6, 96, 5, 1, True, True),
    (6, 96, 5, 1, True, True),
]
LARGE = [
    (1, 16, 3, 1, False, False),
    (4, 24, 3, 2, False, False),
    (3, 24, 3, 1, False, False),
    (3, 40, 5, 2, True, False),
    (3, 40, 5, 1, True, False),
    (3, 40, 5, 1, True, False),
    (6, 80, 3, 2, False, True),
    (2.5, 80, 3, 1, False, True),
    (2.3, 80, 3, 1, False, True),
    (2.3, 80, 3, 1, False, True),
    (6, 112, 3, 1, True, True),
    (6, 112, 3, 1, True, True),
    (6, 160, 5, 2, True, True),
    (6, 160, 5, 1, True, True),
    (6, 160, 5, 1, True, True),
]

preprocess_input = preprocessing(None)


def _activated(x, hard_swish):
    return layers.Activation("hard_swish")(x) if hard_swish else layers.ReLU()(x)


def _convolved(x, filters, name, bn_name, **options):
    x = layers.Conv2D(filters, padding="same", use_bias=False, name=name, **options)(x)
    return _normalised(x, bn_name)


def _normalised(x, name):
    return layers.BatchNormalization(
        axis=channel_axis(-1), epsilon=1e-3, momentum=0.999, name=name
    )(x)


def _squeeze_and_excite(inputs, filters, prefix):
    prefix = f"{prefix}squeeze_excite_"
    x = layers.GlobalAveragePooling2D(keepdims=True, name=f"{prefix}avg_pool")(inputs)
    x = layers.Conv2D(divisible(filters * 0.25), 1, padding="same", name=f"{prefix}conv")(x)
    x = layers.ReLU(name=f"{prefix}relu")(x)
    x = layers.Conv2D(filters, 1, padding="same", name=f"{prefix}conv_1")(x)
    gate = layers.ReLU(6.0)(x + 3.0) * (1.0 / 6.0)
    return layers.Multiply(name=f"{prefix}mul")([inputs, gate])


def _block(inputs, row, index):
    expansion, filters, kernel, stride, excite, hard_swish = row
    prefix = f"expanded_conv_{index}_" if index else "expanded_conv_"
    channels = inputs.shape[channel_axis(-1)]
    inner = divisible(channels * expansion)
    x = inputs
    if index:
        x = _convolved(x, inner, f"{prefix}expand", f"{prefix}expand_bn", kernel_size=1)
        x = _activated(x, hard_swish)
    if stride == 2:
        x = layers.ZeroPadding2D(half_padding(x, kernel), name=f"{prefix}depthwise_pad")(x)
    padding = "same" if stride == 1 else "valid"
    x = layers.DepthwiseConv2D(
        kernel, strides=stride, padding=padding, use_bias=False, name=f"{prefix}depthwise"
    )(x)
    x = _activated(_normalised(x, f"{prefix}depthwise_bn"), hard_swish)
    if excite:
        x = _squeeze_and_excite(x, inner, prefix)
    x = _convolved(x, filters, f"{prefix}project", f"{prefix}project_bn", kernel_size=1)
    if stride == 1 and channels == filters:
        x = layers.Add(name=f"{prefix}add")([inputs, x])
    return x


def _head(net, x, filters, dropout_rate, hard_swish):
    if not net.include_top:
        return net.pooled(x, named=True)
    x = layers.GlobalAveragePooling2D(keepdims=True)(x)
    x = layers.Conv2D(filters, 1, padding="same", name="conv_2")(x)
    x = _activated(x, hard_swish)
    if dropout_rate > 0:
        x = layers.Dropout(dropout_rate)(x)
    x = layers.Conv2D(net.classes, 1, padding="same", name="logits")(x)
    x = layers.Flatten()(x)
    return layers.Activation(net.classifier_activation, name="predictions")(x)


def _input(net):
    """The image's size may stay open even with the classifier."""
    if net.input_shape is None and net.input_tensor is not None:
        net.input_shape = tuple(net.input_tensor.shape[1:])
    net.input_shape = tuple(net.input_shape or image_shape(None, None, 3))
    sizes = rows_and_columns(net.input_shape)
    if any(size is not None and size < 32 for size in sizes):
        raise ValueError(f"input_shape is {net.input_shape}; the least is 32 x 32 pixels")
    if net.pretrained and sizes != (224, 224):
        warn(
            f"{sizes[0]} x {sizes[1]} pixels have no weights of their own: those for 224 x 224 are"
            " read"
        )
    return net.input_of_shape()


def _rows(table, alpha, minimalistic):
    for expansion, filters, kernel, stride, excite, hard_swish in table:
        filters = divisible(filters * alpha)
        if minimalistic:
            yield expansion, filters, 3, stride, False, False
        else:
            yield expansion, filters, kernel, stride, excite, hard_swish


def _mobilenet_v3(
    net, alpha, minimalistic, dropout_rate, include_preprocessing, size, table, last_filters
):
    check_alpha(net, alpha, (1.0,) if minimalistic else (0.75, 1.0))
    x = _input(net)
    if include_preprocessing:
        x = layers.Rescaling(scale=1.0 / 127.5, offset=-1.0)(x)
    x = _convolved(x, 16, "conv", "conv_bn", kernel_size=3, strides=2)
    x = _activated(x, not minimalistic)
    for index, row in enumerate(_rows(table, alpha, minimalistic)):
        x = _block(x, row, index)
    filters = divisible(x.shape[channel_axis(-1)] * 6)
    x = _activated(_convolved(x, filters, "conv_1", "conv_1_bn", kernel_size=1), not minimalistic)
    if alpha > 1.0:
        last_filters = divisible(last_filters * alpha)
    x = _head(net, x, last_filters, dropout_rate, not minimalistic)
    name = f"{size}{'_minimalistic' if minimalistic else ''}_224_{float(alpha)}_float"
    folder = "tensorflow/keras-applications/mobilenet_v3"
    official = Weights(folder, f"weights_mobilenet_v3_{name}", no_top="_no_top_v2.h5")
    return net.model(x, official)


ARGUMENTS = {
    "input_shape": None,
    "alpha": 1.0,
    "minimalistic": False,
    "include_top": True,
    "weights": "imagenet",
    "input_tensor": None,
    "classes": 1000,
    "pooling": None,
    "dropout_rate": 0.2,
    "classifier_activation": "softmax",
    "include_preprocessing": True,
}
MobileNetV3Small = network(
    _mobilenet_v3,
    "MobileNetV3Small",
    "MobileNetV3Small",
    ARGUMENTS,
    size="small",
    table=SMALL,
    last_filters=1024,
)
MobileNetV3Large = network(
    _mobilenet_v3,
    "MobileNetV3Large",
    "MobileNetV3Large",
    ARGUMENTS,
    size="large",
    table=LARGE,
    last_filters=1280,
)
