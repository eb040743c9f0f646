"""NASNetMobile and NASNetLarge, and how their images are made."""

from plimsoll.keras import layers

from ._network import Weights, network
from ._shapes import channel_axis, half_padding, refuse_channels_first
from .imagenet_utils import decode_predictions, preprocessing

__all__ = ["NASNetLarge", "NASNetMobile", "decode_predictions", "preprocess_input"]

preprocess_input = preprocessing("tf")


def _normalised(x, name):
    return layers.BatchNormalization(
        axis=channel_axis(-1), momentum=0.9997, epsilon=1e-3, name=name
    )(x)


def _pointwise(x, filters, name):
    return layers.Conv2D(
        filters, 1, padding="same", use_bias=False, kernel_initializer="he_normal", name=name
    )(x)


def _squeezed(x, filters, name, bn_name):
    return _normalised(_pointwise(layers.Activation("relu")(x), filters, name), bn_name)


def _separable(x, filters, kernel, name, stride=1):
    """ReLU, separable convolution and normalisation, twice; the first one may halve the size."""
    x = layers.Activation("relu")(x)
    padding = "same"
    if stride == 2:
        pad_name = f"separable_conv_1_pad_{name}"
        x = layers.ZeroPadding2D(half_padding(x, kernel), name=pad_name)(x)
        padding = "valid"
    x = layers.SeparableConv2D(
        filters,
        kernel,
        strides=stride,
        padding=padding,
        use_bias=False,
        name=f"separable_conv_1_{name}",
    )(x)
    x = layers.Activation("relu")(_normalised(x, f"separable_conv_1_bn_{name}"))
    x = layers.SeparableConv2D(
        filters, kernel, padding="same", use_bias=False, name=f"separable_conv_2_{name}"
    )(x)
    return _normalised(x, f"separable_conv_2_bn_{name}")


def _pool(x, kind, name, stride=1):
    padding = "same" if stride == 1 else "valid"
    return kind(3, strides=stride, padding=padding, name=name)(x)


def _sum(left, right, name=None):
    return layers.Add(name=name)([left, right])


def _adjusted(previous, x, filters, cell):
    """The output of the cell before the last, in the size of `x` and with `filters` channels."""
    if previous is None:
        return x
    if previous.shape[-2] != x.shape[-2]:
        return _halved(previous, filters, cell)
    if previous.shape[channel_axis(-1)] != filters:
        return _squeezed(
            previous, filters, f"adjust_conv_projection_{cell}", f"adjust_bn_{cell}"
        )
    return previous


