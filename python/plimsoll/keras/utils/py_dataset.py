"""Data that a Python class reads batch by batch."""

import itertools
import warnings


class PyDataset:
    """Base of data sets written in Python: `ds[i]` is batch i, `len(ds)` the number of batches.

    A subclass defines __getitem__, __len__ (or num_batches) and, if it likes, on_epoch_begin and
    on_epoch_end. The three arguments are kept for scripts that pass them: batches are read ahead
    by one thread.
    """

    def __init__(self, workers=1, use_multiprocessing=False, max_queue_size=10):
        self._workers = workers
        self._use_multiprocessing = use_multiprocessing
        self._max_queue_size = max_queue_size

    def __getitem__(self, index):
        raise NotImplementedError(f"{type(self).__name__} does not define __getitem__")

    def __iter__(self):
        try:
            count = self.num_batches
        except NotImplementedError:
            count = None
        for index in itertools.count() if count is None else range(count):
            yield self[index]

    @property
    def num_batches(self):
        """The number of batches, None if there is no end."""
        if hasattr(self, "__len__"):
            return len(self)
        raise NotImplementedError(
            f"{type(self).__name__} defines neither __len__ nor num_batches; without an end, "
            "num_batches is None"
        )

    def on_epoch_begin(self):
        """Called before each epoch."""

    def on_epoch_end(self):
        """Called after each epoch, for example to shuffle."""


def _setting(name, default):
    def get(self):
        if not hasattr(self, name):
            warnings.warn(
                f"{type(self).__name__} does not call super().__init__(**kwargs) in its "
                "constructor",
                stacklevel=2,
            )
            setattr(self, name, default)
        return getattr(self, name)

    return property(get, lambda self, value: setattr(self, name, value))


PyDataset.workers = _setting("_workers", 1)
PyDataset.use_multiprocessing = _setting("_use_multiprocessing", False)
PyDataset.max_queue_size = _setting("_max_queue_size", 10)
Sequence = PyDataset
