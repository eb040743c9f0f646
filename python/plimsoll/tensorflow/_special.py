"""Segments, running products and special functions of tf.math."""
import builtins

import numpy as np

from plimsoll import _core
from plimsoll.tensorflow.math import _of_numpy, cumsum, equal, exp, log


def _segments(reduce: str, empty):
    """The rows of each segment, reduced; one without rows has the value `empty`."""
    def call(data, segment_ids, num_segments=None, name=None):
        data, ids = _core.constant(data), np.asarray(segment_ids)
        count = int(num_segments if num_segments is not None else ids.max() + 1)
        nothing = np.full(tuple(data.shape)[1:], empty, np.float32)
        rows = [getattr(_core, reduce)(_core.take(data, np.nonzero(ids == i)[0].astype(np.int32), 0), 0)
                if (ids == i).any() else _core.constant(nothing) for i in builtins.range(count)]
        return _core.operation("Stack", {"axis": 0}, [rows])
    return call


segment_max = unsorted_segment_max = _segments("max", np.finfo(np.float32).min)
segment_min = unsorted_segment_min = _segments("min", np.finfo(np.float32).max)
segment_prod = unsorted_segment_prod = _segments("prod", 1)


def segment_sum(data, segment_ids, num_segments=None, name=None):
    from plimsoll.keras import ops

    return ops.segment_sum(data, segment_ids, num_segments)


unsorted_segment_sum = segment_sum


def segment_mean(data, segment_ids, num_segments=None, name=None):
    total = segment_sum(data, segment_ids, num_segments)
    counts = np.bincount(np.asarray(segment_ids), minlength=total.shape[0]).astype(np.float32)
    return total / np.maximum(counts, 1).reshape(-1, *[1] * (total.ndim - 1))


unsorted_segment_mean = segment_mean


def cumprod(x, axis=0, exclusive=False, reverse=False, name=None):
    if exclusive or reverse:
        raise NotImplementedError("tf.math.cumprod: exclusive and reverse are not here")
    from plimsoll.keras import ops

    return ops.cumprod(x, axis)


def cumulative_logsumexp(x, axis=0, exclusive=False, reverse=False, name=None):
    """The logarithm of the running sum of exponentials; the largest is taken out of them."""
    largest = _core.stop_gradient(_core.max(x, int(axis), True))
    return log(cumsum(exp(_core.subtract(x, largest)), axis, exclusive, reverse)) + largest


def rint(x, name=None):
    return _core.round(x)


def multiply_no_nan(x, y, name=None):
    zero = equal(y, 0.0)
    return _core.select(zero, 0.0, _core.multiply(_core.select(zero, 0.0, x), y))


def polyval(coeffs, x, name=None):
    found = _core.constant(0.0)
    for coefficient in coeffs:
        found = _core.multiply(found, x) + coefficient
    return found


def erfinv(x, name=None):
    from plimsoll.keras import ops

    return ops.erfinv(x)


def _lgamma(x):
    import math

    return np.vectorize(math.lgamma, otypes=[np.float32])(x)


def _digamma(x):
    """By the series for large numbers, to which smaller ones are moved."""
    x = np.asarray(x, np.float64)
    found = np.zeros_like(x)
    for _ in builtins.range(8):
        small = x < 8
        found = np.where(small, found - 1 / np.where(small, x, 1), found)
        x = np.where(small, x + 1, x)
    square = 1 / (x * x)
    series = np.log(x) - 0.5 / x - square * (1 / 12 - square * (1 / 120 - square / 252))
    return (found + series).astype(np.float32)


_lgamma.__name__, _digamma.__name__ = "lgamma", "digamma"
lgamma, digamma = _of_numpy(_lgamma), _of_numpy(_digamma)
