"""Models that take tables and texts as they are: their first layers make numbers of them."""

import keras
import numpy as np
from keras import layers

from case import SAMPLES, binary, labels, normal, one_hot, parity_case, uniform

COLOURS = ["red", "green", "blue", "grün", "light blue"]
STRANGE = ["", "violet", "Red", "a name that no vocabulary has", "日本語"]
WORDS = """the a cat dog mouse sat ran on under mat table good bad very not it's Café naïve film plot actor 日本 😀 end.
    (perhaps) TOO""".split()
# The vocabulary that adapt() finds is a file of the archive, which .h5 and JSON do not have.
ADAPTED = "Keras keeps the vocabulary of an adapted layer in .keras alone"


def cells(rng, *shape, strange=0.2):
    words = rng.choice(COLOURS, (SAMPLES, *shape))
    odd = rng.random((SAMPLES, *shape)) < strange
    return np.where(odd, rng.choice(STRANGE, (SAMPLES, *shape)), words).astype(np.str_)


def sentences(rng, *shape, most=14):
    made = [" ".join(rng.choice(WORDS, rng.integers(1, most))) for _ in range(SAMPLES)]
    return np.array(made).reshape(SAMPLES, *shape)


def text_input(name, *shape):
    return keras.Input(shape, dtype="string", name=name)


def head(parts, units=1, activation="sigmoid"):
    joined = layers.Concatenate()(parts) if len(parts) > 1 else parts[0]
    return layers.Dense(units, activation=activation)(layers.Dense(8, activation="relu")(joined))


