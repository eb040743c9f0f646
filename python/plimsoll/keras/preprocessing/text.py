"""Texts as lists of word numbers."""

import collections
import hashlib
import json

import numpy as np

_FILTERS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'


def text_to_word_sequence(input_text, filters=_FILTERS, lower=True, split=" "):
    """The words of a text, without the characters of `filters`."""
    if lower:
        input_text = input_text.lower()
    input_text = input_text.translate(str.maketrans({c: split for c in filters}))
    return [word for word in input_text.split(split) if word]


def one_hot(input_text, n, filters=_FILTERS, lower=True, split=" ", analyzer=None):
    """Words as numbers from 1 to n - 1 by Python's hash, which differs from run to run."""
    return hashing_trick(input_text, n, hash, filters, lower, split, analyzer)


def hashing_trick(
    text, n, hash_function=None, filters=_FILTERS, lower=True, split=" ", analyzer=None
):
    """Words as numbers from 1 to n - 1; hash_function="md5" gives the same ones in every run."""
    if hash_function is None:
        hash_function = hash
    elif hash_function == "md5":
        hash_function = _md5
    words = analyzer(text) if analyzer else text_to_word_sequence(text, filters, lower, split)
    return [hash_function(word) % (n - 1) + 1 for word in words]


def _md5(word: str) -> int:
    return int(hashlib.md5(word.encode()).hexdigest(), 16)


class Tokenizer:
    """Learns the words of texts, most frequent first, and turns texts into their numbers.

    Number 0 is no word. Only numbers below num_words are given out; other words are left out, or
    become oov_token if that is set. char_level counts characters instead of words.
    """

    def __init__(
        self,
        num_words=None,
        filters=_FILTERS,
        lower=True,
        split=" ",
        char_level=False,
        oov_token=None,
        analyzer=None,
        **kwargs,
    ):
        num_words = kwargs.pop("nb_words", num_words)
        self.document_count = kwargs.pop("document_count", 0)
        if kwargs:
            raise TypeError(f"Unrecognized keyword arguments: {kwargs}")
        self.word_counts = collections.OrderedDict()
        self.word_docs = collections.defaultdict(int)
        self.index_docs = collections.defaultdict(int)
        self.word_index = {}
        self.index_word = {}
        self.num_words = num_words
        self.filters = filters
        self.lower = lower
        self.split = split
        self.char_level = char_level
        self.oov_token = oov_token
        self.analyzer = analyzer

    def fit_on_texts(self, texts):
        """Learns from strings, or from lists of words; may be called again with more."""
        for text in texts:
            self.document_count += 1
            words = self._words(text)
            for word in words:
                self.word_counts[word] = self.word_counts.get(word, 0) + 1
            for word in set(words):
                self.word_docs[word] += 1
        # The sort is stable: words of the same count stay in the order in which they came.
        ranked = sorted(self.word_counts, key=self.word_counts.get, reverse=True)
        if self.oov_token is not None:
            ranked.insert(0, self.oov_token)
        self.word_index = {word: i for i, word in enumerate(ranked, 1)}
        self.index_word = {i: word for word, i in self.word_index.items()}
        for word, count in self.word_docs.items():
            self.index_docs[self.word_index[word]] = count

    def fit_on_sequences(self, sequences):
        """Learns from lists of word numbers in how many of them each one is."""
        self.document_count += len(sequences)
        for sequence in sequences:
            for number in set(sequence):
                self.index_docs[number] += 1

    def texts_to_sequences(self, texts):
        """A list of word numbers per text."""
        return list(self.texts_to_sequences_generator(texts))

    def texts_to_sequences_generator(self, texts):
        """As texts_to_sequences(), one text after the other."""
        unknown = self.word_index.get(self.oov_token)
        for text in texts:
            numbers = (self.word_index.get(word) for word in self._words(text))
            kept = (n if self._is_kept(n) else unknown for n in numbers)
            yield [n for n in kept if n is not None]

    def sequences_to_texts(self, sequences):
        """The words of lists of numbers, joined by spaces."""
        return list(self.sequences_to_texts_generator(sequences))

    def sequences_to_texts_generator(self, sequences):
        """As sequences_to_texts(), one list after the other."""
        unknown = self.index_word.get(self.word_index.get(self.oov_token))
        for sequence in sequences:
            known = (self.index_word.get(n) if self._is_kept(n) else None for n in sequence)
            words = (unknown if word is None else word for word in known)
            yield " ".join(word for word in words if word is not None)

    def texts_to_matrix(self, texts, mode="binary"):
        """One row per text; see sequences_to_matrix()."""
        return self.sequences_to_matrix(self.texts_to_sequences(texts), mode=mode)

    def sequences_to_matrix(self, sequences, mode="binary"):
        """One row per list and one column per word.

        mode is "binary", "count", "freq" or "tfidf".
        """
        columns = self.num_words or (len(self.word_index) + 1 if self.word_index else None)
        if columns is None:
            raise ValueError(
                "Specify a dimension (`num_words` argument), or fit on some text data first."
            )
        if mode not in ("binary", "count", "freq", "tfidf"):
            raise ValueError(f"Unknown vectorization mode: {mode}")
        if mode == "tfidf" and not self.document_count:
            raise ValueError("Fit the Tokenizer on some data before using tfidf mode.")
        matrix = np.zeros((len(sequences), columns))
        for row, sequence in zip(matrix, sequences):
            counts = collections.Counter(n for n in sequence if n < columns)
            for number, count in counts.items():
                row[number] = self._weight(mode, number, count, len(sequence))
        return matrix

    def _weight(self, mode, number, count, length) -> float:
        if mode == "count":
            return count
        if mode == "freq":
            return count / length
        if mode == "binary":
            return 1
        rarity = np.log(1 + self.document_count / (1 + self.index_docs.get(number, 0)))
        return (1 + np.log(count)) * rarity

    def _is_kept(self, number) -> bool:
        return number is not None and not (self.num_words and number >= self.num_words)

    def _words(self, text):
        if isinstance(text, list):
            return [word.lower() for word in text] if self.lower else text
        if self.char_level:
            return text.lower() if self.lower else text
        if self.analyzer is not None:
            return self.analyzer(text)
        return text_to_word_sequence(text, self.filters, self.lower, self.split)

    def get_config(self):
        """Settings and what was learnt; tokenizer_from_json() reads it."""
        config = {
            "num_words": self.num_words,
            "filters": self.filters,
            "lower": self.lower,
            "split": self.split,
            "char_level": self.char_level,
            "oov_token": self.oov_token,
            "document_count": self.document_count,
        }
        for name in ("word_counts", "word_docs", "index_docs", "index_word", "word_index"):
            config[name] = json.dumps(getattr(self, name))
        return config

    def to_json(self, **kwargs):
        """All of it as JSON."""
        return json.dumps({"class_name": "Tokenizer", "config": self.get_config()}, **kwargs)


def tokenizer_from_json(json_string):
    """The Tokenizer that to_json() wrote."""
    config = dict(json.loads(json_string)["config"])
    names = ("word_counts", "word_docs", "index_docs", "index_word", "word_index")
    learnt = {name: json.loads(config.pop(name)) for name in names}
    for name in ("index_docs", "index_word"):
        learnt[name] = {int(number): value for number, value in learnt[name].items()}
    tokenizer = Tokenizer(**config)
    tokenizer.__dict__.update(learnt)
    return tokenizer
