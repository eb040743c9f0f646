"""Records with random access for one pass over the data: any of them can be read at any time.

read(numbers) gives several records at once, stacked along a new first axis, so that a batch costs
a few calls of NumPy and no Python per record. `numbers` is a range or an array of int64.
"""

import numpy as np

from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow.data._permutation import Permutation
from plimsoll.tensorflow.data._structure import flatten, map_structure
from plimsoll.tensorflow.data._values import held

INFINITE = -1
_CHUNK_BYTES = 1 << 20
_CHUNK_RECORDS = 256
_SHUFFLED_AT_ONCE = 4096


def as_numbers(numbers) -> np.ndarray:
    if isinstance(numbers, range):
        return np.arange(numbers.start, numbers.stop, numbers.step, dtype=np.int64)
    return numbers


def stacked(elements: list):
    """Elements of one structure as one element with a first axis more."""

    def stack(*leaves):
        if len({leaf.shape for leaf in leaves}) > 1:
            shapes = " and ".join(str(s) for s in dict.fromkeys(leaf.shape for leaf in leaves))
            raise InvalidArgument(
                f"Cannot batch tensors with different shapes: found {shapes}; padded_batch() pads "
                "them to one shape"
            )
        return np.stack(leaves)

    return map_structure(stack, *elements)


def row(stack, place: int):
    """One of the elements of a stack; numbers stay arrays."""
    return map_structure(lambda leaf: leaf[place, ...], stack)


class Records:
    """The base: `size` is the number of records, or INFINITE."""

    size: int
    # The most records that should be read at once; None: whoever reads decides.
    chunk: int | None = None

    def read(self, numbers):
        raise NotImplementedError

    def element(self, number: int):
        return row(self.read(range(number, number + 1)), 0)


