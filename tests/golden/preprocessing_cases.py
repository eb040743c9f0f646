"""Preprocessing layers as a model saves them: outputs for text and numbers, and what adapt() learns."""

import json

import keras
import numpy as np
from keras import layers

from golden_file import Case, generator

TEXTS = [
    "The cat sat on the mat.",
    "the CAT, the dog; and... the -- mouse!",
    "",
    "   ",
    "\tdog\n\nmouse\x0bmat\x0ccat\rend ",
    "naïve CAFÉ ÀÉ Straße İstanbul",
    "日本語 テキスト 日本語",
    "it's a dog's_life (really) [yes] {no} 50% #1 @home",
    "a\u00a0b\u2003c d\x1ce",
    "😀 cat 😀",
    "mouse",
    "[UNK] the",
]
WORDS = ["the", "cat", "dog", "mat", "mouse", "café", "日本語", "a", "it's", "😀"]
CELLS = ["red", "green", "blue", "", "violet", "Red", "grün", "[UNK]", "a long name of a colour that nobody knows", "red "]
COLOURS = ["red", "green", "blue", "grün"]


def as_bytes(texts):
    """The numbers of the bytes of each text, with zeros after them."""
    texts = np.asarray(texts, dtype=object)
    encoded = [t if isinstance(t, bytes) else str(t).encode() for t in texts.ravel()]
    width = max(1, *map(len, encoded))
    numbers = [list(e) + [0] * (width - len(e)) for e in encoded]
    return np.array(numbers, np.int32).reshape(*texts.shape, width)


def kind_of(array):
    return "string" if array.dtype.kind in "OUS" else array.dtype.name


def config_of(layer):
    config = keras.saving.serialize_keras_object(layer)
    config.pop("build_config", None)
    return json.dumps(config)


def layer_case(name, layer, *inputs):
    inputs = [np.asarray(x) for x in inputs]
    y = layer(list(inputs) if len(inputs) > 1 else inputs[0])
    y = y.numpy() if hasattr(y, "numpy") else np.asarray(y)
    case = Case(name, {"layer": config_of(layer), "inputs": len(inputs)})
    for i, x in enumerate(inputs):
        case.meta[f"dtype.x{i}"] = kind_of(x)
        case.add(f"x{i}", as_bytes(x) if kind_of(x) == "string" else x)
    case.meta["dtype.y"] = kind_of(y)
    case.add("y", as_bytes(y) if kind_of(y) == "string" else y)
    return case


def adapted_case(name, layer, data, learnt):
    data = np.asarray(data)
    before = config_of(layer)
    layer.adapt(data)
    case = Case(name, {"layer": before, "dtype.data": kind_of(data)})
    case.add("data", as_bytes(data) if kind_of(data) == "string" else data)
    for key, value in learnt(layer).items():
        if isinstance(value, list):
            case.meta[key] = json.dumps(value)
        else:
            case.add(key, value)
    return case


def column(values):
    return np.array(values, dtype=object).reshape(-1, 1)


