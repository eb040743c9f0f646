"""Functions of keras.ops that NumPy computes from values; they refuse a tape."""
import numpy as np

from plimsoll import _core
from plimsoll.tensorflow._on_values import values

_NAMES = ("arccos arcsin arctan arctan2 digitize histogram nan_to_num quantile "
          "percentile unravel_index searchsorted bincount bartlett blackman hamming hanning kaiser "
          "bitwise_and bitwise_or bitwise_xor bitwise_not bitwise_invert left_shift right_shift "
          "bitwise_left_shift bitwise_right_shift corrcoef correlate gcd lcm geomspace logspace isin "
          "nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin nanpercentile "
          "nanprod nanquantile nanstd nansum nanvar nextafter nonzero ldexp i0")
_RENAMED = {"bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift",
            "bitwise_invert": "invert", "bitwise_not": "invert"}
_LINEAR = ("cholesky", "det", "inv", "slogdet", "svd", "eigh", "qr", "solve", "pinv", "lstsq",
           "matrix_rank")
_INDICES = frozenset("digitize searchsorted bincount nonzero nanargmax nanargmin".split())


def _result(name: str, found):
    if isinstance(found, (tuple, list)):
        return type(found)(_result(name, each) for each in found) if type(found) in (
            tuple, list) else tuple(_result(name, each) for each in found)
    found = np.asarray(found)
    if name == "histogram":
        found = found.astype(np.float32)
    if name in _INDICES and found.dtype == np.int64:
        found = found.astype(np.int32)
    return _core.constant(found)


def _is_array(value) -> bool:
    return isinstance(value, (np.ndarray, _core.Tensor, _core.Variable))


def _computed(name: str, function):
    def call(*args, **kwargs):
        who = f"keras.ops.{name}"
        args = [values(who, each)[0] if _is_array(each) else each for each in args]
        kwargs = {key: values(who, each)[0] if _is_array(each) else each
                  for key, each in kwargs.items()}
        return _result(name, function(*args, **kwargs))
    call.__name__ = name
    return call


def _linear(name: str):
    function = getattr(np.linalg, name)

    def call(*args, **kwargs):
        found = function(*[each.astype(np.float64) for each in args], **kwargs)
        found = found[0] if name == "lstsq" else found
        return tuple(np.asarray(each, np.float32) for each in found) if isinstance(
            found, tuple) else np.asarray(found, np.float32 if name != "matrix_rank" else np.int32)
    return call


def _unique(x, sorted=True, return_inverse=False, return_counts=False, axis=None, size=None,
            fill_value=None):
    return np.unique(x, return_inverse=return_inverse, return_counts=return_counts, axis=axis)


def _erfinv(x):
    """By Newton's method from an approximation."""
    from math import erf

    a = 0.147
    part = 2 / (np.pi * a) + np.log1p(-x * x) / 2
    found = np.sign(x) * np.sqrt(np.sqrt(part**2 - np.log1p(-x * x) / a) - part)
    for _ in range(3):
        error = np.vectorize(erf)(found) - x
        found = found - error / (2 / np.sqrt(np.pi) * np.exp(-found * found))
    return found.astype(np.float32)


_OWN = {"unique": _unique, "erfinv": _erfinv}


def names() -> set:
    return {*_NAMES.split(), *_LINEAR, *_OWN}


def find(name: str):
    if name in _OWN:
        return _computed(name, _OWN[name])
    if name in _LINEAR:
        return _computed(name, _linear(name))
    if name in _NAMES.split():
        return _computed(name, getattr(np, _RENAMED.get(name, name)))
    return None
