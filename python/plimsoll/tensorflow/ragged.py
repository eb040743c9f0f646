"""Ragged tensors: rows of different lengths, which have values. They do not go into models: to_tensor() pads them."""
import numpy as np

from plimsoll import _core, _missing
from plimsoll.errors import InvalidArgument


class RaggedTensor:
    """Rows of different lengths. `tf.ragged.constant` and `tf.strings.split` make them."""

    __hash__ = None

    def __init__(self, values, lengths):
        self._values = _core.constant(values)
        self._lengths = np.asarray(lengths, np.int64).ravel()
        if int(self._lengths.sum()) != len(self._values):
            raise InvalidArgument(f"RaggedTensor: the rows have {int(self._lengths.sum())} values together, found "
                                  f"{len(self._values)}")

    @classmethod
    def from_row_lengths(cls, values, row_lengths, name=None, validate=True):
        return cls(values, row_lengths)

    @classmethod
    def from_row_splits(cls, values, row_splits, name=None, validate=True):
        return cls(values, np.diff(np.asarray(row_splits)))

    @classmethod
    def from_value_rowids(cls, values, value_rowids, nrows=None, name=None, validate=True):
        ids = np.asarray(value_rowids)
        return cls(values, np.bincount(ids, minlength=int(nrows or 0)) if len(ids) else np.zeros(int(nrows or 0)))

    @classmethod
    def from_tensor(cls, tensor, lengths=None, padding=None, name=None, **kwargs):
        """The rows of a tensor, each as long as `lengths` says, or without the padding at its end."""
        array = np.asarray(_core.constant(tensor))
        if lengths is None:
            differs = array != padding if padding is not None else np.ones(array.shape[:2], bool)
            lengths = [int(np.max(np.nonzero(row)[0], initial=-1)) + 1 for row in differs]
        rows = [array[number, :size] for number, size in enumerate(np.asarray(lengths))]
        return cls(np.concatenate(rows) if rows else array.reshape(0), lengths)

    @property
    def values(self):
        return self._values

    flat_values = values

    @property
    def dtype(self):
        return self._values.dtype

    @property
    def shape(self):
        from plimsoll.tensorflow._specs import TensorShape

        return TensorShape([len(self._lengths), None, *self._values.shape[1:]])

    @property
    def row_splits(self):
        return _core.constant(np.concatenate([[0], np.cumsum(self._lengths)]).astype(np.int64))

    def row_lengths(self, axis=1, name=None):
        return _core.constant(self._lengths)

    def nrows(self, out_type=None, name=None):
        return _core.constant(np.int64(len(self._lengths)))

    def value_rowids(self, name=None):
        return _core.constant(np.repeat(np.arange(len(self._lengths)), self._lengths))

    def bounding_shape(self, axis=None, name=None, out_type=None):
        longest = int(self._lengths.max(initial=0))
        return _core.constant(np.array([len(self._lengths), longest, *self._values.shape[1:]], np.int64))

    def to_tensor(self, default_value=None, name=None, shape=None):
        """One tensor: shorter rows are filled with the default value, which is 0 or an empty text."""
        values = np.asarray(self._values)
        sizes = [len(self._lengths), int(self._lengths.max(initial=0)), *values.shape[1:]]
        if shape is not None:
            sizes = [known if wanted is None else int(wanted) for known, wanted in zip(sizes, shape)]
        if default_value is None:
            default_value = b"" if values.dtype == object else 0
        elif values.dtype == object:
            default_value = np.asarray(_core.constant(default_value)).item()
        found = np.full(sizes, default_value, values.dtype)
        for number, row in enumerate(self._rows(values)[:sizes[0]]):
            found[number, :len(row)] = row[:sizes[1]]
        return _core.constant(found)

    def _rows(self, values) -> list:
        return np.split(values, np.cumsum(self._lengths)[:-1]) if len(self._lengths) else []

    def to_list(self) -> list:
        return [row.tolist() for row in self._rows(np.asarray(self._values))]

    def numpy(self):
        rows = self._rows(np.asarray(self._values))
        if len(set(map(len, rows))) <= 1:
            return np.array(rows)
        found = np.empty(len(rows), object)
        found[:] = rows
        return found

    def __plimsoll_tensor__(self):
        if len(set(self._lengths.tolist())) > 1:
            raise InvalidArgument("a ragged tensor, whose rows have different lengths, was passed where a tensor is "
                                  "expected; its to_tensor() pads the rows")
        return self.to_tensor()

    def __len__(self) -> int:
        return len(self._lengths)

    def __iter__(self):
        return (self[number] for number in range(len(self)))

    def __getitem__(self, key):
        if isinstance(key, tuple):
            return self[key[0]][key[1:] if len(key) > 2 else key[1]]
        rows = self._rows(np.asarray(self._values))
        if not isinstance(key, slice):
            return _core.constant(rows[int(key)])
        chosen = rows[key]
        return RaggedTensor(np.concatenate(chosen) if chosen else np.asarray(self._values)[:0], list(map(len, chosen)))

    def with_values(self, new_values):
        return RaggedTensor(new_values, self._lengths)

    def __repr__(self) -> str:
        return f"<tf.RaggedTensor {self.to_list()}>"

    __str__ = __repr__


def constant(pylist, dtype=None, ragged_rank=None, inner_shape=None, name=None, row_splits_dtype=None):
    """A ragged tensor of a list of lists."""
    from plimsoll.tensorflow._dtypes import as_dtype

    rows = [list(row) for row in pylist]
    flat = [value for row in rows for value in row]
    if any(isinstance(value, (list, tuple, np.ndarray)) for value in flat):
        raise NotImplementedError("tf.ragged.constant: rows of rows are not known here; one level of rows is")
    kind = None if dtype is None else as_dtype(dtype).name
    return RaggedTensor(_core.constant(np.array(flat, "float32") if not flat else flat, kind), list(map(len, rows)))


def stack(values, axis=0, name=None):
    """Tensors of one dimension as the rows of a ragged tensor."""
    rows = [np.asarray(_core.constant(value)) for value in values]
    return RaggedTensor(np.concatenate(rows), list(map(len, rows)))


_missing.lazy(globals(), {})
