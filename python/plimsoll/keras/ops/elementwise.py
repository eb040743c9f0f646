"""Functions of keras.ops, element by element, that are made of the engine's; gradients follow them."""
import math

import numpy as np

from plimsoll import _core


def copy(x):
    return _core.constant(x)


real = conj = conjugate = copy


def dtype(x) -> str:
    return _core.constant(x).dtype.name


def empty(shape, dtype=None):
    return _core.constant(np.zeros(shape), _core.dtype_name(dtype or "float32"))


def empty_like(x, dtype=None):
    return _core.operation("ZerosLike", {}, [x])


def deg2rad(x):
    return _core.multiply(x, math.pi / 180)


def rad2deg(x):
    return _core.multiply(x, 180 / math.pi)


def exp2(x):
    return _core.exp(_core.multiply(x, math.log(2)))


def _of_tf(name: str):
    def call(x):
        from plimsoll.tensorflow import math as of_tf

        return getattr(of_tf, name)(x)
    call.__name__ = name
    return call


arccosh, arcsinh, arctanh = map(_of_tf, ("acosh", "asinh", "atanh"))


def erfc(x):
    return 1.0 - _core.erf(x)


def cbrt(x):
    """The cube root; no gradient at 0, as its tangent is upright there."""
    return _core.sign(x) * _core.power(_core.abs(x), 1.0 / 3.0)


def trunc(x):
    return _core.multiply(_core.sign(x), _core.floor(_core.abs(x)))


def fabs(x):
    return _core.abs(_core.cast(x, "float32"))


fix = trunc


def fmod(x1, x2):
    return _core.subtract(x1, _core.multiply(trunc(_core.divide(x1, x2)), x2))


def fmax(x1, x2):
    return _core.maximum(x1, x2)


def fmin(x1, x2):
    return _core.minimum(x1, x2)


def hypot(x1, x2):
    return _core.sqrt(_core.square(x1) + _core.square(x2))


def logaddexp2(x1, x2):
    larger = _core.maximum(x1, x2)
    apart = _core.abs(_core.subtract(x1, x2))
    return larger + _core.log1p(exp2(_core.negative(apart))) * (1 / math.log(2))


def heaviside(x1, x2):
    return _core.select(_core.equal(x1, 0.0), x2, _core.cast(_core.greater(x1, 0.0), "float32"))


def signbit(x):
    return _core.less(x, 0)


def isposinf(x):
    return _core.equal(x, float("inf"))


def isneginf(x):
    return _core.equal(x, float("-inf"))


def isreal(x):
    return _core.equal(_core.operation("ZerosLike", {}, [x]), 0)


def isclose(x1, x2, rtol=1e-5, atol=1e-8, equal_nan=False):
    near = _core.less_equal(_core.abs(_core.subtract(x1, x2)),
                            _core.add(_core.multiply(_core.abs(x2), rtol), atol))
    return _core.logical_or(near, _core.equal(x1, x2))


def allclose(x1, x2, rtol=1e-5, atol=1e-8, equal_nan=False):
    return _core.operation("All", {"axis": None, "keepdims": False}, [isclose(x1, x2, rtol, atol)])


def sinc(x):
    angle = _core.multiply(x, math.pi)
    zero = _core.equal(angle, 0.0)
    safe = _core.select(zero, 1.0, angle)
    return _core.select(zero, 1.0, _core.sin(safe) / safe)


def prod(x, axis=None, keepdims=False, dtype=None):
    from plimsoll.tensorflow.math import reduce_prod

    found = reduce_prod(x, axis, keepdims)
    return found if dtype is None else _core.cast(found, _core.dtype_name(dtype))


def ptp(x, axis=None, keepdims=False):
    return _core.max(x, axis, keepdims) - _core.min(x, axis, keepdims)


def saturate_cast(x, dtype):
    """Cast, with what does not fit at the nearest end of the range."""
    from plimsoll.tensorflow._dtypes import as_dtype

    low, high = as_dtype(dtype).limits
    return _core.cast(_core.clip(x, float(low), float(high)), _core.dtype_name(dtype))


def swish(x):
    return _core.operation("Silu", {}, [x], {}, "keras.src.ops.nn")


def hard_swish(x):
    return _core.operation("HardSilu", {}, [x], {}, "keras.src.ops.nn")


def batch_normalization(x, mean, variance, axis, offset=None, scale=None, epsilon=1e-3):
    x = _core.constant(x)
    shape = [size if i == axis % x.ndim else 1 for i, size in enumerate(x.shape)]

    def along(value):
        return _core.reshape(value, tuple(shape))

    factor = _core.rsqrt(_core.add(along(variance), float(epsilon)))
    if scale is not None:
        factor = factor * along(scale)
    found = (x - along(mean)) * factor
    return found if offset is None else found + along(offset)


def cumprod(x, axis=None, dtype=None):
    """Products of the elements so far, one after the other."""
    x = _core.constant(x)
    if axis is None:
        x, axis = _core.reshape(x, (-1,)), 0
    parts, product = [], None
    for part in _core.operation("Unstack", {"num": None, "axis": axis}, [x]) if x.shape[axis] > 1 else [
            _core.squeeze(x, axis)]:
        product = part if product is None else product * part
        parts.append(product)
    return _core.operation("Stack", {"axis": axis}, [parts])


def trapezoid(y, x=None, dx=1.0, axis=-1):
    from plimsoll.keras.ops.arrangement import diff

    y = _core.constant(y)
    size = y.shape[axis]
    steps = float(dx) if x is None else diff(x, axis=axis)
    middle = (_core.take(y, np.arange(1, size, dtype=np.int32), axis)
              + _core.take(y, np.arange(size - 1, dtype=np.int32), axis)) * 0.5
    return _core.sum(_core.multiply(middle, steps), axis)


def vander(x, N=None, increasing=False):
    x = _core.constant(x)
    powers = np.arange(N or x.shape[0], dtype=np.float32)
    return _core.power(_core.expand_dims(x, -1), powers if increasing else powers[::-1].copy())
