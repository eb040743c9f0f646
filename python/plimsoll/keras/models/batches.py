"""Batches of data for loops in Python."""
import numpy as np

from plimsoll import _convert, _core
from plimsoll.keras.models.data import is_batched, unpack
from plimsoll.keras.models.streams import pass_of_sequence


class Batches:
    """The batches of each epoch: (x, y), (x, y, sample_weight) or x."""

    def __init__(self, x, y, sample_weight, batch_size, shuffle, steps, class_weight):
        self._steps, self._class_weight = steps, class_weight
        self._stream, self._shuffle = None, bool(shuffle)
        if is_batched(x):
            self._stream = x
            self._iterator, self._passes = None, 0
            self.count = steps or _length(x)
        else:
            self._parts = [_convert.map_structure(_array, part) for part in (x, y, sample_weight)]
            self._size = len(_convert.flatten(self._parts[0])[0])
            self._batch_size = batch_size or 32
            self.count = min(steps or 10**18, -(-self._size // self._batch_size))

    def epoch(self, number: int):
        """The batches of one epoch."""
        batches = self._of_stream() if self._stream is not None else self._of_arrays(number)
        for batch in batches:
            yield weighted(batch, self._class_weight)

    def first(self):
        """The first batch, to build a model with."""
        if self._stream is not None and hasattr(self._stream, "__next__"):
            raise ValueError("fit: the model has no weights yet and the data can be read only once; call the model on "
                             "data before a run that goes on from a checkpoint")
        return next(self.epoch(0))

    def skip_epochs(self, count: int) -> None:
        """Reads what earlier epochs took of data that goes on from epoch to epoch."""
        if self._stream is None:
            return
        goes_on = self._steps is not None or hasattr(self._stream, "__next__")
        for number in range(count if goes_on else 0):
            for _ in self.epoch(number):
                pass

    def _of_arrays(self, number: int):
        order = np.arange(self._size)
        if self._shuffle:
            np.random.default_rng(_core.random_seed() + number).shuffle(order)
        for step in range(self.count):
            rows = order[step * self._batch_size:(step + 1) * self._batch_size]
            x, y, weight = (None if part is None else _convert.map_structure(
                lambda leaf: leaf[rows], part) for part in self._parts)
            yield packed(x, y, weight)

    def _of_stream(self):
        if self._iterator is None or self._steps is None:
            self._iterator = self._open()
        taken = 0
        while self._steps is None or taken < self._steps:
            batch = next(self._iterator, None)
            if batch is None:
                if self._steps is None or taken == 0:
                    return
                self._iterator = self._open()
                continue
            taken += 1
            yield batch

    def _open(self):
        data = self._stream
        if hasattr(data, "__next__"):
            return data
        if hasattr(data, "__getitem__") and hasattr(data, "__len__") and not hasattr(data, "_for_fit"):
            self._passes += 1
            return pass_of_sequence(data, self._shuffle, self._passes - 1)
        return iter(data)


def packed(x, y, sample_weight):
    """A batch in Keras's form: x, (x, y) or (x, y, sample_weight)."""
    if y is None and sample_weight is None:
        return x
    return (x, y) if sample_weight is None else (x, y, sample_weight)


def weighted(batch, class_weight: dict | None):
    """The batch with the weights of its classes in its sample weights."""
    if not class_weight:
        return batch
    x, y, weight = unpack(batch)
    labels = np.asarray(y)
    labels = labels.argmax(-1) if labels.ndim > 1 and labels.shape[-1] > 1 else labels.reshape(len(labels), -1)[:, 0]
    by_class = np.array([class_weight.get(int(label), 1.0) for label in labels], np.float32)
    return x, y, by_class if weight is None else by_class * np.asarray(weight)


def balanced_weights(y) -> dict:
    """The weights of fit(class_weight="balanced"): records / (classes * records of the class)."""
    if y is None or isinstance(y, dict):
        raise ValueError('fit: class_weight="balanced" counts the classes in y, which must be one array; give a weight '
                         "for each class number, such as {0: 1.0, 1: 2.5}")
    return _core.balanced_class_weight(_core.Dataset(_core.from_arrays([np.asarray(y)]), targets=1))


def _array(value):
    return value if value is None else np.asarray(value)


def _length(data):
    try:
        size = len(data)
    except TypeError:
        return None
    return size if size >= 0 else None
