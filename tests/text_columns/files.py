#!/usr/bin/env python3
"""Tables with text, models of real Keras for them, and what Keras predicts.

files.py model.json                     writes the model without adapted state that run.sh trains without Keras
files.py FOLDER                         writes tables and models
files.py --judge MODEL TABLE FOUND      compares predictions (.npy) for a table with those of Keras from the model
"""

import csv
import json
import os
import pathlib
import sys

os.environ.update(KERAS_BACKEND="tensorflow", TF_ENABLE_ONEDNN_OPTS="0", TF_CPP_MIN_LOG_LEVEL="3")

import keras
import numpy as np
import tensorflow as tf
from keras import layers

# Input by input: the dtype, and how its column is read.
COLUMNS = {"sex": ("string", str), "class": ("int64", int), "age": ("float32", float), "note": ("string", str)}


def read(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        name: tf.constant([[kind(row[name])] for row in rows], dtype) for name, (dtype, kind) in COLUMNS.items() if name in rows[0]
    }


def write(path, columns, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([row[name] for name in columns] for row in rows)


def passengers(rng, count):
    """Whether someone survived depends on the sex, and on a word of the note."""
    rows = []
    for _ in range(count):
        sex, rank = rng.choice(["male", "female", "female", "?"]), int(rng.choice([100000001, 100000002, 100000003]))
        note = rng.choice(['found, "in a boat"', "seen on deck", "naïve Café note", "", "lost at sea,\nperhaps"])
        survived = int(sex == "female" or "boat" in note)
        rows.append({"sex": sex, "class": rank, "age": round(float(rng.uniform(1, 80)), 1), "note": note, "survived": survived})
    return rows


def model_of(rows=None):
    """With rows, layers are adapted to them, so that their state is in files of the archive."""
    table = {} if rows is None else {name: np.array([[row[name]] for row in rows]) for name in COLUMNS}
    if rows is None:
        sex = layers.StringLookup(vocabulary=["female", "male"], output_mode="one_hot")
        rank = layers.IntegerLookup(vocabulary=[100000001, 100000002, 100000003], output_mode="one_hot")
        age = layers.Normalization(mean=40.0, variance=400.0, axis=None)
        note = layers.TextVectorization(vocabulary=["boat", "deck", "sea", "café"], output_sequence_length=6)
    else:
        sex, rank = layers.StringLookup(output_mode="one_hot"), layers.IntegerLookup(output_mode="one_hot")
        age, note = layers.Normalization(), layers.TextVectorization(max_tokens=12, output_sequence_length=6)
        for name, layer in (("sex", sex), ("class", rank), ("age", age), ("note", note)):
            layer.adapt(table[name])
    inputs = {name: keras.Input((1,), dtype=dtype, name=name) for name, (dtype, _) in COLUMNS.items()}
    words = layers.GlobalAveragePooling1D()(layers.Embedding(12, 4)(note(inputs["note"])))
    parts = [sex(inputs["sex"]), rank(inputs["class"]), age(inputs["age"]), words]
    y = layers.Dense(1, activation="sigmoid", name="survived")(layers.Concatenate()(parts))
    model = keras.Model(list(inputs.values()), y)
    model.compile(keras.optimizers.Adam(0.05), "binary_crossentropy", metrics=["accuracy"])
    return model


def sentences():
    """Texts alone: the classification that the guides of Keras show."""
    good, bad = ["good", "great", "fine"], ["bad", "poor", "awful"]
    rng = np.random.default_rng(5)
    rows = []
    for i in range(200):
        words = list(rng.choice(["the", "film", "was", "a", "plot"], 6)) + [rng.choice(good if i % 2 else bad)]
        rng.shuffle(words)
        rows.append({"text": " ".join(words).capitalize() + "!", "label": "pos" if i % 2 else "neg"})
    vectorize = layers.TextVectorization(max_tokens=50, output_sequence_length=10)
    vectorize.adapt(np.array([row["text"] for row in rows]))
    model = keras.Sequential(
        [
            keras.Input((1,), dtype="string", name="text"),
            vectorize,
            layers.Embedding(50, 8),
            layers.GlobalAveragePooling1D(),
            layers.Dense(2, activation="softmax"),
        ]
    )
    model.compile(keras.optimizers.Adam(0.05), "sparse_categorical_crossentropy", metrics=["accuracy"])
    return model, rows


def make(folder):
    rows = passengers(np.random.default_rng(3), 240)
    write(folder / "passengers.csv", [*COLUMNS, "survived"], rows)
    write(folder / "other_order.csv", ["survived", "note", "class", "sex", "age"], rows)
    with open(folder / "passengers.jsonl", "w") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    arrays = {name: np.array([[row[name]] for row in rows]) for name in [*COLUMNS, "survived"]}
    np.savez(folder / "passengers.npz", **{name: a.astype(np.float32) if a.dtype.kind == "f" else a for name, a in arrays.items()})
    model_of(rows).save(folder / "passengers.keras")
    model, texts = sentences()
    model.save(folder / "texts.keras")
    write(folder / "texts.csv", ["text", "label"], texts)


def judge(model, table, found):
    model, found = keras.models.load_model(model), np.load(found)
    if "text" in [i.name for i in model.inputs]:
        with open(table, newline="") as file:
            expected = model(tf.constant([[row["text"]] for row in csv.DictReader(file)]))
    else:
        columns = read(table)
        expected = model([columns[i.name] for i in model.inputs])
    error = np.max(np.abs(found - np.asarray(expected)))
    sys.exit(0 if found.shape == expected.shape and error < 1e-5 else f"{found.shape}, Keras {expected.shape}, off by {error}")


if __name__ == "__main__":
    if sys.argv[1] == "--judge":
        judge(*sys.argv[2:])
    path = pathlib.Path(sys.argv[1])
    if path.suffix == ".json":
        path.write_text(json.dumps(json.loads(model_of().to_json()), indent=1, ensure_ascii=False) + "\n")
    else:
        make(path)
