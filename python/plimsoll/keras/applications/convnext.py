"""ConvNeXtTiny … ConvNeXtXLarge; they scale their pixels themselves."""

from plimsoll.keras import layers, models

from ._network import Weights, network
from ._shapes import channels_of, refuse_channels_first
from .imagenet_utils import decode_predictions, preprocessing

__all__ = [
    "ConvNeXtBase",
    "ConvNeXtLarge",
    "ConvNeXtSmall",
    "ConvNeXtTiny",
    "ConvNeXtXLarge",
    "decode_predictions",
    "preprocess_input",
]

preprocess_input = preprocessing(None)

# Blocks of each stage, and channels of the first one; the next stages double them.
VARIANTS = {
    "tiny": ((3, 3, 9, 3), 96),
    "small": ((3, 3, 27, 3), 96),
    "base": ((3, 3, 27, 3), 128),
    "large": ((3, 3, 27, 3), 192),
    "xlarge": ((3, 3, 27, 3), 256),
}


def _normalisation(name=None):
    return layers.LayerNormalization(epsilon=1e-6, name=name)


def _scaled_pixels(x, name):
    mean = [value * 255 for value in (0.485, 0.456, 0.406)]
    variance = [(value * 255) ** 2 for value in (0.229, 0.224, 0.225)]
    name = f"{name}_prestem_normalization"
    return layers.Normalization(mean=mean, variance=variance, name=name)(x)


def _entrances(channels, name):
    """What each stage begins with: it makes the image smaller and gives it the stage's channels."""
    stem = layers.Conv2D(channels[0], 4, strides=4, name=f"{name}_stem_conv")
    yield models.Sequential([stem, _normalisation(f"{name}_stem_layernorm")], name=f"{name}_stem")
    for index, count in enumerate(channels[1:]):
        normalise = _normalisation(f"{name}_downsampling_layernorm_{index}")
        halve = layers.Conv2D(count, 2, strides=2, name=f"{name}_downsampling_conv_{index}")
        yield models.Sequential([normalise, halve], name=f"{name}_downsampling_block_{index}")


def _block(inputs, channels, name):
    x = layers.Conv2D(
        channels, 7, padding="same", groups=channels, name=f"{name}_depthwise_conv"
    )(inputs)
    x = _normalisation(f"{name}_layernorm")(x)
    x = layers.Dense(4 * channels, name=f"{name}_pointwise_conv_1")(x)
    x = layers.Activation("gelu", name=f"{name}_gelu")(x)
    x = layers.Dense(channels, name=f"{name}_pointwise_conv_2")(x)
    x = layers.LayerScale(
        init_values=1e-6, projection_dim=channels, name=f"{name}_layer_scale"
    )(x)
    return inputs + layers.Activation("linear", name=f"{name}_identity")(x)


def _head(net, x):
    if not net.include_top:
        return _normalisation()(net.pooled(x))
    x = layers.GlobalAveragePooling2D(name=f"{net.name}_head_gap")(x)
    x = _normalisation(f"{net.name}_head_layernorm")(x)
    activation, name = net.classifier_activation, f"{net.name}_head_dense"
    return layers.Dense(net.classes, activation=activation, name=name)(x)


def _convnext(net, include_preprocessing, variant):
    refuse_channels_first("ConvNeXt")
    blocks, first_channels = VARIANTS[variant]
    channels = [first_channels * 2**stage for stage in range(4)]
    x = net.input(default_size=224)
    if include_preprocessing and channels_of(net.input_shape) == 3:
        x = _scaled_pixels(x, net.name)
    entrances = list(_entrances(channels, net.name))
    for stage, entrance in enumerate(entrances):
        x = entrance(x)
        for block in range(blocks[stage]):
            x = _block(x, channels[stage], f"{net.name}_stage_{stage}_block_{block}")
    folder = "tensorflow/keras-applications/convnext"
    official = Weights(folder, f"convnext_{variant}")
    return net.model(_head(net, x), official)


def _variant(title, variant):
    arguments = {
        "include_top": True,
        "include_preprocessing": True,
        "weights": "imagenet",
        "input_tensor": None,
        "input_shape": None,
        "pooling": None,
        "classes": 1000,
        "classifier_activation": "softmax",
    }
    return network(_convnext, title, f"convnext_{variant}", arguments, variant=variant)


ConvNeXtTiny = _variant("ConvNeXtTiny", "tiny")
ConvNeXtSmall = _variant("ConvNeXtSmall", "small")
ConvNeXtBase = _variant("ConvNeXtBase", "base")
ConvNeXtLarge = _variant("ConvNeXtLarge", "large")
ConvNeXtXLarge = _variant("ConvNeXtXLarge", "xlarge")
