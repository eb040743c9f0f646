"""filter() and take_while(): elements for which a predicate of the user is true."""

import itertools

import numpy as np

from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow.data._functions import called
from plimsoll.tensorflow.data._map import MappedRecords
from plimsoll.tensorflow.data._order import SameSpecStage
from plimsoll.tensorflow.data._records import Records, row, stacks
from plimsoll.tensorflow.data._stage import Stage
from plimsoll.tensorflow.data._trace import runs_batched
from plimsoll.tensorflow.data._values import to_array


class FilterStage(SameSpecStage):
    """The elements for which the predicate is true."""

    works = True

    def __init__(self, inner: Stage, predicate):
        super().__init__(inner)
        self._predicate = predicate
        # Whether it runs on stacks of records; None: not known yet.
        self.batched = None
        self._row_counts = set()

    def cardinality(self) -> int:
        return 0 if self.inner.cardinality() == 0 else -2

    def sequence(self):
        records = self.inner.records()
        if records is not None and self._runs_batched(records):
            return self._from_stacks(records)
        # Python's filter goes on after an error of one element, which ignore_errors() needs.
        return filter(self._is_kept, self.inner.open())

    def _runs_batched(self, records: Records) -> bool:
        if self.batched is None:
            self.batched = runs_batched(self._predicate, self.inner.spec(), records)
        return self.batched

    def _is_kept(self, element) -> bool:
        return bool(self._answers(element, 0))

    def _answers(self, element, axes: int) -> np.ndarray:
        value = to_array(called(self._predicate, element))
        if value.dtype != bool or value.ndim != axes:
            raise InvalidArgument(
                f"filter: the predicate must return one tf.bool, found {value.dtype} of shape "
                f"{value.shape[axes:]}"
            )
        return value

    def _from_stacks(self, records: Records):
        answered = MappedRecords(
            records, lambda stack: (stack, self._answers(stack, 1)), self._row_counts
        )
        for stack, kept in stacks(answered):
            for place in np.flatnonzero(kept):
                yield row(stack, place)


class TakeWhileStage(FilterStage):
    """The elements before the first for which the predicate is false."""

    def sequence(self):
        return itertools.takewhile(self._is_kept, self.inner.open())
