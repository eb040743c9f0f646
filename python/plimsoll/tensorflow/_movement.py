"""Tensors joined, cut and put in another order."""
import builtins
import collections

import numpy as np

from plimsoll import _core
from plimsoll._convert import is_tensor
from plimsoll.tensorflow._creation import _sizes
from plimsoll.tensorflow._of_texts import of_texts


_Unique = collections.namedtuple("Unique", ["y", "idx"])
_UniqueWithCounts = collections.namedtuple("UniqueWithCounts", ["y", "idx", "count"])


def _plain(value):
    """A tensor or an array of integers as Python's numbers."""
    return np.asarray(value).tolist() if is_tensor(value) or isinstance(value, np.ndarray) else value


def _is_symbolic(x) -> bool:
    return isinstance(x, _core.Tensor) and x.is_symbolic


def _shape(shape) -> list:
    """A shape whose sizes may be tensors; an unknown one is -1."""
    if is_tensor(shape):
        shape = np.asarray(shape)
    return [-1 if size is None else int(size) for size in (shape if np.iterable(shape) else (shape,))]


@of_texts(np.reshape)
def reshape(tensor, shape, name=None):
    shape = _shape(shape)
    if _is_symbolic(tensor):
        return _core.operation("Reshape", {"newshape": shape}, [tensor])
    return _core.reshape(tensor, shape)


@of_texts(lambda x, axis=-1: np.expand_dims(x, axis))
def expand_dims(input, axis=-1, name=None):
    return _core.expand_dims(input, int(axis))


@of_texts(lambda x, axis=None: np.squeeze(x, None if axis is None else tuple(np.atleast_1d(axis))))
def squeeze(input, axis=None, name=None):
    return _core.operation("Squeeze", {"axis": _plain(axis)}, [_core.constant(input)])


@of_texts(np.transpose)
def transpose(a, perm=None, conjugate=False, name="transpose"):
    return _core.transpose(a, None if perm is None else [int(axis) for axis in _plain(perm)])


@of_texts(lambda parts, axis: np.concatenate(parts, axis))
def concat(values, axis, name="concat"):
    if is_tensor(values):
        values = [values]
    return _core.concatenate(list(values), int(axis))


@of_texts(np.stack)
def stack(values, axis=0, name="stack"):
    return _core.operation("Stack", {"axis": int(axis)}, [list(values)])


def unstack(value, num=None, axis=0, name="unstack"):
    value = _core.constant(value)
    found = _core.operation("Unstack", {"num": None, "axis": int(axis)}, [value])
    return found if isinstance(found, list) else [found]


def split(value, num_or_size_splits, axis=0, num=None, name="split"):
    sizes = _plain(num_or_size_splits)
    value = _core.constant(value)
    if isinstance(sizes, int):
        found = _core.operation("Split", {"indices_or_sections": sizes, "axis": int(axis)}, [value])
    else:
        total = value.shape[int(axis)]
        if -1 in sizes:
            sizes = [total - builtins.sum(s for s in sizes if s >= 0) if s == -1 else s for s in sizes]
        ends = np.cumsum(sizes)[:-1].tolist()
        found = _core.operation("Split", {"indices_or_sections": ends, "axis": int(axis)}, [value])
    return found if isinstance(found, list) else [found]


@of_texts(np.tile)
def tile(input, multiples, name=None):
    return _core.operation("Tile", {"repeats": _plain(multiples)}, [_core.constant(input)])


@of_texts(np.repeat)
def repeat(input, repeats, axis=None, name=None):
    return _core.operation("Repeat", {"repeats": _plain(repeats), "axis": axis}, [_core.constant(input)])


@of_texts(np.broadcast_to)
def broadcast_to(input, shape, name=None):
    return _core.broadcast_to(input, _sizes(shape))


@of_texts(np.flip)
def reverse(tensor, axis, name=None):
    axis = _plain(axis)
    return _core.flip(tensor, axis if isinstance(axis, int) else list(axis))


def roll(input, shift, axis, name=None):
    return _core.operation("Roll", {"shift": _plain(shift), "axis": _plain(axis)}, [_core.constant(input)])


def pad(tensor, paddings, mode="CONSTANT", constant_values=0, name=None):
    pairs = [tuple(int(each) for each in pair) for pair in _plain(paddings)]
    if mode.upper() == "CONSTANT":
        return _core.pad(tensor, pairs, float(constant_values))
    return _core.operation("Pad", {"pad_width": pairs, "mode": mode.lower()}, [_core.constant(tensor)])


def slice(input_, begin, size, name=None):
    tensor = _core.constant(input_)
    begin, size = _plain(begin), _plain(size)
    size = [tensor.shape[i] - begin[i] if each == -1 else each for i, each in enumerate(size)]
    return _core.slice(tensor, list(begin), list(size))


def strided_slice(input_, begin, end, strides=None, **kwargs):
    key = tuple(builtins.slice(b, e, s) for b, e, s in zip(
        _plain(begin), _plain(end), _plain(strides) if strides is not None else [1] * len(begin)))
    return _core.constant(input_)[key]


def gather(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None):
    if batch_dims:
        rows = [gather(p, i, axis=(axis or batch_dims) - 1, batch_dims=batch_dims - 1) for p, i in zip(
            _core.constant(params), _core.constant(indices))]
        return stack(rows)
    axis = 0 if axis is None else int(axis)
    params, indices = _core.constant(params), _core.constant(indices)
    if params.dtype == "string":
        return _core.constant(np.take(np.asarray(params), np.asarray(indices), axis))
    return _core.take(params, indices, axis)


