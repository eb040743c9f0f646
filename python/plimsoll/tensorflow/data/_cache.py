"""cache(): elements that are kept when they are first made, in memory or in a file."""

import numpy as np

from plimsoll.tensorflow.data._cache_file import CacheFile
from plimsoll.tensorflow.data._order import SameSpecStage
from plimsoll.tensorflow.data._records import Records, as_numbers
from plimsoll.tensorflow.data._stage import Stage
from plimsoll.tensorflow.data._structure import map_structure


class CachedRecords(Records):
    """Records that are kept once they are read, in whatever order that is."""

    def __init__(self, inner: Records):
        self._inner = inner
        self.size, self.chunk = inner.size, inner.chunk
        self._kept = None  # stacks of all records
        self._is_kept = np.zeros(self.size, bool)

    def read(self, numbers):
        numbers = as_numbers(numbers)
        missing = numbers[~self._is_kept[numbers]]
        if len(missing):
            self._keep(missing)
        return map_structure(lambda leaf: leaf[numbers], self._kept)

    def _keep(self, numbers) -> None:
        stack = self._inner.read(numbers)
        if self._kept is None:
            self._kept = map_structure(
                lambda leaf: np.empty((self.size, *leaf.shape[1:]), leaf.dtype), stack
            )
        map_structure(lambda kept, leaf: kept.__setitem__(numbers, leaf), self._kept, stack)
        self._is_kept[numbers] = True


class CacheStage(SameSpecStage):
    """Keeps the elements of the first whole pass; later passes have the same in the same order."""

    def __init__(self, inner: Stage):
        super().__init__(inner)
        self._kept = None
        self._records = None

    def records(self):
        if self._records is None:
            self._records = self._first_records()
        return self._records

    def _first_records(self) -> Records | None:
        """The records of the first pass. Those that are in memory are their own cache."""
        records = self.inner.records()
        if records is None or not self.inner.any_works():
            return records
        return None if records.size < 0 or records.chunk == 1 else CachedRecords(records)

    def sequence(self):
        return iter(self._kept) if self._kept is not None else self._keeping()

    def _keeping(self):
        kept = []
        for element in self.inner.open():
            kept.append(element)
            yield element
        # A pass that is left early keeps nothing.
        self._kept = kept

    def any_works(self) -> bool:
        return self._kept is None and self.inner.any_works()


class FileCacheStage(SameSpecStage):
    """Keeps the elements of the first whole pass in a file, also for later runs."""

    works = True

    def __init__(self, inner: Stage, filename: str):
        super().__init__(inner)
        self._file = CacheFile(filename)

    def sequence(self):
        if self._file.is_complete():
            return self._file.read()
        return self._file.written(self.inner.open())