def string_lookup_cases():
    def lookup(name, data, **options):
        return layer_case(f"string_lookup_{name}", layers.StringLookup(**options), np.array(data, dtype=object))

    rows = np.array(CELLS, dtype=object).reshape(5, 2)
    yield lookup("int", CELLS, vocabulary=COLOURS)
    yield lookup("column", column(CELLS), vocabulary=COLOURS)
    yield lookup("mask", rows, vocabulary=COLOURS, mask_token="")
    yield lookup("oov_3", CELLS, vocabulary=COLOURS, num_oov_indices=3)
    yield lookup("oov_3_salt", CELLS, vocabulary=COLOURS, num_oov_indices=3, salt=[133, 137])
    yield lookup("oov_0", ["red", "blue", "grün"], vocabulary=COLOURS, num_oov_indices=0)
    yield lookup("special_tokens_in_vocabulary", CELLS, vocabulary=["", "[UNK]", *COLOURS], mask_token="")
    yield lookup("one_hot", CELLS, vocabulary=COLOURS, output_mode="one_hot")
    yield lookup("one_hot_column", column(CELLS), vocabulary=COLOURS, output_mode="one_hot", mask_token="blue_", num_oov_indices=2)
    yield lookup("one_hot_rows", rows, vocabulary=COLOURS, output_mode="one_hot", mask_token="")
    yield lookup("multi_hot", rows, vocabulary=COLOURS, output_mode="multi_hot")
    yield lookup("multi_hot_padded", rows, vocabulary=COLOURS, output_mode="multi_hot", max_tokens=9, pad_to_max_tokens=True)
    yield lookup("count", np.array(CELLS, dtype=object).reshape(2, 5), vocabulary=COLOURS, output_mode="count", mask_token="")
    yield lookup("count_3d", np.array(CELLS[:8], dtype=object).reshape(2, 2, 2), vocabulary=COLOURS, output_mode="count")
    yield lookup("tf_idf", np.array(CELLS, dtype=object).reshape(2, 5), vocabulary=COLOURS, idf_weights=[0.5, 0.25, 2.0, 1.5], output_mode="tf_idf")
    yield lookup(
        "tf_idf_padded", rows, vocabulary=COLOURS, idf_weights=[0.5, 0.25, 2.0, 1.5], output_mode="tf_idf", max_tokens=8, pad_to_max_tokens=True, num_oov_indices=2
    )
    inverted = layers.StringLookup(vocabulary=COLOURS, invert=True)
    yield layer_case("string_lookup_invert", inverted, np.array([[0, 1, 2], [4, 5, -1]]))
    inverted = layers.StringLookup(vocabulary=COLOURS, invert=True, mask_token="", oov_token="?")
    yield layer_case("string_lookup_invert_mask", inverted, np.array([0, 1, 2, 5, 6]))


def integer_lookup_cases():
    def lookup(name, data, **options):
        return layer_case(f"integer_lookup_{name}", layers.IntegerLookup(**options), np.array(data))

    numbers = [[12, 36, 1138], [42, -1, 0], [7, 8, -9]]
    yield lookup("int", numbers, vocabulary=[12, 36, 1138, 42])
    yield lookup("floats", np.array([[12.0, 36.9, -1.5]], np.float32), vocabulary=[12, 36, 1138, 42])
    yield lookup("mask", numbers, vocabulary=[12, 36, 1138, 42], mask_token=0)
    yield lookup("oov_floormod", numbers, vocabulary=[12, 36], num_oov_indices=3)
    yield lookup("oov_farmhash", numbers, vocabulary=[12, 36], num_oov_indices=3, oov_method="farmhash")
    yield lookup("oov_salt", numbers, vocabulary=[12, 36], num_oov_indices=3, oov_method="farmhash", salt=5)
    yield lookup("multi_hot", numbers, vocabulary=[12, 36, 42], output_mode="multi_hot", mask_token=0)
    yield lookup("one_hot", [[12], [42], [5]], vocabulary=[12, 36, 42], output_mode="one_hot")
    yield lookup("count", [[12, 12, 5], [42, 36, 36]], vocabulary=[12, 36, 42], output_mode="count")
    yield lookup("tf_idf", [[12, 12, 5], [42, 36, 36]], vocabulary=[12, 36], idf_weights=[0.5, 3.0], output_mode="tf_idf")
    yield lookup("invert", [[0, 1, 2], [3, 4, -1]], vocabulary=[12, 36, 42], invert=True)


def category_encoding_cases():
    rows = np.array([[0, 1, 1], [3, 3, 2]])
    for mode in ("one_hot", "multi_hot", "count"):
        yield layer_case(f"category_encoding_{mode}", layers.CategoryEncoding(4, output_mode=mode), rows)
        yield layer_case(f"category_encoding_{mode}_column", layers.CategoryEncoding(4, output_mode=mode), rows.reshape(-1, 1))
        yield layer_case(f"category_encoding_{mode}_3d", layers.CategoryEncoding(5, output_mode=mode), np.array([[[0, 4], [1, 1]], [[2, 3], [2, 2]]]))
    yield layer_case("category_encoding_too_large", layers.CategoryEncoding(3, output_mode="count"), rows)
    yield layer_case("category_encoding_floats", layers.CategoryEncoding(4), rows.astype(np.float32))