class ArrayRecords(Records):
    """Slices of arrays along their first axis. They are cast as they are read."""

    def __init__(self, arrays, size: int):
        self.arrays = arrays
        self.size = size
        row_bytes = sum(a.nbytes // max(len(a), 1) for a in flatten(arrays)) or 1
        self.chunk = max(1, min(_CHUNK_RECORDS, _CHUNK_BYTES // row_bytes))

    def read(self, numbers):
        place = numbers
        if isinstance(numbers, range):
            place = slice(numbers.start, numbers.stop, numbers.step)
        return map_structure(lambda array: held(array[place]), self.arrays)


class RangeRecords(Records):
    """Numbers of a range."""

    def __init__(self, numbers: range, dtype: np.dtype):
        self.numbers = numbers
        self.dtype = dtype
        self.size = len(numbers)

    def read(self, numbers):
        values = as_numbers(numbers) * self.numbers.step + self.numbers.start
        return values.astype(self.dtype)


class SingleRecord(Records):
    """One element."""

    size = 1

    def __init__(self, element):
        self._element = element

    def read(self, numbers):
        count = len(numbers)
        return map_structure(
            lambda leaf: np.broadcast_to(leaf, (count, *leaf.shape)), self._element
        )


class PartRecords(Records):
    """The records start, start + step, …, `size` of them."""

    def __init__(self, inner: Records, start: int, step: int, size: int):
        self._inner, self._start, self._step, self.size = inner, start, step, size
        self.chunk = inner.chunk

    def read(self, numbers):
        if isinstance(numbers, range):
            start, stop = (self._start + self._step * n for n in (numbers.start, numbers.stop))
            return self._inner.read(range(start, stop, self._step * numbers.step))
        return self._inner.read(numbers * self._step + self._start)

    def element(self, number: int):
        return self._inner.element(self._start + self._step * number)


class ShuffledRecords(Records):
    """All records in another order. `key` is asked for with the first read."""

    def __init__(self, inner: Records, key):
        self._inner, self._key, self._order = inner, key, None
        self.size, self.chunk = inner.size, inner.chunk
        self._block = 0, np.empty(0, np.int64)  # the first of some numbers, and where they go

    def _moved(self, numbers) -> np.ndarray:
        if self._order is None:
            self._order = Permutation(self.size, self._key())
        if not isinstance(numbers, range) or numbers.step != 1:
            return self._order(as_numbers(numbers))
        # Most calls are for the next few; many at once cost hardly more.
        first, moved = self._block
        if not first <= numbers.start <= numbers.stop <= first + len(moved):
            last = min(max(numbers.start + _SHUFFLED_AT_ONCE, numbers.stop), self.size)
            first, moved = numbers.start, self._order(np.arange(numbers.start, last))
            self._block = first, moved
        return moved[numbers.start - first : numbers.stop - first]

    def read(self, numbers):
        return self._inner.read(self._moved(numbers))

    def element(self, number: int):
        return self._inner.element(int(self._moved(np.array([number]))[0]))


def _joined(parts: list, order: np.ndarray | None):
    """The stacks of several reads as one, record order[i] at place i."""
    whole = parts[0] if len(parts) == 1 else map_structure(lambda *p: np.concatenate(p), *parts)
    return whole if order is None else map_structure(lambda leaf: leaf[order], whole)


def read_by_owner(numbers, owners: np.ndarray, read_part):
    """Reads records that belong to several: read_part(owner, places) for each, put in order."""
    different = np.unique(owners)
    places = [np.flatnonzero(owners == owner) for owner in different]
    parts = [read_part(int(owner), found) for owner, found in zip(different, places)]
    if len(parts) == 1:
        return parts[0]
    return _joined(parts, np.argsort(np.concatenate(places)))


class RepeatedRecords(Records):
    """All records several times; each time is a pass of its own."""

    def __init__(self, open_pass, once: int, size: int, chunk: int | None):
        self._open, self._once, self.size, self.chunk = open_pass, once, size, chunk
        self._passes = {}

    def _pass(self, number: int) -> Records:
        if number not in self._passes:
            # Of an endless repetition only the newest passes are read.
            if self.size == INFINITE and len(self._passes) > 1:
                self._passes.pop(min(self._passes))
            self._passes[number] = self._open()
        return self._passes[number]

    def read(self, numbers):
        if isinstance(numbers, range) and len(numbers):
            first, last = numbers[0] // self._once, numbers[-1] // self._once
            if first == last:
                shift = first * self._once
                part = range(numbers.start - shift, numbers.stop - shift, numbers.step)
                return self._pass(first).read(part)
        numbers = as_numbers(numbers)
        within = numbers % self._once
        return read_by_owner(
            numbers, numbers // self._once, lambda p, places: self._pass(p).read(within[places])
        )

    def element(self, number: int):
        return self._pass(number // self._once).element(number % self._once)


class JoinedRecords(Records):
    """The records of one after those of the other."""

    def __init__(self, first: Records, second: Records):
        self._parts = first, second
        endless = second.size == INFINITE
        self.size = INFINITE if endless else first.size + second.size
        self.chunk = min((p.chunk for p in self._parts if p.chunk), default=None)

    def read(self, numbers):
        numbers = as_numbers(numbers)
        border = self._parts[0].size
        shifts = (0, border)

        def read_part(owner, places):
            return self._parts[owner].read(numbers[places] - shifts[owner])

        return read_by_owner(numbers, (numbers >= border).astype(np.int64), read_part)

    def element(self, number: int):
        border = self._parts[0].size
        if number < border:
            return self._parts[0].element(number)
        return self._parts[1].element(number - border)


class ZippedRecords(Records):
    """A structure of records side by side."""

    def __init__(self, parts, size: int):
        self._parts, self.size = parts, size
        self.chunk = min((p.chunk for p in flatten(parts) if p.chunk), default=None)

    def read(self, numbers):
        return map_structure(lambda part: part.read(numbers), self._parts)

    def element(self, number: int):
        return map_structure(lambda part: part.element(number), self._parts)


class BatchRecords(Records):
    """Batches: element k is made of the records from k * batch_size on."""

    chunk = 1

    def __init__(self, inner: Records, batch_size: int, size: int):
        self._inner, self._batch_size, self.size = inner, batch_size, size

    def element(self, number: int):
        first = number * self._batch_size
        last = first + self._batch_size
        if self._inner.size != INFINITE:
            last = min(last, self._inner.size)
        return self._inner.read(range(first, last))

    def read(self, numbers):
        return stacked([self.element(int(number)) for number in as_numbers(numbers)])


def stacks(records: Records):
    """All records, several at once."""
    chunk = records.chunk or _CHUNK_RECORDS
    first = 0
    while records.size == INFINITE or first < records.size:
        last = first + chunk if records.size == INFINITE else min(first + chunk, records.size)
        yield records.read(range(first, last))
        first = last


def iterate(records: Records):
    """All records one by one, read in chunks."""
    if records.chunk == 1:
        yield from _one_by_one(records)
        return
    for stack in stacks(records):
        for place in range(len(flatten(stack)[0])):
            yield row(stack, place)


def _one_by_one(records: Records):
    number = 0
    while records.size == INFINITE or number < records.size:
        yield records.element(number)
        number += 1
