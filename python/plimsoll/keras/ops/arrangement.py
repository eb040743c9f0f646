"""Functions of keras.ops that move, pick and place elements; gradients follow them."""
import builtins

import numpy as np

from plimsoll import _core
from plimsoll.tensorflow._on_values import integers


def _values(x) -> np.ndarray:
    """The values of a tensor that decide where elements go; no gradient goes through them."""
    return np.asarray(_core.stop_gradient(x) if isinstance(x, _core.Tensor) else x)


def _picked(x, places: np.ndarray):
    """The elements at places of the flat tensor."""
    return _core.take(_core.reshape(x, (-1,)), places.astype(np.int32), 0)


def _numbers(x) -> np.ndarray:
    """The place of each element, in the tensor's shape."""
    shape = tuple(x.shape)
    return np.arange(int(np.prod(shape))).reshape(shape)


def _moved(function):
    """A function of NumPy that only moves elements, as one of tensors."""
    def call(x, *args, **kwargs):
        x = _core.constant(x)
        return _picked(x, function(_numbers(x), *args, **kwargs))
    call.__name__ = function.__name__
    return call


rot90, diagonal = _moved(np.rot90), _moved(np.diagonal)


def fliplr(x):
    return _core.flip(x, 1)


def flipud(x):
    return _core.flip(x, 0)


def take_along_axis(x, indices, axis=None):
    x = _core.constant(x)
    return _picked(x, np.take_along_axis(_numbers(x), _values(indices).astype(np.int64), axis))


def argsort(x, axis=-1):
    return _core.constant(np.argsort(_values(x), axis=axis, kind="stable").astype(np.int32))


def sort(x, axis=-1):
    x = _core.constant(x)
    return take_along_axis(x, np.argsort(_values(x), axis=axis, kind="stable"), axis)


def argpartition(x, kth, axis=-1):
    return _core.constant(np.argpartition(_values(x), kth, axis).astype(np.int32))


def top_k(x, k, sorted=True):
    from plimsoll.tensorflow.nn import top_k as of_tf

    return tuple(of_tf(x, k, sorted))


def in_top_k(targets, predictions, k):
    from plimsoll.tensorflow.nn import in_top_k as of_tf

    return of_tf(targets, predictions, k)


