"""Iterators over the elements of a data set."""

from plimsoll.errors import InvalidArgument, OutOfRange
from plimsoll.tensorflow._specs import TypeSpec
from plimsoll.tensorflow.data._structure import map_structure
from plimsoll.tensorflow.data._values import to_numpy, to_tensors


def _passes_of(stage) -> list:
    """The counters of passes in a pipeline, by which each pass has another order."""
    own = [stage.passes] if hasattr(stage, "passes") else []
    return own + [each for inner in stage.inputs for each in _passes_of(inner)]


class Iterator:
    """Gives elements as tensors, as iter(dataset) does."""

    def __init__(self, stage):
        self._stage = stage
        self._first_passes = [each.number for each in _passes_of(stage)]
        self._elements = stage.open()
        self.position = 0  # how many elements it has given

    def checkpoint_state(self) -> dict:
        """What tf.train.Checkpoint keeps of it."""
        return {"position": self.position, "passes": self._first_passes}

    def set_checkpoint_state(self, state: dict) -> None:
        passes = _passes_of(self._stage)
        if len(passes) != len(state["passes"]):
            raise InvalidArgument(f"the checkpoint is that of a data set that shuffles {len(state['passes'])} times, and "
                                  f"this one does so {len(passes)} times")
        for each, number in zip(passes, state["passes"]):
            each.number = number
        self._first_passes = state["passes"]
        self._go_to(int(state["position"]))

    def _go_to(self, position: int) -> None:
        """Begins again and passes over the elements before this position."""
        self.close()
        self._elements, self.position = self._stage.open(), 0
        for _ in range(position):
            next(self)

    @property
    def element_spec(self):
        return self._stage.spec()

    def __iter__(self):
        return self

    def __next__(self):
        if self._elements is None:
            raise StopIteration
        try:
            element = next(self._elements)
        except StopIteration:
            self.close()
            raise
        self.position += 1
        return to_tensors(element)

    def next(self):
        return self.__next__()

    def get_next(self):
        """The next element; OutOfRangeError after the last."""
        try:
            return next(self)
        except StopIteration:
            raise OutOfRange("End of sequence") from None

    def get_next_as_optional(self) -> "Optional":
        try:
            return Optional.from_value(next(self))
        except StopIteration:
            return Optional.empty(self._stage.spec())

    def close(self) -> None:
        """Ends the pass: generators are closed, threads end. Dropping the iterator does so too."""
        elements, self._elements = self._elements, None
        close = getattr(elements, "close", None)
        if close is not None:
            close()


class IteratorSpec(TypeSpec):
    """The spec of an iterator."""

    def __init__(self, element_spec=None):
        self.element_spec = element_spec


class NumpyIterator:
    """Gives elements as arrays and numbers of NumPy, as dataset.as_numpy_iterator() does."""

    def __init__(self, stage):
        self._elements = stage.open()

    def __iter__(self):
        return self

    def __next__(self):
        return map_structure(_nested_numpy, to_numpy(next(self._elements)))

    def next(self):
        return self.__next__()


def _nested_numpy(leaf):
    return leaf.as_numpy_iterator() if hasattr(leaf, "as_numpy_iterator") else leaf


class Optional:
    """An element that may not be there."""

    def __init__(self, value, has_value: bool, spec):
        self._value, self._has_value, self.element_spec = value, has_value, spec

    @staticmethod
    def from_value(value) -> "Optional":
        return Optional(value, True, None)

    @staticmethod
    def empty(element_spec) -> "Optional":
        return Optional(None, False, element_spec)

    def has_value(self):
        import numpy as np

        return to_tensors(np.asarray(self._has_value))

    def get_value(self):
        if not self._has_value:
            raise InvalidArgument("The given optional does not have a value.")
        return self._value
