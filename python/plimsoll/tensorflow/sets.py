"""tf.sets: rows of values as sets. The results are sparse tensors, whose rows are sorted."""
import numpy as np

from plimsoll import _core, _missing
from plimsoll.tensorflow.sparse import SparseTensor


def _of_rows(function, a, b):
    first, second = (np.asarray(_core.constant(each)) for each in (a, b))
    rows = [function(one, two) for one, two in zip(first.reshape(-1, first.shape[-1]), second.reshape(
        -1, second.shape[-1]))]
    outer = first.shape[:-1]
    places = [(*np.unravel_index(number, outer), column) for number, row in enumerate(rows) for column in range(len(row))]
    values = np.concatenate(rows) if rows else first.ravel()[:0]
    longest = max(map(len, rows), default=0)
    return SparseTensor(np.array(places, np.int64).reshape(-1, first.ndim), values, (*outer, longest))


def intersection(a, b, validate_indices=True):
    return _of_rows(np.intersect1d, a, b)


def union(a, b, validate_indices=True):
    return _of_rows(np.union1d, a, b)


def difference(a, b, aminusb=True, validate_indices=True):
    return _of_rows(np.setdiff1d, a, b) if aminusb else _of_rows(np.setdiff1d, b, a)


def size(a, validate_indices=True):
    """The number of values in each row."""
    places = np.asarray(a.indices)
    counts = np.zeros(a._sizes[:-1], np.int32)
    np.add.at(counts, tuple(places[:, :-1].T), 1)
    return _core.constant(counts)


_missing.lazy(globals(), {})