@parity_case("binary_crossentropy", "adam", metrics=["accuracy"], no_legacy=ADAPTED, no_config=ADAPTED)
def table_adapted(rng):
    """One input per column, and every layer adapted to it: the usual way."""
    colour, number, age = cells(rng, 1), labels(rng, 6, 1).astype(np.int64) * 100, normal(rng, 1, scale=12) + 40
    parts, inputs = [], []
    for name, layer, data, dtype in (
        ("colour", layers.StringLookup(output_mode="one_hot"), colour, "string"),
        ("number", layers.IntegerLookup(output_mode="one_hot", max_tokens=5), number, "int64"),
        ("age", layers.Normalization(), age, "float32"),
        ("bin", layers.Discretization(num_bins=4, output_mode="one_hot"), age, "float32"),
    ):
        layer.adapt(data[: SAMPLES // 2])
        inputs.append(keras.Input((1,), dtype=dtype, name=name))
        parts.append(layer(inputs[-1]))
    return keras.Model(inputs, head(parts)), [colour, number, age, age], [binary(rng, 1)]


@parity_case("mse", "sgd")
def table_multi_hot(rng):
    x = text_input("colours", 3)
    parts = [
        layers.StringLookup(vocabulary=COLOURS, output_mode="multi_hot")(x),
        layers.StringLookup(vocabulary=COLOURS, output_mode="count", mask_token="")(x),
        layers.StringLookup(vocabulary=COLOURS, output_mode="multi_hot", max_tokens=9, pad_to_max_tokens=True, num_oov_indices=3)(x),
    ]
    return keras.Model(x, head(parts, 2, None)), [cells(rng, 3)], [normal(rng, 2)]


@parity_case("sparse_categorical_crossentropy", "rmsprop", metrics=["accuracy"])
def table_embedding(rng):
    x, n = text_input("colour", 1), keras.Input((2,), name="numbers")
    indices = layers.StringLookup(vocabulary=COLOURS, num_oov_indices=2, mask_token="")(x)
    embedded = layers.Flatten()(layers.Embedding(len(COLOURS) + 3, 4)(indices))
    return keras.Model([x, n], head([embedded, n], 3, "softmax")), [cells(rng, 1), normal(rng, 2)], [labels(rng, 3)]


@parity_case("mse", "sgd")
def table_integers(rng):
    x = keras.Input((2,), dtype="int64", name="ids")
    parts = [
        layers.IntegerLookup(vocabulary=[3, 5, 7, 1000], output_mode="multi_hot", num_oov_indices=3)(x),
        layers.IntegerLookup(vocabulary=[3, 5], output_mode="count", mask_token=0, oov_method="farmhash", num_oov_indices=2)(x),
        layers.Flatten()(layers.Embedding(6, 3)(layers.IntegerLookup(vocabulary=[3, 5, 7, 9])(x))),
    ]
    return keras.Model(x, head(parts, 1, None)), [labels(rng, 10, 2).astype(np.int64)], [normal(rng, 1)]


@parity_case("mse", "adam")
def table_idf(rng):
    x = text_input("colours", 4)
    idf = layers.StringLookup(vocabulary=COLOURS, idf_weights=[0.5, 1.5, 2.0, 0.1, 3.0], output_mode="tf_idf")(x)
    return keras.Model(x, head([idf], 1, None)), [cells(rng, 4)], [normal(rng, 1)]


@parity_case("binary_crossentropy", "sgd")
def table_hashing(rng):
    x, n = text_input("colour", 1), keras.Input((1,), dtype="int64", name="number")
    parts = [
        layers.Hashing(7, output_mode="one_hot")(x),
        layers.Hashing(9, output_mode="one_hot", salt=[11, 13])(n),
        layers.Flatten()(layers.Embedding(8, 3)(layers.Hashing(8, mask_value="", salt=5)(x))),
    ]
    return keras.Model([x, n], head(parts)), [cells(rng, 1), labels(rng, 40, 1).astype(np.int64)], [binary(rng, 1)]


@parity_case("binary_crossentropy", "sgd")
def table_crossing(rng):
    a, b, n = text_input("a", 1), text_input("b", 1), keras.Input((1,), dtype="int64", name="n")
    parts = [
        layers.HashedCrossing(10, output_mode="one_hot")([a, b]),
        layers.HashedCrossing(12, output_mode="one_hot")([a, n]),
        layers.Flatten()(layers.Embedding(6, 2)(layers.HashedCrossing(6)([n, b]))),
    ]
    return keras.Model([a, b, n], head(parts)), [cells(rng, 1), cells(rng, 1), labels(rng, 5, 1).astype(np.int64)], [binary(rng, 1)]


@parity_case("mse", "sgd")
def table_bins(rng):
    x, c = keras.Input((3,), name="x"), keras.Input((2,), dtype="int32", name="c")
    parts = [
        layers.Discretization([-1.0, 0.0, 0.5, 2.0], output_mode="multi_hot")(x),
        layers.Flatten()(layers.Embedding(5, 2)(layers.Discretization([-1.0, 0.0, 0.5, 2.0])(x))),
        layers.CategoryEncoding(6, output_mode="count")(c),
        layers.CategoryEncoding(6, output_mode="multi_hot")(c),
        layers.Normalization(mean=[1.0, 2.0, 0.5], variance=[4.0, 1.0, 0.25])(x),
        layers.Normalization(axis=None, mean=0.5, variance=2.0, invert=True)(x),
    ]
    return keras.Model([x, c], head(parts, 1, None)), [normal(rng, 3), labels(rng, 6, 2)], [normal(rng, 1)]


@parity_case("binary_crossentropy", "adam", metrics=["accuracy"])
def text_bag(rng):
    x = text_input("text")
    y = layers.TextVectorization(vocabulary=[w.lower() for w in WORDS[:18]], output_mode="multi_hot")(x)
    return keras.Model(x, head([y])), [sentences(rng)], [binary(rng, 1)]


@parity_case("categorical_crossentropy", "sgd")
def text_pairs(rng):
    x = text_input("text")
    words = ["the", "cat", "the cat", "cat the", "very good", "not", "café"]
    y = layers.TextVectorization(vocabulary=words, output_mode="count", ngrams=2, max_tokens=12, pad_to_max_tokens=True)(x)
    return keras.Model(x, head([y], 3, "softmax")), [sentences(rng)], [one_hot(rng, 3)]


@parity_case("mse", "sgd", no_legacy=ADAPTED, no_config=ADAPTED)
def text_idf_adapted(rng):
    x, data = text_input("text"), sentences(rng)
    vectorize = layers.TextVectorization(output_mode="tf_idf", ngrams=(1, 2), max_tokens=30)
    vectorize.adapt(data)
    return keras.Model(x, head([vectorize(x)], 1, None)), [data], [normal(rng, 1)]


@parity_case("binary_crossentropy", "adam", metrics=["accuracy"], no_legacy=ADAPTED, no_config=ADAPTED)
def text_embedding_adapted(rng):
    """What the guides of Keras show for the classification of texts."""
    data = sentences(rng, 1)
    vectorize = layers.TextVectorization(max_tokens=20, output_sequence_length=10)
    vectorize.adapt(data)
    model = keras.Sequential(
        [
            text_input("text", 1),
            vectorize,
            layers.Embedding(20, 6, mask_zero=True),
            layers.GlobalAveragePooling1D(),
            layers.Dense(1, activation="sigmoid"),
        ]
    )
    return model, [data], [binary(rng, 1)]


@parity_case("mse", "sgd")
def text_characters(rng):
    x = text_input("text", 1)
    y = layers.TextVectorization(vocabulary=list("abcdeghilmnorstuvé "), split="character", standardize="lower", output_sequence_length=16)(x)
    y = layers.LSTM(5)(layers.Embedding(21, 4, mask_zero=True)(y))
    return keras.Model(x, layers.Dense(1)(y)), [sentences(rng, 1)], [normal(rng, 1)]


@parity_case("sparse_categorical_crossentropy", "sgd")
def text_windows(rng):
    x = text_input("text", 1)
    y = layers.TextVectorization(vocabulary=WORDS, standardize="strip_punctuation", output_sequence_length=9)(x)
    y = layers.Conv1D(6, 3, activation="relu")(layers.Embedding(len(WORDS) + 2, 5)(y))
    return keras.Model(x, layers.Dense(4, activation="softmax")(layers.GlobalMaxPooling1D()(y))), [sentences(rng, 1)], [labels(rng, 4)]


@parity_case("mse", "sgd")
def text_words(rng):
    """Words that are split already, and a table beside them."""
    words, n = text_input("words", 4), keras.Input((2,), name="n")
    y = layers.TextVectorization(vocabulary=COLOURS, split=None, standardize=None, ngrams=2, output_mode="count")(words)
    z = layers.Flatten()(layers.Embedding(8, 3)(layers.TextVectorization(vocabulary=COLOURS, split=None, output_sequence_length=5)(words)))
    return keras.Model({"words": words, "n": n}, head([y, z, n], 1, None)), [cells(rng, 4), uniform(rng, 2)], [normal(rng, 1)]
