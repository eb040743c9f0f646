"""Convolutions and pooling of tf.nn. Images are (batch, height, width, channels)."""
import numpy as np

from plimsoll import _core

_LAST = (None, "NHWC", "NWC", "NDHWC", "channels_last")


def _refuse_channels_first(who: str, data_format) -> None:
    if data_format not in _LAST:
        raise NotImplementedError(f"{who}: data_format='{data_format}' is not here; put the channels "
                                  "last")


def _pair(value, axes: int = 2) -> list:
    """Strides or sizes as TensorFlow takes them: a number, one for each axis, or with those of the
    batch and the channels."""
    if not np.iterable(value):
        return [int(value)] * axes
    sizes = [int(each) for each in value]
    if len(sizes) == axes + 2:
        return sizes[1:-1]
    return sizes * axes if len(sizes) == 1 else sizes


def _padded(x, padding, value=0.0):
    """The images and the kind of padding; explicit paddings are added here."""
    if isinstance(padding, str):
        kind = padding.lower()
        if kind not in ("same", "valid"):
            raise ValueError(f"padding must be 'SAME', 'VALID' or a list of pairs, found '{padding}'")
        return x, kind
    return _core.pad(x, [tuple(int(each) for each in pair) for pair in padding], value), "valid"


def conv2d(input, filters=None, strides=1, padding="VALID", data_format="NHWC", dilations=None,
           name=None, filter=None):
    _refuse_channels_first("tf.nn.conv2d", data_format)
    filters = filter if filters is None else filters
    x, kind = _padded(_core.constant(input), padding)
    kernel = _core.constant(filters)
    groups = max(1, x.shape[-1] // kernel.shape[2])
    return _core.conv2d(x, kernel, _pair(strides), kind, _pair(dilations or 1), groups)


def atrous_conv2d(value, filters, rate, padding, name=None):
    return conv2d(value, filters, 1, padding, dilations=rate)


def conv1d(input, filters, stride=1, padding="VALID", data_format="NWC", dilations=None, name=None):
    """As a convolution of images that are one row high."""
    _refuse_channels_first("tf.nn.conv1d", data_format)
    if not isinstance(padding, str):
        padding = [padding[0], [0, 0], *padding[1:]]
    x = _core.expand_dims(input, 1)
    kernel = _core.expand_dims(filters, 0)
    stride, rate = _pair(stride, 1)[0], _pair(dilations or 1, 1)[0]
    return _core.squeeze(conv2d(x, kernel, [1, stride], padding, dilations=[1, rate]), 1)


def depthwise_conv2d(input, filter, strides, padding, data_format=None, dilations=None, name=None):
    """A convolution of each channel by itself."""
    _refuse_channels_first("tf.nn.depthwise_conv2d", data_format)
    kernel = _core.constant(filter)
    height, width, channels, multiplier = kernel.shape
    x, kind = _padded(_core.constant(input), padding)
    kernel = _core.reshape(kernel, (height, width, 1, channels * multiplier))
    return _core.conv2d(x, kernel, _pair(strides), kind, _pair(dilations or 1), channels)


def separable_conv2d(input, depthwise_filter, pointwise_filter, strides, padding, data_format=None,
                     dilations=None, name=None):
    between = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    return conv2d(between, pointwise_filter, 1, "VALID")


def convolution(input, filters, strides=None, padding="VALID", data_format=None, dilations=None,
                name=None):
    if _core.constant(input).ndim == 3:
        return conv1d(input, filters, strides or 1, padding, data_format, dilations)
    return conv2d(input, filters, strides or 1, padding, data_format, dilations)


def _spread(x, strides: list):
    """The images with zeros between their pixels."""
    x = _core.constant(x)
    for axis, stride in zip((1, 2), strides):
        if stride > 1:
            sizes = [-1, *x.shape[1:]]
            apart = _core.pad(_core.expand_dims(x, axis + 1),
                              [(0, stride - 1 if i == axis + 1 else 0) for i in range(x.ndim + 1)])
            sizes[axis] *= stride
            whole = _core.operation("Reshape", {"newshape": sizes}, [apart])
            ends = [slice(None)] * x.ndim
            ends[axis] = slice(0, sizes[axis] - stride + 1)
            x = whole[tuple(ends)]
    return x


def conv2d_transpose(input, filters, output_shape, strides, padding="SAME", data_format="NHWC",
                     dilations=None, name=None):
    """The gradient of conv2d: zeros between the pixels, then a convolution with the kernel turned."""
    _refuse_channels_first("tf.nn.conv2d_transpose", data_format)
    from plimsoll.tensorflow._on_values import integers

    kernel, strides = _core.constant(filters), _pair(strides)
    x, sizes, paddings = _spread(input, strides), integers(output_shape)[1:3], [(0, 0)]
    for axis in (0, 1):
        size, stride = kernel.shape[axis], strides[axis]
        before = _padding_before(sizes[axis], size, stride, padding)
        first = size - 1 - before
        last = sizes[axis] + size - 1 - x.shape[axis + 1] - first
        paddings.append((first, last))
    turned = _core.transpose(_core.flip(kernel, [0, 1]), [0, 1, 3, 2])
    return _core.conv2d(_core.pad(x, [*paddings, (0, 0)]), turned)


def _padding_before(size: int, kernel: int, stride: int, padding: str) -> int:
    if padding.upper() == "VALID":
        return 0
    count = -(-size // stride)
    return max((count - 1) * stride + kernel - size, 0) // 2


def _pooling(name: str, op):
    def call(input, ksize, strides=None, padding="VALID", data_format=None, name=None):
        _refuse_channels_first(f"tf.nn.{name}", data_format)
        strides = ksize if strides is None else strides
        x = _core.constant(input)
        if x.ndim == 3:
            size, stride = _pair(ksize, 1)[0], _pair(strides, 1)[0]
            return _core.squeeze(op(_core.expand_dims(x, 1), [1, size], [1, stride], padding.lower()), 1)
        if x.ndim != 4:
            raise NotImplementedError(f"tf.nn.{name}: expected images of 3 or 4 axes, found {x.shape}; "
                                      "use keras.layers for volumes")
        return op(x, _pair(ksize), _pair(strides), padding.lower())
    call.__name__ = name
    return call


max_pool = max_pool2d = max_pool1d = _pooling("max_pool", _core.max_pool2d)
avg_pool = avg_pool2d = avg_pool1d = _pooling("avg_pool", _core.average_pool2d)


def _volumes(name: str, layer: str):
    def call(*args, **kwargs):
        raise NotImplementedError(f"tf.nn.{name} is not here; use keras.layers.{layer}")
    call.__name__ = name
    return call


max_pool3d, avg_pool3d = _volumes("max_pool3d", "MaxPooling3D"), _volumes("avg_pool3d",
                                                                        "AveragePooling3D")
conv3d = _volumes("conv3d", "Conv3D")


def pool(input, window_shape, pooling_type, strides=None, padding="VALID", data_format=None,
         dilations=None, name=None):
    chosen = {"MAX": max_pool, "AVG": avg_pool}[pooling_type.upper()]
    return chosen(input, window_shape, strides or 1, padding, data_format)


def bias_add(value, bias, data_format=None, name=None):
    if str(data_format).startswith("NC") and _core.constant(value).ndim > 2:
        bias = _core.reshape(bias, (-1, *[1] * (_core.constant(value).ndim - 2)))
    return _core.add(value, bias)


def _blocks(class_name: str):
    def call(input, block_size, data_format="NHWC", name=None):
        _refuse_channels_first("tf.nn." + class_name, data_format)
        return _core.operation(class_name, {"block_size": int(block_size),
                                            "data_format": "channels_last"}, [input], {},
                               "keras.src.ops.nn")
    return call


space_to_depth, depth_to_space = _blocks("SpaceToDepth"), _blocks("DepthToSpace")
