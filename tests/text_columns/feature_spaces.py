#!/usr/bin/env python3
"""FeatureSpaces of real Keras, a table for them, and what Keras makes of it.

feature_spaces.py FOLDER                    writes rows.csv and a file for each FeatureSpace or model that holds one
feature_spaces.py --judge TABLE FILE FOUND… compares predictions (.npy or .npz) with those of Keras from each file
"""

import csv
import os
import pathlib
import sys

os.environ.update(KERAS_BACKEND="tensorflow", TF_ENABLE_ONEDNN_OPTS="0", TF_CPP_MIN_LOG_LEVEL="3")

import keras
import numpy as np
import tensorflow as tf
from keras.utils import FeatureSpace

# Column by column: the dtype that its feature has.
COLUMNS = {
    "zone": "string", "age": "float32", "fare": "float32", "weight": "float32", "height": "float32", "raw": "float32",
    "rank": "int32", "port": "string", "ticket": "int32", "name": "string", "note": "string",
}  # fmt: skip


def table(rng, count):
    words = ["lost at sea", "in a boat", "the boat, the sea", "on deck"]
    numbers = {name: np.round(rng.normal(30, 9, count), 2) for name in ("age", "fare", "weight", "height", "raw")}
    return numbers | {
        "zone": rng.choice(["n", "s"], count), "rank": rng.integers(1, 5, count), "port": rng.choice(["S", "C", "Q", "-"], count),
        "ticket": rng.integers(0, 9999, count), "name": rng.choice(["Ann", "Bob", "Zoë"], count), "note": rng.choice(words, count),
    }  # fmt: skip


def tensors(rows, names):
    return {name: tf.constant(rows[name].tolist(), COLUMNS[name]) for name in names}


def every_feature():
    """One of each kind, two of some, with settings of their own."""
    return {
        "zone": "string_categorical",
        "weight": "float_normalized",
        "raw": "float",
        "age": FeatureSpace.float_normalized(),
        "fare": FeatureSpace.float_rescaled(scale=0.1, offset=-1.0),
        "height": FeatureSpace.float_discretized(num_bins=4),
        "rank": FeatureSpace.integer_categorical(num_oov_indices=2),
        "port": FeatureSpace.string_categorical(max_tokens=3),
        "ticket": FeatureSpace.integer_hashed(num_bins=8),
        "name": "string_hashed",
    }


def spaces():
    crosses = [("rank", "port"), FeatureSpace.cross(("port", "name"), crossing_dim=7), ("zone", "height")]
    yield "concat", FeatureSpace(every_feature(), crosses=crosses, crossing_dim=6, hashing_dim=5)
    yield "dict", FeatureSpace(every_feature(), crosses=crosses, crossing_dim=6, output_mode="dict")
    yield "numbers", FeatureSpace(
        {
            "port": FeatureSpace.string_categorical(output_mode="int"),
            "age": "float",
            "rank": FeatureSpace.integer_categorical(output_mode="int"),
            "ticket": FeatureSpace.integer_hashed(num_bins=8, output_mode="int"),
            "height": FeatureSpace.float_discretized(num_bins=3, output_mode="int"),
        },
        crosses=[FeatureSpace.cross(("port", "rank"), crossing_dim=9, output_mode="int")],
        output_mode="dict",
    )
    yield "one", FeatureSpace({"raw": "float"})


def make(folder):
    rows = table(np.random.default_rng(7), 120)
    for name, space in spaces():
        space.adapt(tf.data.Dataset.from_tensor_slices({key: value[:80] for key, value in tensors(rows, space.features).items()}))
        space.save(folder / f"{name}.keras")
        if name == "concat":
            y = keras.layers.Dense(1, activation="sigmoid", name="saved")(space.get_encoded_features())
            model = keras.Model(space.get_inputs(), y)
            model.compile(keras.optimizers.Adam(0.05), "binary_crossentropy", metrics=["accuracy"])
            model.save(folder / "model.keras")
    rows["saved"] = (rows["port"] == "C") | (rows["rank"] == 2)
    with open(folder / "rows.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*COLUMNS, "saved"])
        writer.writerows([int(rows[n][i]) if n == "saved" else rows[n][i] for n in [*COLUMNS, "saved"]] for i in range(120))


def read(path, names):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    kinds = {"string": str, "int32": int, "float32": float}
    return {name: tf.constant([[kinds[COLUMNS[name]](row[name])] for row in rows], COLUMNS[name]) for name in names}


def judge(path, file, found):
    model, found = keras.models.load_model(file), np.load(found)
    expected = model(read(path, model.features if isinstance(model, FeatureSpace) else [i.name for i in model.inputs]))
    if not isinstance(expected, dict):
        expected, found = {"": expected}, {"": found}
    if sorted(expected) != sorted(found):
        sys.exit(f"{file}: found {sorted(found)}, Keras gives {sorted(expected)}")
    for name, value in expected.items():
        value = np.asarray(value)
        # What is not computed is the same number; Keras and we add products in another order.
        same = np.allclose(found[name], value, rtol=1e-6, atol=2e-6) and (value.dtype.kind == "f" or (found[name] == value).all())
        if found[name].shape != value.shape or found[name].dtype.kind != value.dtype.kind or not same:
            sys.exit(f"{file}, {name}: {found[name].dtype} {found[name].shape}, Keras {value.dtype} {value.shape}")


if __name__ == "__main__":
    if sys.argv[1] == "--judge":
        for file, found in zip(sys.argv[3::2], sys.argv[4::2], strict=True):
            judge(sys.argv[2], file, found)
    else:
        make(pathlib.Path(sys.argv[1]))
