"""Batches that come from Python one after the other: generators, PyDatasets, pipelines."""
import numpy as np

from plimsoll import _convert, _core


class Stream:
    """An iterator of batches for each pass over the data, and the first batch, to plan with.

    open_pass is called with the number of the pass.
    """

    def __init__(self, open_pass, batches, what: str, restarts: bool):
        self._open_pass, self.batches, self._what = open_pass, batches, what
        self._restarts = restarts
        self._iterator = None
        self._error = None
        self.first = self._peek()  # until the first pass begins
        leaves = _leaves(self.first)
        self.specs = [(_core.dtype_name(leaf.dtype), tuple(leaf.shape)[1:]) for leaf in leaves]
        sizes = [leaf.shape[0] if leaf.ndim else 1 for leaf in leaves]
        if len(set(sizes)) > 1:
            raise ValueError(f"{what}: the parts of the first batch have {' and '.join(map(str, sizes))} "
                             "records; a Dataset of single samples needs .batch(32)")
        self.batch_size = sizes[0]

    @classmethod
    def of(cls, data, found, what: str, shuffle: bool = False) -> "Stream":
        if found is not None:
            _, factory, _, batches = found
            return cls(lambda number: factory(), batches, what, True)
        if hasattr(data, "__getitem__") and hasattr(data, "__len__"):
            return cls(lambda number: pass_of_sequence(data, shuffle, number), len(data), what, True)
        if hasattr(data, "__next__"):
            return cls(lambda number: data, None, what, False)
        return cls(lambda number: iter(data), _length(data), what, True)

    def _peek(self):
        self._iterator = iter(self._open_pass(0))
        try:
            first = next(self._iterator)
        except StopIteration:
            raise ValueError(f"{self._what}: the data has no batch") from None
        self._iterator = _Resumed(first, self._iterator)
        return first

    def whole(self, data):
        """The data to iterate over; what ends at its end begins with the batch that was looked at."""
        return data if self._restarts else self._iterator

    def source(self):
        """The engine's source."""
        return _core.stream(self, self.batches)

    def begin_pass(self, number: int) -> None:
        """Called by the engine before each pass over the data."""
        self.first = None
        if number == 0 and self._iterator is not None and not self._begun:
            self._begun = True
            return
        self._begun = True
        if self._restarts:
            self.close()
            self._iterator = iter(self._open_pass(number))

    _begun = False

    def next(self):
        """The arrays of the next batch, or None at the end of a pass."""
        try:
            batch = next(self._iterator, None)
            return None if batch is None else [_for_engine(leaf) for leaf in _leaves(batch)]
        except BaseException as error:
            self._error = error
            raise

    def raise_own(self, error) -> None:
        """An error of the program's own iterator comes out as it was raised."""
        if self._error is not None and self._error is not error:
            raise self._error

    def close(self) -> None:
        end = getattr(self._iterator, "close", None)
        if end is not None and self._restarts:
            end()


class _Resumed:
    """An iterator whose first batch was taken already. It holds that batch until it is given."""

    def __init__(self, first, rest):
        self._first, self._rest = [first], rest

    def __iter__(self):
        return self

    def __next__(self):
        return self._first.pop() if self._first else next(self._rest)

    def close(self) -> None:
        end = getattr(self._rest, "close", None)
        if end is not None:
            end()


def _length(data):
    try:
        return len(data)
    except TypeError:
        return None


def pass_of_sequence(data, shuffle: bool, number: int):
    """One pass over a PyDataset, which is told when it begins and when it has ended.

    As in Keras, the order of its batches is shuffled, not the records in them; that of another sequence is not.
    """
    from plimsoll.keras.utils import PyDataset

    order = np.arange(len(data))
    if shuffle and isinstance(data, PyDataset):
        np.random.default_rng([_core.random_seed() % 2**64, number]).shuffle(order)
    if hasattr(data, "on_epoch_begin"):
        data.on_epoch_begin()
    for index in order:
        yield data[int(index)]
    if hasattr(data, "on_epoch_end"):
        data.on_epoch_end()


def _leaves(batch) -> list:
    from plimsoll.keras.models.data import flat_fields

    return [leaf if _convert.is_tensor(leaf) else np.asarray(leaf) for leaf in flat_fields(batch)]


def _for_engine(leaf):
    """A contiguous array of an element type that the engine has."""
    array = np.asarray(leaf)
    if array.dtype.kind in "OUS":
        return array
    return np.ascontiguousarray(array, dtype=np.dtype(_core.dtype_name(array.dtype)))
