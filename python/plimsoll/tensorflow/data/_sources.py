"""Stages that data begins with: arrays, numbers, one element, a list of elements."""

import numpy as np

from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow._dtypes import held_dtype
from plimsoll.tensorflow._specs import TensorSpec
from plimsoll.tensorflow.data._records import ArrayRecords, RangeRecords, SingleRecord
from plimsoll.tensorflow.data._stage import INFINITE, Stage
from plimsoll.tensorflow.data._structure import flatten, map_structure
from plimsoll.tensorflow.data._values import raw_array, spec_of, to_array, to_element


class ArraysStage(Stage):
    """Slices of arrays along their first axis. The arrays are neither copied nor cast whole."""

    def __init__(self, tensors):
        super().__init__()
        if isinstance(tensors, list) and tensors and _is_of_datasets(tensors):
            raise InvalidArgument("from_tensor_slices: expected arrays, found data sets; use zip()")
        self.arrays = map_structure(raw_array, tensors)
        leaves = flatten(self.arrays)
        if not leaves:
            raise InvalidArgument("from_tensor_slices: expected at least one array")
        if any(leaf.ndim == 0 for leaf in leaves):
            raise InvalidArgument(
                "from_tensor_slices: a number has no first axis to slice; from_tensors() makes it "
                "one element"
            )
        sizes = dict.fromkeys(len(leaf) for leaf in leaves)
        if len(sizes) > 1:
            raise InvalidArgument(
                "from_tensor_slices: all arrays need the same number of rows, found "
                + " and ".join(str(size) for size in sizes)
            )
        self._size = len(leaves[0])

    def spec(self):
        return map_structure(lambda a: TensorSpec(a.shape[1:], held_dtype(a.dtype)), self.arrays)

    def cardinality(self) -> int:
        return self._size

    def records(self):
        return ArrayRecords(self.arrays, self._size)


def _is_of_datasets(values) -> bool:
    return any(hasattr(value, "_stage") for value in values)


class SingleStage(Stage):
    """One element."""

    def __init__(self, element):
        super().__init__()
        self.element = map_structure(to_array, element)

    def spec(self):
        return spec_of(self.element)

    def cardinality(self) -> int:
        return 1

    def records(self):
        return SingleRecord(self.element)


class RangeStage(Stage):
    """Numbers from start to stop, or without an end."""

    def __init__(self, numbers: range, dtype):
        super().__init__()
        self.numbers, self.dtype = numbers, held_dtype(dtype)

    def spec(self):
        return TensorSpec((), self.dtype)

    def cardinality(self) -> int:
        return len(self.numbers)

    def records(self):
        return RangeRecords(self.numbers, np.dtype(self.dtype.as_numpy_dtype))


class _CountedRecords(RangeRecords):
    def __init__(self, start, step, dtype):
        super().__init__(range(0), dtype)
        self.size, self._start, self._step = INFINITE, start, step

    def read(self, numbers):
        if isinstance(numbers, range):
            numbers = np.arange(numbers.start, numbers.stop, numbers.step)
        return (numbers * self._step + self._start).astype(self.dtype)


class CounterStage(Stage):
    """start, start + step, … without an end."""

    def __init__(self, start, step, dtype):
        super().__init__()
        self._start, self._step, self.dtype = start, step, held_dtype(dtype)

    def spec(self):
        return TensorSpec((), self.dtype)

    def cardinality(self) -> int:
        return INFINITE

    def records(self):
        return _CountedRecords(self._start, self._step, np.dtype(self.dtype.as_numpy_dtype))


class ListStage(Stage):
    """Elements that are in memory one by one, such as those of a window."""

    def __init__(self, elements: list, spec=None):
        super().__init__()
        self._elements, self._spec = elements, spec

    def spec(self):
        if self._spec is None:
            self._spec = spec_of(self._elements[0])
        return self._spec

    def cardinality(self) -> int:
        return len(self._elements)

    def sequence(self):
        return iter(self._elements)


def list_stage(elements) -> ListStage:
    """Python's values as elements."""
    found = [to_element(element) for element in elements]
    if not found:
        raise InvalidArgument("from_list: expected at least one element")
    return ListStage(found)
