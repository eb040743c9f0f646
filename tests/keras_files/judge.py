"""judge.py EXPECTED FOUND: real Keras reads each FOUND/NAME.EXTENSION/model.*; EXPECTED/NAME.txt has its predictions."""

import os
import pathlib
import sys
import warnings

os.environ.update(KERAS_BACKEND="tensorflow", TF_ENABLE_ONEDNN_OPTS="0", TF_CPP_MIN_LOG_LEVEL="3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import absl.logging
import keras
import numpy as np

absl.logging.set_verbosity("error")  # that .h5 is old
warnings.simplefilter("error")  # that something of a file was not read


def numbers(path):
    """Each line is a matrix: its shape, then its values."""
    rows = [line.split() for line in path.read_text().splitlines()]
    return [np.array(row[2:], "float32").reshape(int(row[0]), int(row[1])) for row in rows]


def as_list(value):
    return value if isinstance(value, list) else [value]


def check(model, arrays, what):
    count = len(model.inputs)
    inputs, expected = arrays[:count], arrays[count:]
    found = as_list(model.predict(inputs if count > 1 else inputs[0], verbose=0))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5, err_msg=what)


def check_training(model, arrays, what):
    """The state of the optimizer came with the file, and a step changes both."""
    assert int(model.optimizer.iterations) == 2, f"{what}: {int(model.optimizer.iterations)} steps, expected 2"
    slots = [v.numpy() for v in model.optimizer.variables if v.shape]
    assert slots and all(slot.any() for slot in slots), f"{what}: the optimizer's state is empty"
    count = len(model.inputs)
    inputs, targets = arrays[:count], [array + 1 for array in arrays[count:]]
    losses = [model.train_on_batch(inputs if count > 1 else inputs[0], targets if len(targets) > 1 else targets[0]) for _ in range(2)]
    assert np.isfinite(losses).all() and int(model.optimizer.iterations) == 4, what


expected, found = map(pathlib.Path, sys.argv[1:])
folders = sorted(found.iterdir())
for folder in (f for f in folders if f.is_dir()):
    arrays = numbers(expected / f"{folder.stem}.txt")
    model = keras.models.load_model(folder / "model.keras")
    check(model, arrays, f"{folder.name} as .keras")
    check_training(model, arrays, f"{folder.name} as .keras")
    check(keras.models.load_model(folder / "model.h5", compile=False), arrays, f"{folder.name} as .h5")
    model = keras.models.model_from_json((folder / "model.json").read_text())
    model.load_weights(folder / "model.weights.h5")
    check(model, arrays, f"{folder.name} as .json and .weights.h5")
print(f"{len([f for f in folders if f.is_dir()])} files, as Keras reads them")