def median(x, axis=None, keepdims=False):
    """The middle element, or the mean of the two in the middle."""
    x = _core.constant(x)
    axes = list(builtins.range(x.ndim)) if axis is None else [each % x.ndim for each in integers(axis)]
    kept = [i for i in builtins.range(x.ndim) if i not in axes]
    rows = _core.reshape(_core.transpose(x, kept + axes), (*[x.shape[i] for i in kept], -1))
    size = rows.shape[-1]
    ordered = sort(rows, -1)
    found = (ordered[..., (size - 1) // 2] + ordered[..., size // 2]) * 0.5
    if keepdims:
        return _core.reshape(found, tuple(1 if i in axes else n for i, n in enumerate(x.shape)))
    return found


def append(x1, x2, axis=None):
    if axis is None:
        x1, x2, axis = _core.reshape(x1, (-1,)), _core.reshape(x2, (-1,)), 0
    return _core.concatenate([x1, x2], axis)


def array_split(x, indices_or_sections, axis=0):
    x = _core.constant(x)
    numbers = np.array_split(np.arange(x.shape[axis]), indices_or_sections)
    return [_core.take(x, part.astype(np.int32), axis) for part in numbers]


def _split_along(axis: int):
    def call(x, indices_or_sections):
        x = _core.constant(x)
        parts = np.split(np.arange(x.shape[axis]), indices_or_sections)
        return [_core.take(x, part.astype(np.int32), axis) for part in parts]
    return call


vsplit, hsplit, dsplit = map(_split_along, (0, 1, 2))


def dstack(xs):
    parts = [_core.constant(x) for x in xs]
    parts = [_core.reshape(x, (1, -1, 1)) if x.ndim < 2 else _core.expand_dims(x, 2) if x.ndim == 2
             else x for x in parts]
    return _core.concatenate(parts, 2)


def diag(x, k=0):
    """The diagonal of a matrix, or a matrix with the diagonal."""
    x = _core.constant(x)
    if x.ndim == 2:
        return diagonal(x, k)
    from plimsoll.tensorflow.linalg import diag as of_tf

    return of_tf(x, k=k)


def diagflat(x, k=0):
    return diag(_core.reshape(x, (-1,)), k)


def trace(x, offset=0, axis1=0, axis2=1):
    return _core.sum(diagonal(x, offset, axis1, axis2), -1)


def tri(N, M=None, k=0, dtype=None):
    return _core.constant(np.tri(N, M, k), _core.dtype_name(dtype or "float32"))


def _triangle(kept):
    def call(x, k=0):
        x = _core.constant(x)
        mask = kept(np.ones(tuple(x.shape)[-2:]), k) > 0
        return _core.select(mask, x, _core.operation("ZerosLike", {}, [x]))
    return call


tril, triu = _triangle(np.tril), _triangle(np.triu)


def flat_places(indices, shape) -> np.ndarray:
    """Rows of indices of the first axes as numbers of the flattened axes."""
    indices = _values(indices).astype(np.int64)
    depth = indices.shape[-1]
    sizes = np.array(shape[:depth])
    indices = np.where(indices < 0, indices + sizes, indices)
    return np.ravel_multi_index(tuple(np.moveaxis(indices, -1, 0)), tuple(shape[:depth]))


def scatter(indices, values, shape):
    """A tensor of zeros to which the values are added at their places."""
    shape, values = integers(shape), _core.constant(values)
    depth = np.shape(_values(indices))[-1]
    places = flat_places(indices, shape).ravel().astype(np.int32)
    rows, rest = int(np.prod(shape[:depth])), shape[depth:]
    kind = values.dtype.name
    updates = _core.reshape(_core.cast(values, "float32"), (len(places), *rest) if rest else (
        len(places), 1))
    found = _core.reshape(_core.scatter_add(updates, places, rows), tuple(shape))
    return found if kind == "float32" else _core.cast(found, kind)


def scatter_update(inputs, indices, updates, reduction=None):
    """The inputs with other elements at some places; the last counts where a place comes twice."""
    inputs, updates = _core.constant(inputs), _core.constant(updates)
    shape, indices = tuple(inputs.shape), _values(indices)
    if reduction == "add":
        return inputs + _core.cast(scatter(indices, updates, shape), inputs.dtype.name)
    if reduction is not None:
        raise NotImplementedError(f"keras.ops.scatter_update: reduction='{reduction}' is not here")
    depth, rest = indices.shape[-1], shape[indices.shape[-1]:]
    places = flat_places(indices, shape).ravel()
    _, from_end = np.unique(places[::-1], return_index=True)
    last = np.sort(len(places) - 1 - from_end)
    rows = _core.take(_core.reshape(updates, (len(places), *rest)), last.astype(np.int32), 0)
    changed = np.zeros(int(np.prod(shape[:depth])), bool)
    changed[places] = True
    mask = np.broadcast_to(changed.reshape(shape[:depth] + (1,) * len(rest)), shape)
    new = scatter(indices.reshape(-1, depth)[last], rows, shape)
    return _core.select(mask, _core.cast(new, inputs.dtype.name), inputs)


def slice_update(inputs, start_indices, updates):
    """The inputs with another part from a place on."""
    inputs, updates = _core.constant(inputs), _core.constant(updates)
    start = integers(start_indices)
    pads = [(first, whole - first - part)
            for first, whole, part in zip(start, inputs.shape, updates.shape)]
    mask = np.pad(np.ones(tuple(updates.shape), bool), pads)
    return _core.select(mask, _core.pad(updates, pads), inputs)


def _segments(values, ids, count):
    ids = _values(ids)
    return ids, int(ids.max()) + 1 if count is None else int(count)


def segment_sum(data, segment_ids, num_segments=None, sorted=False):
    ids, count = _segments(data, segment_ids, num_segments)
    data = _core.constant(data)
    return scatter(ids[:, None], data, (count, *data.shape[1:]))


def _segment_choice(reduce: str):
    def call(data, segment_ids, num_segments=None, sorted=False):
        data = _core.constant(data)
        ids, count = _segments(data, segment_ids, num_segments)
        lowest = np.finfo(np.float32).min if reduce == "max" else np.finfo(np.float32).max
        rows = [getattr(_core, reduce)(_core.take(data, np.nonzero(ids == i)[0].astype(np.int32), 0), 0)
                if (ids == i).any() else _core.constant(np.full(tuple(data.shape)[1:], lowest, "float32"))
                for i in builtins.range(count)]
        return _core.operation("Stack", {"axis": 0}, [rows])
    return call


segment_max, segment_min = _segment_choice("max"), _segment_choice("min")


def select(condlist, choicelist, default=0):
    found = default
    for condition, choice in list(zip(condlist, choicelist))[::-1]:
        found = _core.select(condition, choice, found)
    return found


def diff(a, n=1, axis=-1):
    a = _core.constant(a)
    for _ in builtins.range(n):
        size = a.shape[axis]
        a = (_core.take(a, np.arange(1, size, dtype=np.int32), axis)
             - _core.take(a, np.arange(size - 1, dtype=np.int32), axis))
    return a


def cross(x1, x2, axisa=-1, axisb=-1, axisc=-1, axis=None):
    from plimsoll.tensorflow.linalg import cross as of_tf

    if (axisa, axisb, axisc) != (-1, -1, -1) or axis not in (None, -1):
        raise NotImplementedError("keras.ops.cross: vectors must be along the last axis")
    return of_tf(x1, x2)


def inner(x1, x2):
    x1, x2 = _core.constant(x1), _core.constant(x2)
    if not x1.ndim or not x2.ndim:
        return x1 * x2
    from plimsoll.tensorflow.math import tensordot

    return tensordot(x1, x2, [[-1], [-1]])


def vdot(x1, x2):
    return _core.sum(_core.multiply(_core.reshape(x1, (-1,)), _core.reshape(x2, (-1,))))


def kron(x1, x2):
    x1, x2 = _core.constant(x1), _core.constant(x2)
    rank = max(x1.ndim, x2.ndim)
    a, b = ([1] * (rank - len(x.shape)) + list(x.shape) for x in (x1, x2))
    left = _core.reshape(x1, tuple(n for size in a for n in (size, 1)))
    right = _core.reshape(x2, tuple(n for size in b for n in (1, size)))
    return _core.reshape(left * right, tuple(p * q for p, q in zip(a, b)))


def meshgrid(*x, indexing="xy"):
    arrays = np.meshgrid(*[np.arange(len(each)) for each in x], indexing=indexing)
    return [_core.take(each, places.astype(np.int32), 0) for each, places in zip(x, arrays)]


def multi_hot(inputs, num_classes=None, axis=-1, dtype=None, sparse=False, **kwargs):
    num_classes = kwargs.pop("num_tokens", num_classes)
    hot = _core.one_hot(inputs, int(num_classes))
    found = _core.max(hot, -2) if hot.ndim > 1 else hot
    return _core.cast(found, _core.dtype_name(dtype or "float32"))


def extract_sequences(x, sequence_length, sequence_stride):
    x = _core.constant(x)
    starts = np.arange(0, x.shape[-1] - sequence_length + 1, sequence_stride)
    return _core.take(x, (starts[:, None] + np.arange(sequence_length)).astype(np.int32), -1)
