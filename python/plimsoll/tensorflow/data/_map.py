"""map(): a function on each element, or on many records at once where that is the same."""

import numpy as np

from plimsoll import _core
from plimsoll.tensorflow._specs import TensorShape, TensorSpec
from plimsoll.tensorflow.data._functions import called
from plimsoll.tensorflow.data._records import Records, as_numbers
from plimsoll.tensorflow.data._stage import Stage
from plimsoll.tensorflow.data._structure import flatten, map_structure
from plimsoll.tensorflow.data._trace import draws_random_numbers, runs_batched, traced_spec
from plimsoll.tensorflow.data._values import spec_of, to_element

_CHUNK = 64


class MapStage(Stage):
    """What a function makes of each element."""

    works = True

    def __init__(self, inner: Stage, function):
        super().__init__(inner)
        self.function = function
        # Whether it runs on stacks of records; None: not known yet.
        self.batched = None
        self._row_counts = set()
        # Whether the function draws random numbers; None: it was not called yet.
        self._draws = None

    def cardinality(self) -> int:
        return self.inner.cardinality()

    def call(self, element):
        if self._draws:
            # The next step: draws are numbered anew, so the engine runs what it compiled before.
            _core.tick()
        result = called(self.function, element)
        if self._draws is None:
            tensors = [leaf for leaf in flatten(result) if isinstance(leaf, _core.Tensor)]
            self._draws = draws_random_numbers(tensors)
        return to_element(result)

    def records(self):
        records = self.inner.records()
        if records is None:
            return None
        if self.batched is None:
            self.batched = runs_batched(self.function, self.inner.spec(), records)
        return MappedRecords(records, self.call, self._row_counts) if self.batched else None

    def find_spec(self):
        found = traced_spec(self.function, self.inner.spec())
        return self._called_spec() if found is None else found

    def _called_spec(self):
        element = self.inner.first()
        found = spec_of(self.call(element))
        shorter = _shortened(element, self.inner.spec())
        if shorter is None:
            return found
        return map_structure(_common, found, spec_of(self.call(shorter)))

    def sequence(self):
        # Python's map goes on after an error of one element, which ignore_errors() needs.
        return map(self.call, self.inner.open())


class MappedRecords(Records):
    """A function that keeps rows apart, on stacks of records.

    Each number of rows is a step of its own for the engine to compile, so a stack is filled up to
    a number that was there before.
    """

    def __init__(self, inner: Records, call, row_counts: set):
        self._inner, self._call, self._known = inner, call, row_counts
        self.size = inner.size
        self.chunk = min(inner.chunk or _CHUNK, _CHUNK)

    def read(self, numbers):
        count = len(numbers)
        rows = min((n for n in self._known if count <= n <= 4 * count), default=count)
        self._known.add(rows)
        if rows > count:
            numbers = np.pad(as_numbers(numbers), (0, rows - count), mode="edge")
        stack = self._call(self._inner.read(numbers))
        return map_structure(lambda leaf: leaf[:count], stack) if rows > count else stack


def _shortened(element, spec):
    """The element with one row less along an axis of unknown size; None if there is none."""
    shorter = False

    def cut(leaf, leaf_spec):
        nonlocal shorter
        if not isinstance(leaf, np.ndarray) or leaf_spec.shape.rank is None:
            return leaf
        # The ellipsis lets a text without an axis stay an array.
        places = (
            *(
                slice(max(n - 1, 1)) if size is None else slice(None)
                for n, size in zip(leaf.shape, leaf_spec.shape)
            ),
            ...,
        )
        shorter = shorter or leaf[places].shape != leaf.shape
        return leaf[places]

    found = map_structure(cut, element, spec)
    return found if shorter else None


def _common(first, second):
    if not isinstance(first, TensorSpec):
        return first
    shape = TensorShape(first.shape).most_specific_compatible_shape(second.shape)
    return TensorSpec(shape, first.dtype)