def discretization_cases():
    numbers = np.array([[-1.5, 0.0, 0.49], [0.5, 2.0, 1e9], [np.inf, -np.inf, 0.1]], np.float32)
    boundaries = [0.0, 0.1, 0.5, 2.0]
    for mode in ("int", "one_hot", "multi_hot", "count"):
        yield layer_case(f"discretization_{mode}", layers.Discretization(boundaries, output_mode=mode), numbers)
    yield layer_case("discretization_column", layers.Discretization(boundaries, output_mode="one_hot"), numbers[:, :1])
    yield layer_case("discretization_integers", layers.Discretization(boundaries), np.array([[0, 1, 2, -3]]))


def made_text(length):
    """Any bytes but zero; the test makes the same."""
    return bytes(1 + (length * 31 + k * 17 + k * k % 251) % 255 for k in range(length))


def hash_cases():
    """The bins of texts of every length from 0 to 300, too many to be written down."""
    texts = np.array([made_text(length) for length in range(301)], dtype=object)
    for name, options in (("plain", {}), ("salted", {"salt": [1234567, 89]})):
        case = Case(f"hash_lengths_{name}", {"salt": options.get("salt")})
        case.add("bins", layers.Hashing(2**31 - 1, **options)(texts).numpy())
        yield case
    case = Case("hash_lengths_crossed")
    case.add("bins", layers.HashedCrossing(2**31 - 1)([texts, texts[::-1].copy()]).numpy())
    yield case


def hashing_cases():
    bins = 2**31 - 1
    cells = np.array(CELLS, dtype=object).reshape(5, 2)
    for mode in ("int", "one_hot", "multi_hot", "count"):
        yield layer_case(f"hashing_{mode}", layers.Hashing(4, output_mode=mode), cells)
        yield layer_case(f"hashing_{mode}_column", layers.Hashing(4, output_mode=mode, salt=7), column(CELLS))
    yield layer_case("hashing_mask", layers.Hashing(5, mask_value=""), cells)
    yield layer_case("hashing_mask_number", layers.Hashing(5, mask_value=3), np.array([[3, 4], [-3, 0]]))
    yield layer_case("hashing_one_bin", layers.Hashing(1, mask_value=""), cells)
    yield layer_case("hashing_integers", layers.Hashing(bins), np.array([[0, -1, 17], [123456, 2**31 - 1, -(2**31)]]))
    yield layer_case("hashing_floats", layers.Hashing(bins), np.array([[0.0, -1.7, 17.9]], np.float32))


def hashed_crossing_cases():
    a, b = np.array(CELLS, dtype=object), np.arange(-3, 7)
    bins = 2**31 - 1
    yield layer_case("hashed_crossing", layers.HashedCrossing(bins), a, b)
    yield layer_case("hashed_crossing_integers", layers.HashedCrossing(bins), b, b[::-1].copy())
    yield layer_case("hashed_crossing_texts", layers.HashedCrossing(bins), column(a), column(a[::-1]))
    yield layer_case("hashed_crossing_three", layers.HashedCrossing(bins), column(a), b.reshape(-1, 1), column(a))
    yield layer_case("hashed_crossing_one_hot", layers.HashedCrossing(6, output_mode="one_hot"), column(a), b.reshape(-1, 1))


