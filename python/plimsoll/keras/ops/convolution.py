"""Convolutions and pooling of keras.ops. The channels are last."""
from plimsoll import _core


def _check(data_format) -> None:
    if data_format not in (None, "channels_last"):
        raise NotImplementedError(f"keras.ops: data_format='{data_format}' is not here; put the "
                                  "channels last")


def _pooling(name: str):
    def call(inputs, pool_size, strides=None, padding="valid", data_format=None):
        from plimsoll.tensorflow import nn

        _check(data_format)
        return getattr(nn, name)(inputs, pool_size, strides or pool_size, padding.upper())
    call.__name__ = name
    return call


max_pool, average_pool = _pooling("max_pool"), _pooling("avg_pool")


def conv(inputs, kernel, strides=1, padding="valid", data_format=None, dilation_rate=1):
    from plimsoll.tensorflow import nn

    _check(data_format)
    return nn.convolution(inputs, kernel, strides, padding.upper(), dilations=dilation_rate)


def depthwise_conv(inputs, kernel, strides=1, padding="valid", data_format=None, dilation_rate=1):
    from plimsoll.tensorflow import nn

    _check(data_format)
    x, kernel = _core.constant(inputs), _core.constant(kernel)
    if x.ndim == 4:
        return nn.depthwise_conv2d(x, kernel, strides, padding.upper(), dilations=dilation_rate)
    step, rate = (each if isinstance(each, int) else each[0] for each in (strides, dilation_rate))
    found = nn.depthwise_conv2d(_core.expand_dims(x, 1), _core.expand_dims(kernel, 0), [1, step],
                                padding.upper(), dilations=[1, rate])
    return _core.squeeze(found, 1)


def separable_conv(inputs, depthwise_kernel, pointwise_kernel, strides=1, padding="valid",
                   data_format=None, dilation_rate=1):
    between = depthwise_conv(inputs, depthwise_kernel, strides, padding, data_format, dilation_rate)
    return conv(between, pointwise_kernel)


def conv_transpose(inputs, kernel, strides=1, padding="valid", output_padding=None, data_format=None,
                   dilation_rate=1):
    """For images; its output has the size that Keras's Conv2DTranspose gives."""
    from plimsoll.tensorflow import nn

    _check(data_format)
    x, kernel = _core.constant(inputs), _core.constant(kernel)
    if x.ndim != 4 or output_padding is not None or dilation_rate not in (1, (1, 1)):
        raise NotImplementedError("keras.ops.conv_transpose: only for images, without output_padding "
                                  "and dilation; use keras.layers.Conv2DTranspose")
    steps = [strides] * 2 if isinstance(strides, int) else list(strides)
    sizes = [size * step + (0 if padding == "same" else max(k - step, 0))
             for size, step, k in zip(x.shape[1:3], steps, kernel.shape[:2])]
    return nn.conv2d_transpose(x, kernel, (x.shape[0], *sizes, kernel.shape[2]), steps,
                               padding.upper())
