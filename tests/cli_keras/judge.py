"""Compares what plimsoll wrote with what Keras makes.

judge.py predictions FILE EXPECTED   the arrays of two .npy or .npz files, in their order, to 1e-4 of the largest
judge.py goes-on MODEL DATA          Keras loads the model, with the state of its optimizer, and trains it further
judge.py loads FILE                  NumPy loads every array of a .npz file
judge.py case FOLDER                 Keras loads the model of a reduced case and trains it to a loss that is not finite
judge.py windows FILE CSV W H S      the arrays are the windows that Keras makes of the table; its first column is the target
"""

import os
import sys

os.environ.update(KERAS_BACKEND="tensorflow", TF_ENABLE_ONEDNN_OPTS="0", TF_CPP_MIN_LOG_LEVEL="3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np


def arrays_of(path):
    loaded = np.load(path)
    return {"": loaded} if isinstance(loaded, np.ndarray) else {name: loaded[name] for name in loaded.files}


def predictions(path, expected_path):
    found, expected = arrays_of(path), arrays_of(expected_path)
    if len(found) > 1:
        assert found.keys() == expected.keys(), f"{path} has {list(found)}, expected {list(expected)}"
    for a, b in zip([found[k] for k in sorted(found)], [expected[k] for k in sorted(expected)]):
        assert a.shape == b.shape and a.dtype == b.dtype, f"{path} has {a.dtype}{a.shape}, Keras {b.dtype}{b.shape}"
        error = np.max(np.abs(a - b)) / np.max(np.abs(b))
        assert error < 1e-4, f"{path} differs by {error:.2g} of the largest value"


def goes_on(path, data_path):
    import keras

    model = keras.saving.load_model(path)
    steps = int(model.optimizer.iterations.numpy())
    assert steps > 0, f"{path}: the optimizer has done {steps} steps"
    data = np.load(data_path)
    before = model.evaluate(data["x"], data["y"], verbose=0, return_dict=True)
    after = model.fit(data["x"], data["y"], epochs=2, verbose=0).history
    assert after["loss"][-1] < before["loss"] * 1.05, f"{path}: the loss went from {before} to {after}"


def loads(path):
    with np.load(path) as file:
        for name in file.files:
            file[name]


def case(folder):
    import keras
    import runpy

    model = keras.saving.load_model(os.path.join(folder, "model.keras"))
    assert len(model.layers) <= 3, model.summary()
    losses = runpy.run_path(os.path.join(folder, "run_keras.py"))["history"].history["loss"]
    assert not np.isfinite(losses[-1]), f"{folder}: Keras's losses are {losses}"


def windows(path, table, *numbers):
    import keras

    window, horizon, stride = map(int, numbers)
    rows = np.loadtxt(table, delimiter=",", skiprows=1, dtype="f4")
    batches = keras.utils.timeseries_dataset_from_array(
        rows, rows[window - 1 + horizon :, 0], window, sequence_stride=stride, batch_size=len(rows)
    )
    x, y = next(iter(batches))
    found = np.load(path)
    assert np.array_equal(found["x"], x) and np.array_equal(found["y"], y), f"{path} has other windows than Keras"


{"predictions": predictions, "goes-on": goes_on, "loads": loads, "case": case, "windows": windows}[sys.argv[1]](*sys.argv[2:])
