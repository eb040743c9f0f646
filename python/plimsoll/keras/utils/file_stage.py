"""A stage of tf.data whose records are files, read when they are asked for."""

import numpy as np

from plimsoll.tensorflow.data._records import Records, as_numbers
from plimsoll.tensorflow.data._stage import Stage


class FileStage(Stage):
    """Files and their labels: read(path) gives an array of the shape and type of `spec`.

    source(paths, labels) gives the same records as a source of the engine.
    """

    works = True

    def __init__(self, paths, labels, read, spec, label_spec=None, source=None):
        super().__init__()
        self.paths = paths
        self.labels = labels
        self.read = read
        self._source = source
        self._spec = spec if labels is None else (spec, label_spec)

    def spec(self):
        return self._spec

    def cardinality(self) -> int:
        return len(self.paths)

    def records(self):
        return _FileRecords(self)

    def engine_source(self):
        if self._source is None:
            return None
        return self._source(self.paths, None if self.labels is None else [self.labels])


class _FileRecords(Records):
    # Files are large: one at a time is read where nothing says how many are needed.
    chunk = 1

    def __init__(self, stage):
        self._stage = stage
        self.size = len(stage.paths)

    def read(self, numbers):
        numbers = as_numbers(numbers)
        values = np.stack([self._stage.read(self._stage.paths[i]) for i in numbers])
        if self._stage.labels is None:
            return values
        return values, self._stage.labels[numbers]
