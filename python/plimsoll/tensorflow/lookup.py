"""tf.lookup: tables from texts or whole numbers to others, looked up by value."""
import numpy as np

from plimsoll import _core, _missing
from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow._dtypes import as_dtype


class KeyValueTensorInitializer:
    """Keys and their values, element by element."""

    def __init__(self, keys, values, key_dtype=None, value_dtype=None, name=None):
        self.keys, self.values = _array(keys, key_dtype), _array(values, value_dtype)
        if len(self.keys) != len(self.values):
            raise InvalidArgument(f"KeyValueTensorInitializer: {len(self.keys)} keys have {len(self.values)} values, "
                                  "expected as many")


class TextFileIndex:
    WHOLE_LINE, LINE_NUMBER = -2, -1


class TextFileInitializer(KeyValueTensorInitializer):
    """Keys and values from the lines of a file: whole lines, numbers of lines, or columns."""

    def __init__(self, filename, key_dtype, key_index, value_dtype, value_index, vocab_size=None, delimiter="\t",
                 name=None):
        with open(filename, "rb") as file:
            lines = [line.rstrip(b"\r\n") for line in file][:vocab_size]
        super().__init__(_column(lines, key_index, delimiter, key_dtype),
                         _column(lines, value_index, delimiter, value_dtype))


class StaticHashTable:
    """A table that does not change; keys that are not in it have the default value."""

    def __init__(self, initializer, default_value, name=None):
        kept = dict(zip(initializer.keys.tolist(), initializer.values.tolist()))
        self._known, self._kind = kept, initializer.values.dtype
        self._default = _array([default_value], None).tolist()[0]

    def lookup(self, keys, name=None):
        array = np.asarray(_core.constant(keys))
        found = np.empty(array.shape, self._kind)
        for place, key in enumerate(array.ravel().tolist()):
            found.flat[place] = self._known.get(key, self._default)
        return _core.constant(found)

    __getitem__ = lookup

    def size(self, name=None):
        return _core.constant(np.int64(len(self._known)))

    @property
    def default_value(self):
        return _core.constant(self._default)

    def export(self, name=None):
        """All keys, and their values in the same order."""
        return (_core.constant(list(self._known)),
                _core.constant(np.array(list(self._known.values()), self._kind)))


def _array(values, dtype):
    return np.asarray(_core.constant(values, None if dtype is None else as_dtype(dtype).name))


def _column(lines: list, index: int, delimiter: str, dtype):
    if index == TextFileIndex.LINE_NUMBER:
        return np.arange(len(lines))
    texts = lines if index == TextFileIndex.WHOLE_LINE else [line.split(delimiter.encode())[index] for line in lines]
    return texts if as_dtype(dtype).name == "string" else np.array([float(text) for text in texts])


_missing.lazy(globals(), {})
