"""What the data sets of texts share: lists of word numbers."""

import json

import numpy as np


def shuffled(x, y, random):
    """Both arrays in the same new order."""
    order = np.arange(len(x))
    random.shuffle(order)
    return x[order], y[order]


def shifted(texts, start_char, index_from) -> list[list[int]]:
    """Word numbers from index_from on, after the number that marks a start."""
    start = [] if start_char is None else [start_char]
    shift = index_from if start_char is not None else index_from or 0
    return [start + [word + shift for word in text] for text in texts]


def shorter_than(maxlen, texts, labels):
    """The texts of fewer than maxlen words, with their labels."""
    kept = [(text, label) for text, label in zip(texts, labels) if len(text) < maxlen]
    return [text for text, _ in kept], [label for _, label in kept]


def limited(texts, num_words, skip_top, oov_char) -> list[list[int]]:
    """Words that are too rare or too usual become oov_char, or are left out if that is None."""
    if not num_words:
        num_words = max(max(text) for text in texts)
    if oov_char is None:
        return [[w for w in text if skip_top <= w < num_words] for text in texts]
    return [[w if skip_top <= w < num_words else oov_char for w in text] for text in texts]


def as_array(texts):
    """An array of lists, also if all of them have the same length."""
    result = np.empty(len(texts), dtype=object)
    result[:] = texts
    return result


def load_index(path) -> dict:
    with open(path, encoding="utf-8") as file:
        return json.load(file)
