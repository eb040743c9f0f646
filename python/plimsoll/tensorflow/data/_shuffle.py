"""shuffle(): a permutation of all records where they can be read in any order, or a buffer."""

import itertools

import numpy as np

from plimsoll import _core
from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow.data._order import RepeatStage, SameSpecStage
from plimsoll.tensorflow.data._permutation import shuffle_key
from plimsoll.tensorflow.data._records import INFINITE, RepeatedRecords, ShuffledRecords
from plimsoll.tensorflow.data._stage import UNKNOWN, Stage

_counter = itertools.count(1)


def restart_seeds() -> None:
    """Stages that are made from now on get the same seeds as those after the last restart.

    tf.random.set_seed calls this.
    """
    global _counter
    _counter = itertools.count(1)


def chosen_seed(seed) -> int:
    """The seed of a stage: the user's, or one that follows from the seed of the process."""
    if seed is not None:
        return int(seed)
    return shuffle_key(_core.random_seed(), next(_counter)) >> 1


class Passes:
    """The key of each pass: another one for each, or always the same. `number` is that of the next one."""

    def __init__(self, seed: int, another_each_time: bool):
        self.seed = seed
        self.another_each_time = another_each_time
        self.number = 0

    def next_key(self) -> int:
        # The engine's number of the pass of an order that stays is -1.
        if not self.another_each_time:
            return shuffle_key(self.seed, -1)
        self.number += 1
        return shuffle_key(self.seed, self.number - 1)

    def next_seed(self) -> int:
        """A seed for passes that somebody else counts."""
        return self.seed if not self.another_each_time else self.next_key() >> 1


class ShuffleStage(SameSpecStage):
    """Elements in another order.

    Records with random access are shuffled over their whole number whatever the size of the buffer
    is, which takes no memory. Other elements go through a buffer, as TensorFlow's do.
    """

    def __init__(self, inner: Stage, buffer_size: int, seed, reshuffle: bool):
        super().__init__(inner)
        if buffer_size < 1 and buffer_size != UNKNOWN:
            raise InvalidArgument(
                f"shuffle: buffer_size must be greater than zero, found {buffer_size}"
            )
        self.buffer_size = buffer_size
        self.passes = Passes(chosen_seed(seed), reshuffle)

    def records(self):
        # A buffer of one element has nothing to choose from.
        if self.buffer_size == 1:
            return self.inner.records()
        if isinstance(self.inner, RepeatStage) and self.inner.count < 0:
            return self._endless(self.inner.inner)
        records = self.inner.records()
        if records is None or records.size == INFINITE:
            return None
        return ShuffledRecords(records, self.passes.next_key)

    def _endless(self, once: Stage):
        """Each repetition is shuffled by itself: there is no order of endless records."""
        records = once.records()
        if records is None or records.size <= 0:
            return records

        def open_pass():
            return ShuffledRecords(once.records(), self.passes.next_key)

        return RepeatedRecords(open_pass, records.size, INFINITE, records.chunk)

    def sequence(self):
        if self.buffer_size == 1:
            return self.inner.open()
        return _from_buffer(self.inner, self.buffer_size, self.passes.next_key())


def _from_buffer(inner: Stage, size: int, key: int):
    """Fills the buffer, then gives any element of it for each that comes in."""
    random = np.random.default_rng(key)
    buffer = []
    for element in inner.open():
        if size == UNKNOWN or len(buffer) < size:
            buffer.append(element)
            continue
        place = int(random.integers(size))
        given, buffer[place] = buffer[place], element
        yield given
    random.shuffle(buffer)
    while buffer:
        yield buffer.pop()
