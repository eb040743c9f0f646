"""Reviews of films as lists of word numbers, with their sentiment."""

import numpy as np

from plimsoll.keras.datasets import words
from plimsoll.keras.datasets.files import DataFile
from plimsoll.keras.datasets.safe_pickle import load_npz

_FILE = DataFile("imdb.npz", "69664113be75683a8fe16e3ed0ab59fda8886cb3cd7ada244f7d9544e4676b9f")
_INDEX = DataFile("imdb_word_index.json", "bfafd718b763782e994055a2d397834f")


def load_data(
    path="imdb.npz",
    num_words=None,
    skip_top=0,
    maxlen=None,
    seed=113,
    start_char=1,
    oov_char=2,
    index_from=3,
    **kwargs,
):
    """(x_train, y_train), (x_test, y_test): 25,000 reviews each, labels 0 and 1.

    Word numbers are ranks: only the num_words most frequent ones are kept, without the skip_top
    most frequent; others are oov_char. Reviews of maxlen words and more are left out.
    """
    num_words = kwargs.pop("nb_words", num_words)
    if kwargs:
        raise TypeError(f"Unrecognized keyword arguments: {kwargs}.")
    arrays = load_npz(_FILE.find(path))
    random = np.random.RandomState(seed)
    x_train, y_train = words.shuffled(arrays["x_train"], arrays["y_train"], random)
    x_test, y_test = words.shuffled(arrays["x_test"], arrays["y_test"], random)
    x_train = words.shifted(x_train, start_char, index_from)
    x_test = words.shifted(x_test, start_char, index_from)
    if maxlen:
        x_train, y_train = words.shorter_than(maxlen, x_train, y_train)
        x_test, y_test = words.shorter_than(maxlen, x_test, y_test)
        if not x_train or not x_test:
            raise ValueError(
                f"After filtering for sequences shorter than maxlen={maxlen}, no sequence was "
                "kept. Increase maxlen."
            )
    texts = words.limited(x_train + x_test, num_words, skip_top, oov_char)
    labels = np.concatenate([y_train, y_test])
    count = len(x_train)
    return (
        (words.as_array(texts[:count]), labels[:count]),
        (words.as_array(texts[count:]), labels[count:]),
    )


def get_word_index(path="imdb_word_index.json"):
    """The rank of each word; load_data() adds index_from to it."""
    return words.load_index(_INDEX.find(path))
