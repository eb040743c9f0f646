"""plimsoll.reduce: the smallest case of a training that fails."""
import json
import pathlib

import numpy as np
import pytest

import plimsoll
from plimsoll import keras

X = np.random.default_rng(0).normal(size=(300, 4)).astype("float32")
Y = X.sum(axis=1, keepdims=True)


def model(activation="relu", rate=0.01):
    found = keras.Sequential([keras.Input((4,)), keras.layers.Dense(16, activation="relu"),
                              keras.layers.Dense(8, activation=activation), keras.layers.Dense(1)])
    found.compile(keras.optimizers.SGD(rate), "mse")
    return found


def test_the_infinite_record_is_what_is_left(tmp_path):
    x = X.copy()
    x[123, 2] = np.inf
    case = plimsoll.reduce(model(), x, Y, out=tmp_path / "case")
    assert (case.kind, case.cause, case.records) == ("bad_record", "not_finite", ["record 123"])
    assert case.size["layers"] == 1 and case.original_size["records"] == 300
    kept = np.load(tmp_path / "case" / "data.npz")
    assert kept["x"].shape == (1, 4) and np.isinf(kept["x"][0, 2])
    keras.saving.load_model(tmp_path / "case" / "model.keras")


def test_an_overflow_keeps_its_operation(tmp_path):
    x = X.copy()
    x[7] = 1e6
    trained = model("exponential", 1e-5)
    before = trained.get_weights()
    case = plimsoll.reduce(trained, x, Y, out=tmp_path / "case", seed=3)
    assert (case.kind, case.cause, case.records) == ("not_finite", "exp", ["record 7"])
    assert case.size["layers"] <= 2
    assert all(np.array_equal(a, b) for a, b in zip(before, trained.get_weights()))
    said = json.loads((pathlib.Path(case.folder) / "case.json").read_text())
    assert said["commands"][0][:3] == ["train", "model.keras", "data.npz"]


def test_what_is_sound_is_refused(tmp_path):
    with pytest.raises(ValueError, match="nothing fails here"):
        plimsoll.reduce(model("tanh", 0.1), X, Y, epochs=40, out=tmp_path / "case")
    assert not (tmp_path / "case").exists()


def test_code_of_the_program_is_refused(tmp_path):
    class Own(keras.layers.Layer):
        def call(self, x):
            return x

    found = keras.Sequential([keras.Input((4,)), Own(), keras.layers.Dense(1)])
    found.compile("sgd", "mse")
    with pytest.raises(ValueError, match="code of the program"):
        plimsoll.reduce(found, X, Y, out=tmp_path / "case")