def gather_nd(params, indices, batch_dims=0, name=None):
    params, indices = _core.constant(params), np.asarray(indices)
    depth = indices.shape[-1]
    sizes = tuple(params.shape)
    flat = np.ravel_multi_index(tuple(np.moveaxis(indices, -1, 0)), sizes[:depth])
    return _core.take(_core.reshape(params, (-1, *sizes[depth:])), flat.astype(np.int32), 0)


def tensor_scatter_nd_update(tensor, indices, updates, name=None):
    from plimsoll.keras import ops

    tensor = _core.constant(tensor)
    if tensor.dtype == "string":
        array = np.array(np.asarray(tensor))
        array[tuple(np.moveaxis(np.asarray(indices), -1, 0))] = np.asarray(_core.constant(updates))
        return _core.constant(array)
    return ops.scatter_update(tensor, indices, updates)


def tensor_scatter_nd_add(tensor, indices, updates, name=None):
    tensor = _core.constant(tensor)
    return tensor + scatter_nd(indices, updates, tuple(tensor.shape))


def tensor_scatter_nd_sub(tensor, indices, updates, name=None):
    tensor = _core.constant(tensor)
    return tensor - scatter_nd(indices, updates, tuple(tensor.shape))


def _scattered(function, tensor, indices, updates):
    """The updates joined with what is at their places, one after the other: computed from values."""
    if _core.is_recording_tape():
        raise NotImplementedError("tf.tensor_scatter_nd_max and _min have no gradient here; compute them "
                                  "outside of the GradientTape")
    found, places = np.array(tensor), np.asarray(indices)
    function.at(found, tuple(np.moveaxis(places, -1, 0)), np.asarray(updates))
    return _core.constant(found)


def tensor_scatter_nd_max(tensor, indices, updates, name=None):
    return _scattered(np.maximum, tensor, indices, updates)


def tensor_scatter_nd_min(tensor, indices, updates, name=None):
    return _scattered(np.minimum, tensor, indices, updates)


def identity_n(input, name=None):
    return [_core.constant(each) for each in input]


def unravel_index(indices, dims, name=None):
    """The coordinates of flat indices, a row for each axis."""
    flat = _core.constant(indices)
    found = np.stack(np.unravel_index(np.asarray(flat), tuple(np.asarray(dims))))
    return _core.constant(found.astype(np.asarray(flat).dtype))


def reverse_sequence(input, seq_lengths, seq_axis=None, batch_axis=None, name=None):
    """Each sample's first elements along an axis in the reverse order; the rest stays."""
    input, axis, batch = _core.constant(input), int(seq_axis), int(batch_axis or 0)
    size = input.shape[axis]
    order = np.arange(size)
    rows = [_core.take(row, np.where(order < length, length - 1 - order, order).astype(np.int32),
                       axis - (batch < axis))
            for row, length in zip(unstack(input, axis=batch), np.asarray(seq_lengths))]
    return stack(rows, axis=batch)


def scatter_nd(indices, updates, shape, name=None):
    """Zeros to which the updates are added at their places."""
    from plimsoll.keras import ops

    return ops.scatter(indices, updates, _sizes(shape))


def boolean_mask(tensor, mask, axis=None, name="boolean_mask"):
    tensor, mask = _core.constant(tensor), np.asarray(mask)
    if axis:
        return _core.take(tensor, np.nonzero(mask)[0].astype(np.int32), int(axis))
    return tensor[mask]


def where(condition, x=None, y=None, name=None):
    """The places where a condition holds, or the elements of x there and of y elsewhere."""
    if x is None:
        return _core.constant(np.argwhere(np.asarray(condition)).astype(np.int64))
    if any(_core.constant(each).dtype == "string" for each in (x, y)):
        return _core.constant(np.where(np.asarray(condition), np.asarray(x), np.asarray(y)))
    return _core.select(condition, x, y)


def unique(x, out_idx="int32", name=None):
    values, first, places = np.unique(np.asarray(_core.constant(x)), return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return _Unique(_core.constant(values[order]), _core.constant(rank[places.ravel()].astype(np.int32)))


def unique_with_counts(x, out_idx="int32", name=None):
    found = unique(x)
    counts = np.bincount(np.asarray(found.idx)).astype(np.int32)
    return _UniqueWithCounts(*found, _core.constant(counts))


def sort(values, axis=-1, direction="ASCENDING", name=None):
    from plimsoll.keras import ops

    tensor = _core.constant(values)
    return ops.take_along_axis(tensor, argsort(_core.stop_gradient(tensor), axis, direction), axis)


def argsort(values, axis=-1, direction="ASCENDING", stable=False, name=None):
    array = np.asarray(values)
    if direction == "DESCENDING":
        array = -array.astype(np.float64)
    return _core.constant(np.argsort(array, axis=axis, kind="stable").astype(np.int32))


def searchsorted(sorted_sequence, values, side="left", out_type="int32", name=None):
    return _core.constant(np.searchsorted(np.asarray(sorted_sequence), np.asarray(values), side
                                          ).astype(np.int32))


def shape_n(input, out_type="int32", name=None):
    from plimsoll.tensorflow._creation import shape

    return [shape(each, out_type) for each in input]


def histogram_fixed_width(values, value_range, nbins=100, dtype="int32", name=None):
    low, high = np.asarray(value_range).tolist()
    counts, _ = np.histogram(np.clip(np.asarray(values), low, high), int(nbins), (low, high))
    return _core.constant(counts.astype(np.int32))
