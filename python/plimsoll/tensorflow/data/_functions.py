"""Stages that call a function of the user for each element."""

import copy
import itertools

import numpy as np

from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow.data._order import SameSpecStage
from plimsoll.tensorflow.data._sources import ListStage
from plimsoll.tensorflow.data._stage import Stage
from plimsoll.tensorflow.data._structure import flatten, map_structure
from plimsoll.tensorflow.data._values import is_dataset, to_array, to_element, to_tensors


def called(function, element):
    """Calls a function with an element: a tuple is its arguments. Tensors in, tensors out."""
    tensors = to_tensors(element)
    return function(*tensors) if type(tensors) is tuple else function(tensors)


def stage_of(dataset, name: str) -> Stage:
    """The stage of what a function returned, which must be a data set."""
    if not is_dataset(dataset):
        raise TypeError(
            f"{name}: The `map_func` argument must return a `Dataset` object. Got "
            f"{type(dataset).__name__!r}."
        )
    return dataset._stage


class FlatMapStage(Stage):
    """The elements of the data sets that a function makes of elements."""

    works = True

    def __init__(self, inner: Stage, function):
        super().__init__(inner)
        self._function = function

    def find_spec(self):
        return stage_of(called(self._function, self.inner.first()), "flat_map").spec()

    def sequence(self):
        for element in self.inner.open():
            yield from stage_of(called(self._function, element), "flat_map").open()


class InterleaveStage(Stage):
    """The elements of several such data sets in turns of `block_length` elements."""

    works = True

    def __init__(self, inner: Stage, function, cycle_length: int, block_length: int):
        super().__init__(inner)
        for value, name in ((cycle_length, "cycle_length"), (block_length, "block_length")):
            if value < 1:
                raise InvalidArgument(
                    f"interleave: {name} must be greater than zero, found {value}"
                )
        self._function = function
        self._cycle_length, self._block_length = cycle_length, block_length

    def find_spec(self):
        return stage_of(called(self._function, self.inner.first()), "interleave").spec()

    def _next_open(self, inputs):
        for element in inputs:
            return stage_of(called(self._function, element), "interleave").open()
        return None

    def sequence(self):
        inputs = iter(self.inner.open())
        slots = [None] * self._cycle_length
        ended, place, empty = False, 0, 0
        while empty < self._cycle_length:
            if slots[place] is None and not ended:
                slots[place] = self._next_open(inputs)
                ended = slots[place] is None
            if slots[place] is None:
                empty += 1
            else:
                empty, given = 0, 0
                turn = itertools.islice(slots[place], self._block_length)
                for element in turn:
                    given += 1
                    yield element
                if given < self._block_length:
                    slots[place] = None
            place = (place + 1) % self._cycle_length


class ScanStage(Stage):
    """A map that also hands a state from element to element."""

    works = True

    def __init__(self, inner: Stage, initial_state, function):
        super().__init__(inner)
        self._initial, self._function = map_structure(to_array, initial_state), function

    def cardinality(self) -> int:
        return self.inner.cardinality()

    def sequence(self):
        state = self._initial
        for element in self.inner.open():
            result = self._function(to_tensors(state), *_arguments(element))
            if not isinstance(result, (tuple, list)) or len(result) != 2:
                raise TypeError("scan: scan_func must return (new_state, output)")
            state, output = (to_element(part) for part in result)
            yield output


def _arguments(element) -> tuple:
    # The state is the first argument; an element is one more, whatever its structure is.
    return (to_tensors(element),)


def reduced(inner: Stage, initial_state, function):
    """The state after all elements."""
    state = map_structure(
        to_array, tuple(initial_state) if isinstance(initial_state, list) else initial_state
    )
    for element in inner.open():
        result = to_element(function(to_tensors(state), *_arguments(element)))
        if len(flatten(result)) != len(flatten(state)):
            raise TypeError("reduce: reduce_func must return a state like initial_state")
        state = result
    return to_tensors(state)


class GroupByWindowStage(Stage):
    """Elements of one key together: a function makes a data set of each full window."""

    works = True

    def __init__(self, inner: Stage, key, reduce, size):
        super().__init__(inner)
        self._key, self._reduce, self._size = key, reduce, size

    def sequence(self):
        windows = {}
        for element in self.inner.open():
            key = int(to_array(called(self._key, element)))
            window = windows.setdefault(key, [])
            window.append(element)
            if len(window) >= self._size(key):
                yield from self._reduced(key, windows.pop(key)).open()
        for key in list(windows):
            yield from self._reduced(key, windows.pop(key)).open()

    def find_spec(self):
        first = self.inner.first()
        return self._reduced(int(to_array(called(self._key, first))), [first]).spec()

    def _reduced(self, key: int, elements: list) -> Stage:
        from plimsoll.tensorflow.data.dataset import Dataset

        window = Dataset(ListStage(elements, self.inner.spec()))
        key = to_tensors(np.asarray(key, np.int64))
        return stage_of(self._reduce(key, window), "group_by_window")


class UniqueStage(SameSpecStage):
    """Each element once."""

    def cardinality(self) -> int:
        return 0 if self.inner.cardinality() == 0 else -2

    def sequence(self):
        seen = set()
        for element in self.inner.open():
            key = tuple(_hashable(leaf) for leaf in flatten(element))
            if key not in seen:
                seen.add(key)
                yield element


def _hashable(leaf: np.ndarray):
    return leaf.shape, tuple(leaf.ravel()) if leaf.dtype == object else leaf.tobytes()


def _one_by_one(stage: Stage) -> Stage:
    """The stage with functions that are called for one element at a time, which may fail."""
    found = copy.copy(stage)
    found.inputs = tuple(_one_by_one(inner) for inner in stage.inputs)
    if hasattr(found, "batched"):
        found.batched = False
    return found


class IgnoreErrorsStage(SameSpecStage):
    """Leaves out elements that cannot be made."""

    def __init__(self, inner: Stage, log_warning: bool):
        super().__init__(_one_by_one(inner))
        self._log_warning = log_warning

    def cardinality(self) -> int:
        return 0 if self.inner.cardinality() == 0 else -2

    def sequence(self):
        elements = iter(self.inner.open())
        while True:
            try:
                element = next(elements)
            except StopIteration:
                return
            except Exception as error:  # leaving them out is what it is for
                if self._log_warning:
                    print(f"ignore_errors: left out an element: {error}")
                continue
            yield element
