"""EfficientNetB0 … B7; they scale their pixels themselves."""

import math

from plimsoll.keras import layers

from . import _efficient as pieces
from ._mobile import divisible
from ._network import Weights, network
from ._shapes import channel_axis, half_padding
from .imagenet_utils import decode_predictions, preprocessing

preprocess_input = preprocessing(None)

DROP_CONNECT = 0.2
# (kernel, blocks, filters, expansion, stride of the first block) of each stage.
STAGES = [
    (3, 1, 16, 1, 1),
    (3, 2, 24, 6, 2),
    (5, 2, 40, 6, 2),
    (3, 3, 80, 6, 2),
    (5, 3, 112, 6, 1),
    (5, 4, 192, 6, 2),
    (3, 1, 320, 6, 1),
]
# Width, depth, size of images, dropout.
VARIANTS = {
    "b0": (1.0, 1.0, 224, 0.2),
    "b1": (1.0, 1.1, 240, 0.2),
    "b2": (1.1, 1.2, 260, 0.3),
    "b3": (1.2, 1.4, 300, 0.3),
    "b4": (1.4, 1.8, 380, 0.4),
    "b5": (1.6, 2.2, 456, 0.4),
    "b6": (1.8, 2.6, 528, 0.5),
    "b7": (2.0, 3.1, 600, 0.5),
}


def _block(inputs, filters, kernel, expansion, stride, drop_rate, prefix):
    channels = inputs.shape[channel_axis()]
    inner = channels * expansion
    x = inputs
    if expansion != 1:
        x = pieces.convolved(x, inner, 1, f"{prefix}expand_conv")
        x = pieces.activated(x, "expand_", prefix)
    if stride == 2:
        x = layers.ZeroPadding2D(half_padding(x, kernel), name=f"{prefix}dwconv_pad")(x)
    padding = "valid" if stride == 2 else "same"
    x = pieces.depthwise(x, kernel, f"{prefix}dwconv", stride, padding)
    x = pieces.activated(x, "", prefix)
    x = pieces.squeeze_and_excite(x, inner, max(1, int(channels * 0.25)), prefix)
    x = pieces.convolved(x, filters, 1, f"{prefix}project_conv")
    x = pieces.normalised(x, f"{prefix}project_bn")
    if stride == 1 and channels == filters:
        x = pieces.shortcut(x, inputs, drop_rate, prefix)
    return x


def _stem(net, x, filters):
    """The official weights bring the mean and the variance for Normalization; they were trained on
    pixels that are scaled once more than it does."""
    x = layers.Rescaling(1.0 / 255.0)(x)
    x = layers.Normalization(axis=channel_axis())(x)
    if net.pretrained:
        x = layers.Rescaling([1.0 / math.sqrt(deviation) for deviation in (0.229, 0.224, 0.225)])(x)
    x = layers.ZeroPadding2D(half_padding(x, 3), name="stem_conv_pad")(x)
    x = pieces.convolved(x, filters, 3, "stem_conv", strides=2, padding="valid")
    return pieces.activated(x, "stem_")


def _efficientnet(net, variant):
    width, depth, size, dropout = VARIANTS[variant]
    x = _stem(net, net.input(default_size=size), divisible(32 * width))
    repeats = [pieces.scaled_depth(stage[1], depth) for stage in STAGES]
    for stage, prefix, block, index in pieces.repeated(STAGES, repeats):
        kernel, _, filters, expansion, stride = stage
        drop_rate = DROP_CONNECT * index / float(sum(repeats))
        stride = stride if block == 0 else 1
        x = _block(x, divisible(filters * width), kernel, expansion, stride, drop_rate, prefix)
    x = pieces.top(net, x, divisible(1280 * width), dropout)
    return net.model(x, Weights("keras-applications", f"efficientnet{variant}"))


def _variant(variant):
    title, name = f"EfficientNet{variant.upper()}", f"efficientnet{variant}"
    return network(_efficientnet, title, name, variant=variant)


EfficientNetB0 = _variant("b0")
EfficientNetB1 = _variant("b1")
EfficientNetB2 = _variant("b2")
EfficientNetB3 = _variant("b3")
EfficientNetB4 = _variant("b4")
EfficientNetB5 = _variant("b5")
EfficientNetB6 = _variant("b6")
EfficientNetB7 = _variant("b7")
__all__ = ["decode_predictions", "preprocess_input"]
__all__ += [f"EfficientNet{variant.upper()}" for variant in VARIANTS]
