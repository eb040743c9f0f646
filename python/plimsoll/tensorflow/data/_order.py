"""Stages that choose, repeat and join elements by their numbers alone."""

import itertools

import numpy as np

from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow.data._records import (
    JoinedRecords,
    PartRecords,
    RepeatedRecords,
    ZippedRecords,
)
from plimsoll.tensorflow.data._sources import CounterStage
from plimsoll.tensorflow.data._stage import INFINITE, UNKNOWN, Stage, least, merged_spec
from plimsoll.tensorflow.data._structure import flatten, map_structure, pack


class SameSpecStage(Stage):
    """A stage whose elements are like those of its input."""

    def spec(self):
        return self.inner.spec()

    def cardinality(self) -> int:
        return self.inner.cardinality()


class TakeStage(SameSpecStage):
    """The first `count` elements; a negative count means all."""

    def __init__(self, inner: Stage, count: int):
        super().__init__(inner)
        self.count = count

    def cardinality(self) -> int:
        size = self.inner.cardinality()
        if self.count < 0:
            return size
        if size == INFINITE:
            return self.count
        return 0 if self.count == 0 else size if size == UNKNOWN else min(size, self.count)

    def records(self):
        records = self.inner.records()
        if records is None or self.count < 0:
            return records
        size = self.count if records.size == INFINITE else min(self.count, records.size)
        return PartRecords(records, 0, 1, size)

    def sequence(self):
        return self.inner.open() if self.count < 0 else _first(self.inner, self.count)


def _first(stage: Stage, count: int):
    """As islice, but the input is closed with the last element and not opened for none."""
    if count == 0:
        return
    elements = stage.open()
    for number, element in enumerate(elements, 1):
        if number == count:
            del elements
            yield element
            return
        yield element


class SkipStage(SameSpecStage):
    """All but the first `count` elements; a negative count means none."""

    def __init__(self, inner: Stage, count: int):
        super().__init__(inner)
        self.count = count

    def cardinality(self) -> int:
        size = self.inner.cardinality()
        if self.count < 0:
            return 0
        return size if size < 0 else max(size - self.count, 0)

    def records(self):
        records = self.inner.records()
        if records is None:
            return None
        if self.count < 0:
            return PartRecords(records, 0, 1, 0)
        size = records.size if records.size == INFINITE else max(records.size - self.count, 0)
        return PartRecords(records, self.count, 1, size)

    def sequence(self):
        return iter(()) if self.count < 0 else itertools.islice(self.inner.open(), self.count, None)


class ShardStage(SameSpecStage):
    """Every count-th element, from `index` on."""

    def __init__(self, inner: Stage, count: int, index: int):
        super().__init__(inner)
        if count < 1:
            raise InvalidArgument(f"shard: num_shards must be at least 1, found {count}")
        if not 0 <= index < count:
            raise InvalidArgument(
                f"shard: Index must be between 0 and {count - 1} (currently index = {index})"
            )
        self.count, self.index = count, index

    def cardinality(self) -> int:
        size = self.inner.cardinality()
        return size if size < 0 else len(range(self.index, size, self.count))

    def records(self):
        records = self.inner.records()
        if records is None:
            return None
        size = INFINITE if records.size == INFINITE else self.cardinality()
        return PartRecords(records, self.index, self.count, size)

    def sequence(self):
        return itertools.islice(self.inner.open(), self.index, None, self.count)


class RepeatStage(SameSpecStage):
    """All elements `count` times; a negative count means without an end."""

    def __init__(self, inner: Stage, count: int):
        super().__init__(inner)
        self.count = count

    def cardinality(self) -> int:
        size = self.inner.cardinality()
        if size == 0 or self.count == 0:
            return 0
        if self.count < 0:
            return INFINITE
        return size if size < 0 else size * self.count

    def records(self):
        records = self.inner.records()
        if records is None or records.size <= 0:
            return records
        size = INFINITE if self.count < 0 else records.size * self.count
        # The first pass is open already.
        opened = [records]
        return RepeatedRecords(
            lambda: opened.pop() if opened else self.inner.records(),
            records.size,
            size,
            records.chunk,
        )

    def sequence(self):
        passes = itertools.count() if self.count < 0 else range(self.count)
        for _ in passes:
            empty = True
            for element in self.inner.open():
                empty = False
                yield element
            # Nothing would ever come of repeating nothing.
            if empty and self.count < 0:
                return


class ConcatenateStage(Stage):
    """The elements of one after those of the other."""

    def __init__(self, first: Stage, second: Stage):
        super().__init__(first, second)

    def spec(self):
        return merged_spec(*(stage.spec() for stage in self.inputs))

    def cardinality(self) -> int:
        sizes = [stage.cardinality() for stage in self.inputs]
        if INFINITE in sizes:
            return INFINITE
        return UNKNOWN if UNKNOWN in sizes else sum(sizes)

    def records(self):
        first, second = (stage.records() for stage in self.inputs)
        if first is None or second is None or self.inputs[0].spec() != self.inputs[1].spec():
            return None
        return first if first.size == INFINITE else JoinedRecords(first, second)

    def sequence(self):
        return itertools.chain.from_iterable(stage.open() for stage in self.inputs)


class ZipStage(Stage):
    """A structure of data sets as one of structures, as long as the shortest."""

    def __init__(self, stages):
        super().__init__(*flatten(stages))
        self._like = map_structure(lambda _: 0, stages)

    def spec(self):
        return pack(self._like, [stage.spec() for stage in self.inputs])

    def cardinality(self) -> int:
        return least(*(stage.cardinality() for stage in self.inputs))

    def records(self):
        parts = [stage.records() for stage in self.inputs]
        if any(part is None for part in parts):
            return None
        return ZippedRecords(pack(self._like, parts), least(*(part.size for part in parts)))

    def sequence(self):
        columns = zip(*(stage.open() for stage in self.inputs))
        return (pack(self._like, values) for values in columns)


def enumerate_stage(inner: Stage, start: int) -> Stage:
    return ZipStage((CounterStage(start, 1, np.int64), inner))


class AssertCardinalityStage(SameSpecStage):
    """States how many elements there are; another number is an error at the end of a pass."""

    def __init__(self, inner: Stage, count: int):
        super().__init__(inner)
        self._count = count

    def cardinality(self) -> int:
        return self._count

    def sequence(self):
        number = 0
        for number, element in enumerate(self.inner.open(), 1):
            if 0 <= self._count < number:
                raise InvalidArgument(
                    f"assert_cardinality: the data set has more than {self._count} elements"
                )
            yield element
        if number < self._count:
            raise InvalidArgument(
                f"assert_cardinality: expected {self._count} elements, found {number}"
            )
