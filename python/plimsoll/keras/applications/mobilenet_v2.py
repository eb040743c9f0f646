"""MobileNetV2, and how its images are made."""

from plimsoll.keras import layers

from ._mobile import check_alpha, default_size, divisible, size_of_weights
from ._network import Weights, network
from ._shapes import channel_axis, half_padding
from .imagenet_utils import decode_predictions, preprocessing

__all__ = ["MobileNetV2", "decode_predictions", "preprocess_input"]

SIZES = (96, 128, 160, 192, 224)
ALPHAS = (0.35, 0.5, 0.75, 1.0, 1.3, 1.4)
# (filters, blocks, stride of the first) of each stage.
STAGES = [(16, 1, 1), (24, 2, 2), (32, 3, 2), (64, 4, 2), (96, 3, 1), (160, 3, 2), (320, 1, 1)]

preprocess_input = preprocessing("tf")


def _normalised(x, name, relu_name=None):
    x = layers.BatchNormalization(
        axis=channel_axis(-1), epsilon=1e-3, momentum=0.999, name=name
    )(x)
    return x if relu_name is None else layers.ReLU(6.0, name=relu_name)(x)


def _pointwise(x, filters, name):
    return layers.Conv2D(filters, 1, padding="same", use_bias=False, name=name)(x)


def _block(inputs, filters, stride, index):
    """Expands to six times the channels (the first block does not), filters each, and projects."""
    prefix = f"block_{index}_" if index else "expanded_conv_"
    channels = inputs.shape[channel_axis(-1)]
    x = inputs
    if index:
        x = _pointwise(x, 6 * channels, f"{prefix}expand")
        x = _normalised(x, f"{prefix}expand_BN", f"{prefix}expand_relu")
    if stride == 2:
        x = layers.ZeroPadding2D(half_padding(x, 3), name=f"{prefix}pad")(x)
    padding = "same" if stride == 1 else "valid"
    x = layers.DepthwiseConv2D(
        3, strides=stride, padding=padding, use_bias=False, name=f"{prefix}depthwise"
    )(x)
    x = _normalised(x, f"{prefix}depthwise_BN", f"{prefix}depthwise_relu")
    x = _normalised(_pointwise(x, filters, f"{prefix}project"), f"{prefix}project_BN")
    if channels == filters and stride == 1:
        x = layers.Add(name=f"{prefix}add")([inputs, x])
    return x


def _body(x, alpha):
    filters = divisible(32 * alpha)
    x = layers.Conv2D(filters, 3, strides=2, padding="same", use_bias=False, name="Conv1")(x)
    x = _normalised(x, "bn_Conv1", "Conv1_relu")
    index = 0
    for filters, blocks, first_stride in STAGES:
        for block in range(blocks):
            stride = first_stride if block == 0 else 1
            x = _block(x, divisible(int(filters * alpha)), stride, index)
            index += 1
    filters = divisible(1280 * alpha) if alpha > 1.0 else 1280
    x = layers.Conv2D(filters, 1, use_bias=False, name="Conv_1")(x)
    return _normalised(x, "Conv_1_bn", "out_relu")


def _shape_of_tensor(net):
    """The shape of an image of input_tensor, against which an input_shape is checked."""
    if net.input_tensor is None:
        return net.input_shape
    shape = tuple(net.input_tensor.shape[1:])
    if net.input_shape is not None and tuple(net.input_shape)[1] != shape[1]:
        raise ValueError(f"input_shape is {net.input_shape}, input_tensor has images of {shape}")
    return shape


def _mobilenet_v2(net, alpha):
    x = net.input(default_size(_shape_of_tensor(net), SIZES))
    check_alpha(net, alpha, ALPHAS)
    size = size_of_weights(net, SIZES)
    net.name = net.name or f"mobilenetv2_{alpha:0.2f}_{size}"
    name = f"mobilenet_v2_weights_tf_dim_ordering_tf_kernels_{float(alpha)}_{size}"
    official = Weights("tensorflow/keras-applications/mobilenet_v2", name, no_top="_no_top.h5")
    return net.model(net.head(_body(x, alpha), top_name=None), official)


ARGUMENTS = {
    "input_shape": None,
    "alpha": 1.0,
    "include_top": True,
    "weights": "imagenet",
    "input_tensor": None,
    "pooling": None,
    "classes": 1000,
    "classifier_activation": "softmax",
}
MobileNetV2 = network(_mobilenet_v2, "MobileNetV2", None, ARGUMENTS)
