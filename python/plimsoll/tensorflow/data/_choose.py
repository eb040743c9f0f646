"""Stages that take elements from several data sets, and random numbers."""

import numpy as np

from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow._dtypes import int64
from plimsoll.tensorflow._specs import TensorSpec
from plimsoll.tensorflow.data._shuffle import Passes, chosen_seed
from plimsoll.tensorflow.data._stage import INFINITE, UNKNOWN, Stage, merged_spec


class _ChoiceStage(Stage):
    """Elements of several inputs; choices() says of which the next one is."""

    def __init__(self, stages: list, stop_on_empty: bool):
        super().__init__(*stages)
        if not stages:
            raise InvalidArgument("expected at least one data set to choose from")
        self._stop_on_empty = stop_on_empty

    def spec(self):
        spec = self.inputs[0].spec()
        for stage in self.inputs[1:]:
            spec = merged_spec(spec, stage.spec())
        return spec

    def choices(self, left: list):
        """Numbers of inputs. `left` says of each whether it may have elements left."""
        raise NotImplementedError

    def sequence(self):
        opened = [stage.open() for stage in self.inputs]
        left = [True] * len(opened)
        for number in self.choices(left):
            if not left[number]:
                continue
            try:
                element = next(opened[number])
            except StopIteration:
                left[number] = False
                if self._stop_on_empty or not any(left):
                    return
                continue
            yield element


class ChooseStage(_ChoiceStage):
    """A data set of numbers says where each element comes from."""

    def __init__(self, stages: list, chooser: Stage, stop_on_empty: bool):
        super().__init__(stages, stop_on_empty)
        self._chooser = chooser

    def choices(self, left: list):
        for element in self._chooser.open():
            number = int(element)
            if not 0 <= number < len(left):
                raise InvalidArgument(
                    f"choose_from_datasets: the choice is {number}, there are {len(left)} data sets"
                )
            yield number


class SampleStage(_ChoiceStage):
    """Elements of inputs that are drawn at random by their weights."""

    def __init__(self, stages: list, weights, seed, stop_on_empty: bool, another_each_time: bool):
        super().__init__(stages, stop_on_empty)
        self._weights = _checked_weights(weights, len(stages))
        self.passes = Passes(chosen_seed(seed), another_each_time)

    def cardinality(self) -> int:
        sizes = [stage.cardinality() for stage in self.inputs]
        if all(size == INFINITE for size in sizes):
            return INFINITE
        return UNKNOWN

    def choices(self, left: list):
        random = np.random.default_rng(self.passes.next_key())
        while True:
            weights = self._weights * left
            total = weights.sum()
            if total <= 0:
                return
            yield int(random.choice(len(left), p=weights / total))


def _checked_weights(weights, count: int) -> np.ndarray:
    if weights is None:
        return np.full(count, 1 / count)
    weights = np.asarray(weights, np.float64)
    if weights.shape != (count,):
        raise InvalidArgument(
            f"sample_from_datasets: expected {count} weights, found an array of {weights.shape}"
        )
    return weights


class RandomStage(Stage):
    """Random numbers in [0, 2**32) without an end."""

    def __init__(self, seed, another_each_time: bool):
        super().__init__()
        self.passes = Passes(chosen_seed(seed), another_each_time)

    def spec(self):
        return TensorSpec((), int64)

    def cardinality(self) -> int:
        return INFINITE

    def sequence(self):
        random = np.random.default_rng(self.passes.next_key())
        while True:
            for number in random.integers(0, 2**32, 256, np.int64):
                yield np.asarray(number)
