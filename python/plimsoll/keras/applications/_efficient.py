"""What EfficientNet and EfficientNetV2 share: initial weights, pieces of blocks, the head."""

import math

from plimsoll.keras import initializers, layers

from ._shapes import channel_axis, image_shape


def kernel_initializer():
    return initializers.VarianceScaling(2.0, mode="fan_out", distribution="truncated_normal")


def activated(x, name, prefix="", **normalisation):
    """Batch normalisation and swish. `name` is the start of both names ("" or "expand_")."""
    x = normalised(x, f"{prefix}{name}bn", **normalisation)
    return layers.Activation("swish", name=f"{prefix}{name}activation")(x)


def normalised(x, name, **normalisation):
    return layers.BatchNormalization(axis=channel_axis(), name=name, **normalisation)(x)


def convolved(x, filters, kernel, name, strides=1, padding="same"):
    return layers.Conv2D(
        filters,
        kernel,
        strides=strides,
        padding=padding,
        use_bias=False,
        kernel_initializer=kernel_initializer(),
        name=name,
    )(x)


def depthwise(x, kernel, name, strides, padding="same"):
    return layers.DepthwiseConv2D(
        kernel,
        strides=strides,
        padding=padding,
        use_bias=False,
        depthwise_initializer=kernel_initializer(),
        name=name,
    )(x)


def squeeze_and_excite(x, filters, squeezed, prefix):
    """Scales each of the `filters` channels by a gate that is computed from all of them."""
    gate = layers.GlobalAveragePooling2D(name=f"{prefix}se_squeeze")(x)
    gate = layers.Reshape(image_shape(1, 1, filters), name=f"{prefix}se_reshape")(gate)
    for count, activation, name in (
        (squeezed, "swish", "se_reduce"),
        (filters, "sigmoid", "se_expand"),
    ):
        gate = layers.Conv2D(
            count,
            1,
            padding="same",
            activation=activation,
            kernel_initializer=kernel_initializer(),
            name=f"{prefix}{name}",
        )(gate)
    return layers.Multiply(name=f"{prefix}se_excite")([x, gate])


def shortcut(x, inputs, drop_rate, prefix):
    """Adds a block's input to its output, which training leaves out for some samples."""
    if drop_rate > 0:
        x = layers.Dropout(drop_rate, noise_shape=(None, 1, 1, 1), name=f"{prefix}drop")(x)
    return layers.Add(name=f"{prefix}add")([x, inputs])


def repeated(stages, repeats):
    """(stage, prefix of names, index within the stage, index of all) of each block. `repeats` says
    how many blocks each stage has."""
    index = 0
    for number, (stage, count) in enumerate(zip(stages, repeats), start=1):
        for block in range(count):
            yield stage, f"block{number}{chr(ord('a') + block)}_", block, index
            index += 1


def scaled_depth(blocks: int, coefficient: float) -> int:
    return math.ceil(coefficient * blocks)


def top(net, x, filters, dropout, normalisation=None, **classifier):
    x = activated(convolved(x, filters, 1, "top_conv"), "top_", **(normalisation or {}))
    kernel = initializers.VarianceScaling(1.0 / 3.0, mode="fan_out", distribution="uniform")
    return net.head(x, named=True, dropout=dropout, kernel_initializer=kernel, **classifier)
