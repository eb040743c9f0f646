"""News of Reuters as lists of word numbers, with their topic."""

import numpy as np

from plimsoll.keras.datasets import words
from plimsoll.keras.datasets.files import DataFile
from plimsoll.keras.datasets.safe_pickle import load_npz

_FILE = DataFile("reuters.npz", "d6586e694ee56d7a4e65172e12b3e987c03096cb01eab99753921ef915959916")
_INDEX = DataFile("reuters_word_index.json", "4d44cc38712099c9e383dc6e5f11a921")

_LABELS = (
    "cocoa grain veg-oil earn acq wheat copper housing money-supply coffee sugar trade reserves "
    "ship cotton carcass crude nat-gas cpi money-fx interest gnp meal-feed alum oilseed gold tin "
    "strategic-metal livestock retail ipi iron-steel rubber heat jobs lei bop zinc orange pet-chem "
    "dlr gas silver wpi hog lead"
)


def load_data(
    path="reuters.npz",
    num_words=None,
    skip_top=0,
    maxlen=None,
    test_split=0.2,
    seed=113,
    start_char=1,
    oov_char=2,
    index_from=3,
):
    """(x_train, y_train), (x_test, y_test) of 11,228 news, labels 0-45.

    Word numbers are ranks: only the num_words most frequent ones are kept, without the skip_top
    most frequent; others are oov_char. News of maxlen words and more are left out.
    """
    arrays = load_npz(_FILE.find(path))
    x, y = words.shuffled(arrays["x"], arrays["y"], np.random.RandomState(seed))
    texts = words.shifted(x, start_char, index_from)
    if maxlen:
        texts, y = words.shorter_than(maxlen, texts, y)
    texts, y = words.limited(texts, num_words, skip_top, oov_char), np.array(y)
    count = int(len(texts) * (1 - test_split))
    return (words.as_array(texts[:count]), y[:count]), (words.as_array(texts[count:]), y[count:])


def get_word_index(path="reuters_word_index.json"):
    """The rank of each word; load_data() adds index_from to it."""
    return words.load_index(_INDEX.find(path))


def get_label_names():
    """The topics, in the order of the labels."""
    return tuple(_LABELS.split())