def text_vectorization_cases():
    def vectorize(name, data=TEXTS, vocabulary=WORDS, **options):
        layer = layers.TextVectorization(vocabulary=vocabulary, **options)
        return layer_case(f"text_vectorization_{name}", layer, np.array(data, dtype=object))

    yield vectorize("int", output_sequence_length=7)
    yield vectorize("int_column", column(TEXTS), output_sequence_length=3)
    yield vectorize("int_ngrams", vocabulary=[*WORDS, "the cat", "cat the", "on the mat"], ngrams=3, output_sequence_length=12)
    yield vectorize("int_pairs", vocabulary=["the cat", "cat the"], ngrams=(2,), output_sequence_length=4)
    yield vectorize("int_pairs_and_words", vocabulary=["the cat", "cat"], ngrams=(2, 1), output_sequence_length=9)
    for standardize in ("lower", "strip_punctuation", None):
        yield vectorize(f"standardize_{standardize}", standardize=standardize, output_sequence_length=8)
    letters = [*"catdogmé日😀", " ", "\ufffd"]
    broken = [b"a\xff\xfe", b"\xe2\x82x", b"\xed\xa0\x80z", b"\xc0\xaf", b"\xf5\x80", b"\xf4\x90\x80\x80", b"\xf0\x9f\x98", b"\xe0\x80c"]
    yield vectorize("characters", vocabulary=letters, split="character", output_sequence_length=20)
    yield vectorize("broken_characters", broken, vocabulary=letters, split="character", standardize=None, output_sequence_length=6)
    yield vectorize("characters_count", vocabulary=letters, split="character", output_mode="count")
    yield vectorize("no_split", [["the", "Cat!"], ["", "the cat"]], split=None)
    yield vectorize("no_split_length", [["the", "Cat!"], ["", "the cat"]], split=None, output_sequence_length=3)
    yield vectorize("no_split_ngrams", [["the", "Cat!", "dog"], ["", "the", "cat"]], vocabulary=["the", "the cat", "cat"], split=None, ngrams=2, output_mode="count")
    for mode in ("multi_hot", "count"):
        yield vectorize(mode, output_mode=mode)
        yield vectorize(f"{mode}_column", column(TEXTS), output_mode=mode, ngrams=2)
        yield vectorize(f"{mode}_padded", output_mode=mode, max_tokens=14, pad_to_max_tokens=True)
    idf = [0.1 * (i + 1) for i in range(len(WORDS))]
    yield vectorize("tf_idf", output_mode="tf_idf", idf_weights=idf)
    yield vectorize("tf_idf_padded", output_mode="tf_idf", idf_weights=idf, max_tokens=15, pad_to_max_tokens=True)


def adapted_cases():
    plain = lambda layer: {"vocabulary": [int(w) if isinstance(w, (int, np.integer)) else str(w) for w in layer.get_vocabulary()]}
    idf = lambda layer: {**plain(layer), "idf": getattr(layer, "_lookup_layer", layer).idf_weights_const.numpy()}
    cells = np.array(CELLS + CELLS[:3] + ["red"], dtype=object)
    yield adapted_case("adapt_string_lookup", layers.StringLookup(), cells, plain)
    yield adapted_case("adapt_string_lookup_most", layers.StringLookup(max_tokens=4, mask_token=""), column(cells), plain)
    yield adapted_case("adapt_string_lookup_tf_idf", layers.StringLookup(output_mode="tf_idf"), cells.reshape(7, 2), idf)
    yield adapted_case("adapt_integer_lookup", layers.IntegerLookup(num_oov_indices=2), np.array([[3, 5, 3], [-1, 9, 5]]), plain)
    yield adapted_case("adapt_text_vectorization", layers.TextVectorization(), np.array(TEXTS, dtype=object), plain)
    yield adapted_case("adapt_text_vectorization_tf_idf", layers.TextVectorization(output_mode="tf_idf", ngrams=2, max_tokens=20), np.array(TEXTS, dtype=object), idf)
    boundaries = lambda layer: {"boundaries": np.array(layer.bin_boundaries, np.float32)}
    rng = generator("adapt_discretization")
    for name, count, options in (("few", 7, {"num_bins": 3}), ("many", 1000, {"num_bins": 10}), ("coarse", 300, {"num_bins": 4, "epsilon": 0.1})):
        data = rng.standard_normal((count, 1)).astype(np.float32)
        yield adapted_case(f"adapt_discretization_{name}", layers.Discretization(**options), data, boundaries)


def cases():
    yield from string_lookup_cases()
    yield from integer_lookup_cases()
    yield from category_encoding_cases()
    yield from discretization_cases()
    yield from hash_cases()
    yield from hashing_cases()
    yield from hashed_crossing_cases()
    yield from text_vectorization_cases()
    yield from adapted_cases()