def _halved(x, filters, cell):
    """Every second pixel, from the first one on and from the second one on; each gives one half of
    the channels."""
    x = layers.Activation("relu", name=f"adjust_relu_1_{cell}")(x)
    halves = []
    for number in (1, 2):
        y = x
        if number == 2:
            y = layers.ZeroPadding2D(((0, 1), (0, 1)))(y)
            y = layers.Cropping2D(((1, 0), (1, 0)))(y)
        y = layers.AveragePooling2D(1, strides=2, name=f"adjust_avg_pool_{number}_{cell}")(y)
        halves.append(_pointwise(y, filters // 2, f"adjust_conv_{number}_{cell}"))
    x = layers.Concatenate(axis=channel_axis(-1))(halves)
    return _normalised(x, f"adjust_bn_{cell}")


def _normal_cell(x, previous, filters, cell):
    p = _adjusted(previous, x, filters, cell)
    h = _squeezed(x, filters, f"normal_conv_1_{cell}", f"normal_bn_1_{cell}")

    def separable(y, kernel, name):
        return _separable(y, filters, kernel, f"normal_{name}_{cell}")

    def average(y, name):
        return _pool(y, layers.AveragePooling2D, f"normal_{name}_{cell}")

    def total(left, right, number):
        return _sum(left, right, f"normal_add_{number}_{cell}")

    parts = [
        p,
        total(separable(h, 5, "left1"), separable(p, 3, "right1"), 1),
        total(separable(p, 5, "left2"), separable(p, 3, "right2"), 2),
        total(average(h, "left3"), p, 3),
        total(average(p, "left4"), average(p, "right4"), 4),
        total(separable(h, 3, "left5"), h, 5),
    ]
    name = f"normal_concat_{cell}"
    return layers.Concatenate(axis=channel_axis(-1), name=name)(parts), x


def _reduction_cell(x, previous, filters, cell):
    p = _adjusted(previous, x, filters, cell)
    h = _squeezed(x, filters, f"reduction_conv_1_{cell}", f"reduction_bn_1_{cell}")
    padded = layers.ZeroPadding2D(half_padding(h, 3), name=f"reduction_pad_1_{cell}")(h)

    def separable(y, kernel, name, stride=2):
        return _separable(y, filters, kernel, f"reduction_{name}_{cell}", stride)

    def pool(y, kind, name, stride=2):
        return _pool(y, kind, f"reduction_{name}_{cell}", stride)

    def total(left, right, name):
        return _sum(left, right, f"reduction_{name}_{cell}")

    average, largest = layers.AveragePooling2D, layers.MaxPooling2D
    first = total(separable(h, 5, "left1"), separable(p, 7, "right1"), "add_1")
    second = total(pool(padded, largest, "left2"), separable(p, 7, "right2"), "add_2")
    third = total(pool(padded, average, "left3"), separable(p, 5, "right3"), "add3")
    fourth = _sum(second, pool(first, average, "left4", stride=1))
    fifth = separable(first, 3, "left4", stride=1)
    fifth = total(fifth, pool(padded, largest, "right5"), "add4")
    name = f"reduction_concat_{cell}"
    parts = [second, third, fourth, fifth]
    return layers.Concatenate(axis=channel_axis(-1), name=name)(parts), x


def _nasnet(net, filters, blocks, stem_filters, skip_reduction, size, official):
    """Three stages of `blocks` normal cells, whose filters double. With `skip_reduction` the cell
    after a reduction sees the output two cells before it."""
    refuse_channels_first("NASNet")
    if size == 224 and not net.include_top and net.input_shape is None:
        net.input_shape = (224, 224, 3)
    if net.pretrained and None in (net.input_shape or ()):
        raise ValueError(f"weights='imagenet' need a known input_shape, not {net.input_shape}")
    x = net.input(default_size=size)
    x = layers.Conv2D(
        stem_filters,
        3,
        strides=2,
        use_bias=False,
        kernel_initializer="he_normal",
        name="stem_conv1",
    )(x)
    x, previous = _normalised(x, "stem_bn1"), None
    for number, divisor in ((1, 4), (2, 2)):
        x, previous = _reduction_cell(x, previous, filters // divisor, f"stem_{number}")
    for stage in range(3):
        if stage > 0:
            cell = f"reduce_{stage * blocks}"
            x, reduced = _reduction_cell(x, previous, filters * 2**stage, cell)
            previous = previous if skip_reduction else reduced
        first = stage * blocks + (stage > 0)
        for cell in range(first, first + blocks):
            x, previous = _normal_cell(x, previous, filters * 2**stage, str(cell))
    x = layers.Activation("relu")(x)
    return net.model(net.head(x, top_name=None), official)


def _official(size):
    return Weights(
        "tensorflow/keras-applications/nasnet",
        f"nasnet_{size}",
        no_top="_no_top.h5",
        remote_name=f"NASNet-{size}",
    )


ARGUMENTS = {
    "input_shape": None,
    "include_top": True,
    "weights": "imagenet",
    "input_tensor": None,
    "pooling": None,
    "classes": 1000,
    "classifier_activation": "softmax",
}
NASNetMobile = network(
    _nasnet,
    "NASNetMobile",
    "nasnet_mobile",
    ARGUMENTS,
    filters=1056 // 24,
    blocks=4,
    stem_filters=32,
    skip_reduction=False,
    size=224,
    official=_official("mobile"),
)
NASNetLarge = network(
    _nasnet,
    "NASNetLarge",
    "nasnet_large",
    ARGUMENTS,
    filters=4032 // 24,
    blocks=6,
    stem_filters=96,
    skip_reduction=True,
    size=331,
    official=_official("large"),
)
