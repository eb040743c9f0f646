"""EfficientNetV2 B0 … B3, S, M and L; they scale their pixels themselves."""

from plimsoll.keras import initializers, layers

from . import _efficient as pieces
from ._network import STANDARD, Weights, network
from ._shapes import channel_axis, channels_of
from .imagenet_utils import decode_predictions, preprocessing

preprocess_input = preprocessing(None)

DROP_CONNECT = 0.2
MOMENTUM = {"momentum": 0.9}
# (fused, blocks, filters, expansion, stride of the first block) of each stage. Fused blocks have
# one full convolution; the others have a depthwise one, and squeeze and excite.
B = [
    (True, 1, 16, 1, 1),
    (True, 2, 32, 4, 2),
    (True, 2, 48, 4, 2),
    (False, 3, 96, 4, 2),
    (False, 5, 112, 6, 1),
    (False, 8, 192, 6, 2),
]
S = [
    (True, 2, 24, 1, 1),
    (True, 4, 48, 4, 2),
    (True, 4, 64, 4, 2),
    (False, 6, 128, 4, 2),
    (False, 9, 160, 6, 1),
    (False, 15, 256, 6, 2),
]
M = [
    (True, 3, 24, 1, 1),
    (True, 5, 48, 4, 2),
    (True, 5, 80, 4, 2),
    (False, 7, 160, 4, 2),
    (False, 14, 176, 6, 1),
    (False, 18, 304, 6, 2),
    (False, 5, 512, 6, 1),
]
L = [
    (True, 4, 32, 1, 1),
    (True, 7, 64, 4, 2),
    (True, 7, 96, 4, 2),
    (False, 10, 192, 4, 2),
    (False, 19, 224, 6, 1),
    (False, 25, 384, 6, 2),
    (False, 7, 640, 6, 1),
]
# Stages, filters of the stem, width, depth, size of images.
VARIANTS = {
    "b0": (B, 32, 1.0, 1.0, 224),
    "b1": (B, 32, 1.0, 1.1, 240),
    "b2": (B, 32, 1.1, 1.2, 260),
    "b3": (B, 32, 1.2, 1.4, 300),
    "s": (S, 24, 1.0, 1.0, 384),
    "m": (M, 24, 1.0, 1.0, 480),
    "l": (L, 32, 1.0, 1.0, 480),
}


def _rounded(filters: float) -> int:
    """The nearest multiple of 8."""
    return max(8, int(filters + 4) // 8 * 8)


def _fused(x, filters, inner, stride, prefix):
    if inner is None:
        x = pieces.convolved(x, filters, 3, f"{prefix}project_conv", strides=stride)
        return pieces.activated(x, "project_", prefix, **MOMENTUM)
    x = pieces.convolved(x, inner, 3, f"{prefix}expand_conv", strides=stride)
    x = pieces.activated(x, "expand_", prefix, **MOMENTUM)
    x = pieces.convolved(x, filters, 1, f"{prefix}project_conv")
    return pieces.normalised(x, f"{prefix}project_bn", **MOMENTUM)


def _separate(x, filters, inner, stride, prefix):
    squeezed = max(1, int(x.shape[channel_axis()] * 0.25))
    x = pieces.convolved(x, inner, 1, f"{prefix}expand_conv")
    x = pieces.activated(x, "expand_", prefix, **MOMENTUM)
    x = pieces.depthwise(x, 3, f"{prefix}dwconv2", stride)
    x = pieces.activated(x, "", prefix, **MOMENTUM)
    x = pieces.squeeze_and_excite(x, inner, squeezed, prefix)
    x = pieces.convolved(x, filters, 1, f"{prefix}project_conv")
    return pieces.normalised(x, f"{prefix}project_bn", **MOMENTUM)


def _block(inputs, stage, filters, stride, drop_rate, prefix):
    fused, _, _, expansion, _ = stage
    channels = inputs.shape[channel_axis()]
    inner = None if expansion == 1 else channels * expansion
    x = (_fused if fused else _separate)(inputs, filters, inner, stride, prefix)
    if stride == 1 and channels == filters:
        x = pieces.shortcut(x, inputs, drop_rate, prefix)
    return x


def _scaled_pixels(net, x, variant):
    if variant.startswith("b") and channels_of(net.input_shape) == 3:
        x = layers.Rescaling(scale=1.0 / 255)(x)
        mean, deviation = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
        variance = [value**2 for value in deviation]
        return layers.Normalization(mean=list(mean), variance=variance, axis=channel_axis())(x)
    return layers.Rescaling(scale=1.0 / 128.0, offset=-1)(x)


def _efficientnet_v2(net, include_preprocessing, variant):
    stages, stem, width, depth, size = VARIANTS[variant]
    x = net.input(default_size=size)
    if include_preprocessing:
        x = _scaled_pixels(net, x, variant)
    x = pieces.convolved(x, _rounded(stem * width), 3, "stem_conv", strides=2)
    x = pieces.activated(x, "stem_", **MOMENTUM)
    repeats = [pieces.scaled_depth(stage[1], depth) for stage in stages]
    unscaled = float(sum(stage[1] for stage in stages))
    for stage, prefix, block, index in pieces.repeated(stages, repeats):
        stride = stage[4] if block == 0 else 1
        drop_rate = DROP_CONNECT * index / unscaled
        x = _block(x, stage, _rounded(stage[2] * width), stride, drop_rate, prefix)
    bias = initializers.Constant(0.0)
    x = pieces.top(net, x, _rounded(1280 * width), 0.2, MOMENTUM, bias_initializer=bias)
    folder = "tensorflow/keras-applications/efficientnet_v2"
    return net.model(x, Weights(folder, f"efficientnetv2-{variant}"))


def _variant(variant):
    title, name = f"EfficientNetV2{variant.upper()}", f"efficientnetv2-{variant}"
    arguments = {**STANDARD, "include_preprocessing": True}
    return network(_efficientnet_v2, title, name, arguments, variant=variant)


EfficientNetV2B0 = _variant("b0")
EfficientNetV2B1 = _variant("b1")
EfficientNetV2B2 = _variant("b2")
EfficientNetV2B3 = _variant("b3")
EfficientNetV2S = _variant("s")
EfficientNetV2M = _variant("m")
EfficientNetV2L = _variant("l")
__all__ = ["decode_predictions", "preprocess_input"]
__all__ += [f"EfficientNetV2{variant.upper()}" for variant in VARIANTS]
