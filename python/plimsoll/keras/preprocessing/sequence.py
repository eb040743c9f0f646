"""Windows of time series, and pairs of words for word vectors."""

import json
import random

import numpy as np

from plimsoll.keras.utils.padding import pad_sequences  # noqa: F401
from plimsoll.keras.utils.py_dataset import PyDataset


class TimeseriesGenerator(PyDataset):
    """Batches of windows of `length` steps, each with the target of the step after it."""

    def __init__(
        self,
        data,
        targets,
        length,
        sampling_rate=1,
        stride=1,
        start_index=0,
        end_index=None,
        shuffle=False,
        reverse=False,
        batch_size=128,
        **kwargs,
    ):
        super().__init__(**kwargs)
        if len(data) != len(targets):
            raise ValueError(
                f"Data and targets have to be of same length. Data length is {len(data)} while "
                f"target length is {len(targets)}"
            )
        self.data = data
        self.targets = targets
        self.length = length
        self.sampling_rate = sampling_rate
        self.stride = stride
        self.start_index = start_index + length
        self.end_index = len(data) - 1 if end_index is None else end_index
        self.shuffle = shuffle
        self.reverse = reverse
        self.batch_size = batch_size
        if self.start_index > self.end_index:
            raise ValueError(
                f"`start_index+length={self.start_index} > end_index={self.end_index}` is "
                "disallowed, as no part of the sequence would be left to be used as current step."
            )

    def __len__(self):
        step = self.batch_size * self.stride
        return (self.end_index - self.start_index + step) // step

    def __getitem__(self, index):
        end = self.end_index + 1
        if self.shuffle:
            rows = np.random.randint(self.start_index, end, size=self.batch_size)
        else:
            step = self.batch_size * self.stride
            first = self.start_index + step * index
            rows = np.arange(first, min(first + step, end), self.stride)
        windows = [self.data[row - self.length : row : self.sampling_rate] for row in rows]
        samples = np.array(windows)
        targets = np.array([self.targets[row] for row in rows])
        return (samples[:, ::-1, ...] if self.reverse else samples), targets

    def get_config(self):
        """Settings and data; the data as JSON."""
        names = "length sampling_rate stride start_index end_index shuffle reverse batch_size"
        config = {name: getattr(self, name) for name in names.split()}
        config["data"] = json.dumps(np.asarray(self.data).tolist())
        config["targets"] = json.dumps(np.asarray(self.targets).tolist())
        return config

    def to_json(self, **kwargs):
        """All of it as JSON."""
        content = {"class_name": type(self).__name__, "config": self.get_config()}
        return json.dumps(content, **kwargs)


def make_sampling_table(size, sampling_factor=1e-5):
    """The probability to keep the word of each rank, if frequencies follow Zipf's law."""
    rank = np.arange(size)
    rank[0] = 1
    inverse = rank * (np.log(rank) + 0.577) + 0.5 - 1.0 / (12.0 * rank)
    return np.minimum(1.0, np.sqrt(sampling_factor * inverse))


def skipgrams(
    sequence,
    vocabulary_size,
    window_size=4,
    negative_samples=1.0,
    shuffle=True,
    categorical=False,
    sampling_table=None,
    seed=None,
):
    """(couples, labels): pairs of words that are near each other, and random pairs as contrast.

    Labels are 1 and 0, or with `categorical` [0, 1] and [1, 0].
    """
    couples = list(_near_pairs(sequence, window_size, sampling_table))
    positive, negative = ([0, 1], [1, 0]) if categorical else (1, 0)
    labels = [positive] * len(couples)
    if negative_samples > 0:
        count = int(len(labels) * negative_samples)
        words = [pair[0] for pair in couples]
        random.shuffle(words)
        for i in range(count):
            couples.append([words[i % len(words)], random.randint(1, vocabulary_size - 1)])
        labels += [negative] * count
    if shuffle:
        seed = random.randint(0, 10**7) if seed is None else seed
        for values in (couples, labels):
            random.seed(seed)
            random.shuffle(values)
    return couples, labels


def _near_pairs(sequence, window_size, sampling_table):
    for i, word in enumerate(sequence):
        if not word or (sampling_table is not None and sampling_table[word] < random.random()):
            continue
        for j in range(max(0, i - window_size), min(len(sequence), i + window_size + 1)):
            if j != i and sequence[j]:
                yield [word, sequence[j]]
