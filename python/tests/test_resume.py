"""A run that is killed goes on, and ends as a run that was not killed."""
import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import plimsoll.tensorflow as tf
from plimsoll import keras

SCRIPT = textwrap.dedent("""
    import sys
    import numpy as np
    from plimsoll import keras

    class Counter(keras.callbacks.Callback):
        # Counts batches, and draws random numbers of its own.
        def __init__(self):
            super().__init__()
            self.batches, self.drawn = 0, []
        def on_train_batch_end(self, batch, logs=None):
            self.batches += 1
            if self.batches % 50 == 0:
                self.drawn.append(float(keras.random.uniform((1,))[0]))

    keras.utils.set_random_seed(3)
    x = np.random.default_rng(0).normal(size=(400, 8))
    y = (x.sum(axis=1) > 0).astype("int64")
    model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(16, activation="relu"),
                              keras.layers.Dropout(0.3), keras.layers.Dense(2, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    counter = Counter()
    stop = keras.callbacks.EarlyStopping("loss", patience=50, restore_best_weights=True)
    folder, result, how = sys.argv[1:]
    saved = keras.callbacks.ModelCheckpoint(folder + "/last.weights.h5", save_weights_only=True, save_freq=11)
    rows = keras.callbacks.CSVLogger(folder + "/../rows.csv")
    callbacks, options = [counter, stop, saved, rows], {}
    if how == "backup":
        callbacks.append(keras.callbacks.BackupAndRestore(folder, save_freq=7, delete_checkpoint=False))
    else:
        options["run"] = folder
    history = model.fit(x, y, epochs=60, batch_size=16, verbose=2, validation_split=0.1,
                        callbacks=callbacks, **options)
    np.savez(result, *model.get_weights(), losses=history.history["val_loss"],
             batches=counter.batches, drawn=counter.drawn)
""")


def run(folder, how, kill_after=None) -> bool:
    """True if the script ended by itself."""
    command = [sys.executable, "-c", SCRIPT, str(folder / "run"), str(folder / "weights.npz"), how]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        assert process.wait(kill_after) == 0
        return True
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return False


@pytest.mark.parametrize("how", ["backup", "run"])
def test_a_killed_script_goes_on_bit_for_bit(tmp_path, how):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    os.makedirs(whole)
    os.makedirs(killed)
    start = time.monotonic()
    assert run(whole, how)
    seconds, kills = time.monotonic() - start, 0
    while not run(killed, how, seconds * (0.4 + kills / 10)):
        kills += 1
    assert kills > 0
    found, expected = np.load(killed / "weights.npz"), np.load(whole / "weights.npz")
    assert found.files == expected.files
    for name in expected.files:
        np.testing.assert_array_equal(found[name], expected[name], err_msg=name)
    for name in ("run/last.weights.h5", "rows.csv"):
        assert (killed / name).read_bytes() == (whole / name).read_bytes()


def small_model():
    keras.utils.set_random_seed(1)
    # Initial weights depend on names, which count the layers of the process.
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, name="dense")], name="small")
    model.compile("sgd", "mse")
    return model


X, Y = np.arange(36, dtype="float32").reshape(12, 3) / 36, np.ones((12, 2), "float32")


def test_more_epochs_go_on_from_the_end(tmp_path):
    whole = small_model()
    whole.fit(X, Y, epochs=5, verbose=0)
    small_model().fit(X, Y, epochs=2, verbose=0, run=tmp_path / "run")
    model = small_model()
    history = model.fit(X, Y, epochs=5, verbose=0, run=tmp_path / "run")
    assert history.epoch == [0, 1, 2, 3, 4]
    for found, expected in zip(model.get_weights(), whole.get_weights()):
        np.testing.assert_array_equal(found, expected)


