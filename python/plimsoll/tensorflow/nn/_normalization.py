"""Normalisation, dropout, tables of vectors and best elements, of tf.nn."""
import collections

import numpy as np

from plimsoll import _core
from plimsoll.tensorflow._on_values import integers, values

_TopK = collections.namedtuple("TopKV2", ["values", "indices"])


def moments(x, axes, shift=None, keepdims=False, name=None):
    """The mean and the variance."""
    found = _core.operation("Moments", {"axes": integers(axes), "keepdims": bool(keepdims)}, [x], {},
                            "keras.src.ops.nn")
    return tuple(found)


def normalize_moments(counts, mean_ss, variance_ss, shift, name=None):
    mean = _core.divide(mean_ss, counts)
    variance = _core.divide(variance_ss, counts) - _core.square(mean)
    return (mean if shift is None else mean + shift), variance


def batch_normalization(x, mean, variance, offset, scale, variance_epsilon, name=None):
    factor = _core.rsqrt(_core.add(variance, variance_epsilon))
    if scale is not None:
        factor = factor * scale
    shift = _core.negative(_core.multiply(mean, factor))
    return _core.multiply(x, factor) + (shift if offset is None else shift + offset)


def batch_norm_with_global_normalization(input, mean, variance, beta, gamma, variance_epsilon,
                                         scale_after_normalization, name=None):
    return batch_normalization(input, mean, variance, beta,
                               gamma if scale_after_normalization else None, variance_epsilon)


def l2_normalize(x, axis=None, epsilon=1e-12, name=None, dim=None):
    axis = dim if axis is None else axis
    total = _core.sum(_core.square(x), None if axis is None else integers(axis), True)
    return _core.multiply(x, _core.rsqrt(_core.maximum(total, float(epsilon))))


def local_response_normalization(input, depth_radius=5, bias=1, alpha=1, beta=0.5, name=None):
    """Each element divided by a power of the squares of its neighbours along the last axis."""
    x = _core.constant(input)
    size, radius = x.shape[-1], int(depth_radius)
    apart = np.abs(np.arange(size)[:, None] - np.arange(size)[None, :])
    near = _core.constant((apart <= radius).astype(np.float32))
    total = _core.operation("Matmul", {}, [_core.square(x), near])
    return x / _core.power(total * float(alpha) + float(bias), float(beta))


lrn = local_response_normalization


def dropout(x, rate, noise_shape=None, seed=None, name=None):
    """Each element is 0 with the probability `rate`, and larger otherwise; always, as it is no layer."""
    x, rate = _core.constant(x), float(rate)
    if not 0 <= rate < 1:
        raise ValueError(f"`rate` must be a scalar or scalar tensor in the range [0, 1), found {rate}")
    if noise_shape is None and seed is None:
        return _core.dropout(x, rate) if rate else x
    from plimsoll.tensorflow import random

    shape = [size if asked is None else asked for size, asked in
             zip(x.shape, noise_shape if noise_shape is not None else [None] * x.ndim)]
    kept = _core.greater_equal(random.uniform(shape, seed=seed), rate)
    return x * _core.cast(kept, "float32") / (1.0 - rate)


def embedding_lookup(params, ids, max_norm=None, name=None):
    """The rows of a table."""
    if isinstance(params, (list, tuple)):
        params = params[0] if len(params) == 1 else _core.concatenate(list(params), 0)
    ids = _core.constant(ids)
    rows = _core.take(params, ids if ids.dtype.is_integer else _core.cast(ids, "int32"), 0)
    if max_norm is None:
        return rows
    length = _core.sqrt(_core.sum(_core.square(rows), -1, True))
    return rows * (float(max_norm) / _core.maximum(length, float(max_norm)))


def _flat_places(order: np.ndarray, size: int) -> np.ndarray:
    rows = np.arange(order[..., 0].size).reshape(order.shape[:-1] + (1,))
    return (rows * size + order).astype(np.int32)


def top_k(input, k=1, sorted=True, index_type="int32", name=None):
    """The k largest elements of each row, with their indices. Gradients go to the elements."""
    x, k = _core.constant(input), int(k)
    if k > x.shape[-1]:
        raise ValueError(f"tf.nn.top_k: the rows have {x.shape[-1]} elements, {k} were asked for")
    array = np.asarray(_core.stop_gradient(x))
    order = np.argsort(-array.astype(np.float64), axis=-1, kind="stable")[..., :k]
    flat = _flat_places(order, array.shape[-1])
    return _TopK(_core.take(_core.reshape(x, (-1,)), flat, 0),
                 _core.constant(order.astype(np.int32), _core.dtype_name(index_type)))


def in_top_k(targets, predictions, k, name=None):
    """True for each row whose target is among the k largest predictions."""
    scores = np.asarray(_core.stop_gradient(_core.constant(predictions)))
    wanted = values("tf.nn.in_top_k", targets)[0]
    own = np.take_along_axis(scores, wanted[:, None].astype(np.int64), 1)
    return _core.constant(((scores > own).sum(1) < int(k)) & np.isfinite(own[:, 0]))


def zero_fraction(value, name=None):
    return _core.mean(_core.cast(_core.equal(value, 0), "float32"))