def test_what_changed_is_named(tmp_path):
    small_model().fit(X, Y, epochs=2, verbose=0, run=tmp_path / "run")
    with pytest.raises(ValueError, match="batch_size was not given and is 4"):
        small_model().fit(X, Y, epochs=3, batch_size=4, verbose=0, run=tmp_path / "run")
    with pytest.raises(ValueError, match="the data: contents of record 0 changed"):
        small_model().fit(X + 1, Y, epochs=3, verbose=0, run=tmp_path / "run")
    small_model().fit(X, Y, epochs=3, batch_size=4, verbose=0, run=tmp_path / "run", allow_changed=True)


def test_backups_go_when_the_run_is_done(tmp_path):
    small_model().fit(X, Y, epochs=2, verbose=0, callbacks=keras.callbacks.BackupAndRestore(tmp_path / "run"))
    assert not (tmp_path / "run" / "checkpoints").exists()
    with pytest.raises(ValueError, match="save_freq must be 'epoch' or a number of batches"):
        keras.callbacks.BackupAndRestore(tmp_path, save_freq="day")


# --- loops in Python --------------------------------------------------------------------------


class Own(keras.Model):
    """Has a step and a second optimizer of its own, and draws random numbers."""

    def __init__(self):
        super().__init__(name="own")
        self.dense, self.dropout = keras.layers.Dense(2, name="dense"), keras.layers.Dropout(0.5, name="dropout")
        self.second = keras.optimizers.Adam(0.01)

    def call(self, inputs, training=False):
        return self.dense(self.dropout(inputs, training=training))

    def train_step(self, data):
        x, y = data
        logs = super().train_step(data)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x, training=True) - y) ** 2)
        self.second.apply_gradients(zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))
        return logs


class Dying(keras.callbacks.Callback):
    def __init__(self, epoch=None):
        super().__init__()
        self.dies_in, self.epochs = lambda: epoch, 0  # code is no state

    def on_epoch_begin(self, epoch, logs=None):
        if epoch == self.dies_in():
            raise KeyboardInterrupt
        self.epochs += 1


def fit_in_loop(folder, data, dies_in=None):
    keras.utils.set_random_seed(1)
    model = Own()
    model.compile(keras.optimizers.Adam(0.1), "mse")
    dying = Dying(dies_in)
    stopping = keras.callbacks.EarlyStopping("loss", patience=99, restore_best_weights=True)
    backup = keras.callbacks.BackupAndRestore(folder)
    try:
        history = model.fit(*data(), epochs=6, verbose=0, callbacks=[dying, stopping, backup])
    except KeyboardInterrupt:
        return None
    return model.get_weights(), history.history, history.epoch, dying.epochs


def arrays():
    return X, Y


def pipeline():
    return (tf.data.Dataset.from_tensor_slices((X, Y)).batch(4),)


@pytest.mark.parametrize("data", [arrays, pipeline])
def test_a_loop_in_python_goes_on_bit_for_bit(tmp_path, data):
    whole = fit_in_loop(tmp_path / "whole", data)
    for epoch in (2, 2, 5):  # 2 again: nothing was done since
        assert fit_in_loop(tmp_path / "killed", data, dies_in=epoch) is None
    assert (tmp_path / "killed" / "checkpoints").exists()
    weights, history, epochs, begun = fit_in_loop(tmp_path / "killed", data)
    for found, expected in zip(weights, whole[0]):
        np.testing.assert_array_equal(found, expected)
    assert (history, epochs, begun) == whole[1:] and epochs == list(range(6))
    assert not (tmp_path / "killed" / "checkpoints").exists()


def test_a_loop_in_python_has_no_folder_and_no_checkpoints_within_an_epoch(tmp_path):
    model = Own()
    model.compile("sgd", "mse")
    with pytest.raises(ValueError, match="give keras.callbacks.BackupAndRestore"):
        model.fit(X, Y, verbose=0, run=tmp_path / "run")
    with pytest.raises(ValueError, match="leave save_freq out"):
        model.fit(X, Y, verbose=0, callbacks=keras.callbacks.BackupAndRestore(tmp_path / "run", save_freq=3))
