"""Callbacks take Keras's words, keep what they must, and write where Python writes."""
import copy
import inspect
import io
import json
import os
import sys

import numpy as np
import pytest

import freeze_signatures
from plimsoll import _core, keras
from plimsoll.keras.callbacks.state import state_of

X, Y = np.arange(36, dtype="float32").reshape(12, 3) / 36, np.ones((12, 2), "float32")
FROZEN = json.loads(freeze_signatures.TABLE.read_text())["callbacks"]
# Refused as a whole, with a sentence, and not here.
ABSENT = {"RemoteMonitor", "SwapEMAWeights", "OrbaxCheckpoint"}


def small_model(optimizer="sgd"):
    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, name="dense")], name="small")
    model.compile(optimizer, "mse")
    return model


# --- words ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(set(FROZEN) - ABSENT))
def test_callbacks_have_the_arguments_of_keras(name):
    found = list(inspect.signature(getattr(keras.callbacks, name)).parameters.values())
    own = [[p.name, int(p.kind), *([] if p.default is p.empty else [p.default])] for p in found]
    frozen = FROZEN[name]
    assert own[:len(frozen)] == frozen
    # Words of Keras 2 are by name only.
    assert all(p.kind == p.KEYWORD_ONLY for p in found[len(frozen):])


@pytest.mark.parametrize("name, given", [
    ("ModelCheckpoint", ("a.keras",)), ("ReduceLROnPlateau", ()), ("EarlyStopping", ()), ("CSVLogger", ("a.csv",))])
def test_unknown_words_are_refused(name, given):
    with pytest.raises(TypeError, match="unexpected keyword argument 'patients'"):
        getattr(keras.callbacks, name)(*given, patients=3)


def test_checkpoints_are_saved_every_period(tmp_path):
    saved = keras.callbacks.ModelCheckpoint(tmp_path / "{epoch}.keras", period=3)
    small_model().fit(X, Y, epochs=7, verbose=0, callbacks=saved)
    assert sorted(os.listdir(tmp_path)) == ["3.keras", "6.keras"]


def test_keras_2_calls_min_delta_epsilon():
    rates = keras.callbacks.ReduceLROnPlateau("loss", patience=1, epsilon=1e9)
    history = small_model().fit(X, Y, epochs=4, verbose=0, callbacks=rates)
    assert history.history["learning_rate"][-1] < 0.01


def test_a_list_of_callbacks_of_ones_own_has_a_history():
    model, seen = small_model(), []
    listed = keras.callbacks.CallbackList(
        [keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: seen.append((epoch, logs["loss"])))],
        add_history=True, model=model, epochs=1, steps=3)
    late = keras.callbacks.LambdaCallback(on_train_end=lambda logs: seen.append("end"))
    listed.append(late)
    listed.on_epoch_end(0, {"loss": 2.0})
    listed.on_train_end()
    assert seen == [(0, 2.0), "end"]
    assert model.history.history == {"loss": [2.0]} and late.params == {"epochs": 1, "steps": 3}


def test_words_of_files_are_refused_or_done(tmp_path):
    model = small_model("adam")
    model.fit(X, Y, verbose=0)
    weights, whole = tmp_path / "a.weights.h5", tmp_path / "a.keras"
    for call in (lambda **words: model.save(whole, **words), lambda **words: model.save_weights(weights, **words),
                 lambda **words: model.load_weights(weights, **words)):
        with pytest.raises(ValueError, match="the following arguments are not known: by_nam"):
            call(by_nam=True)
    model.save_weights(weights, save_format="h5")
    model.load_weights(weights, by_name=False)
    with pytest.raises(NotImplementedError, match="by_name is not known"):
        model.load_weights(weights, by_name=True)
    with pytest.raises(FileExistsError, match="pass overwrite=True"):
        model.save_weights(weights, overwrite=False)
    with pytest.raises(ValueError, match="save_format='tf'"):
        model.save(tmp_path / "folder", save_format="tf")
    model.save(whole, include_optimizer=False)
    again = keras.models.load_model(whole)
    assert not again.compiled
    np.testing.assert_array_equal(again.get_weights()[0], model.get_weights()[0])


# --- the best weights -------------------------------------------------------------------------


class Falling(keras.callbacks.Callback):
    """Says that the second epoch was the best, and keeps its kernel."""

    def on_epoch_end(self, epoch, logs=None):
        logs["wanted"] = abs(epoch - 1.0)
        if epoch == 1:
            self.kernel = self.model.get_weights()[0]


@pytest.mark.parametrize("eagerly", [False, True])
def test_the_best_weights_come_back(eagerly):
    model, falling = small_model(), Falling()
    model.compile("sgd", "mse", run_eagerly=eagerly)
    seen = []

    class Stopping(keras.callbacks.EarlyStopping):
        def on_epoch_end(self, epoch, logs=None):
            super().on_epoch_end(epoch, logs)
            seen.append(self.best_weights[0])

    stopping = Stopping("wanted", patience=2, mode="min", restore_best_weights=True)
    # One that comes after it sees the weights that it brought back.
    after = keras.callbacks.LambdaCallback(on_train_end=lambda logs: seen.append(model.get_weights()[0]))
    history = model.fit(X, Y, epochs=9, verbose=0, callbacks=[falling, stopping, after])
    assert history.epoch == [0, 1, 2, 3] and (stopping.stopped_epoch, stopping.best_epoch) == (3, 1)
    assert not np.array_equal(seen[0], falling.kernel)
    for kernel in (*seen[1:], model.get_weights()[0]):
        np.testing.assert_array_equal(kernel, falling.kernel)
    assert stopping.best_weights is None


def test_the_plan_counts_the_best_weights_and_checkpoints_hold_them_as_bytes(tmp_path):
    model = keras.Sequential([keras.Input((256,)), keras.layers.Dense(1024)])
    model.compile("sgd", "mse")
    x, y = np.zeros((32, 256), "float32"), np.ones((32, 1024), "float32")
    without = model.fit(x, y, verbose=0).plan.callback_bytes
    stopping = keras.callbacks.EarlyStopping("loss", restore_best_weights=True)
    sizes = []
    looking = keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: sizes.append(len(state_of([stopping]))))
    kept = model.fit(x, y, verbose=0, callbacks=[stopping, looking], run=tmp_path / "run").plan.callback_bytes
    weights = 4 * (256 * 1024 + 1024)
    assert kept - without >= weights
    assert max(sizes) < 1000


def test_copies_of_the_callback_train_on_their_own():
    stopping = copy.deepcopy(keras.callbacks.EarlyStopping("loss", patience=7, restore_best_weights=True))
    small_model().fit(X, Y, epochs=2, verbose=0, callbacks=stopping)
    assert stopping.patience == 7 and stopping.best_epoch == 1


# --- findings ---------------------------------------------------------------------------------


def test_findings_are_written_to_sys_stderr(monkeypatch, capfd):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    _core.report_finding("here", "something is odd", "do something")
    assert sys.stderr.getvalue() == "plimsoll: warning: here: something is odd (do something)\n"
    monkeypatch.setattr(sys, "stderr", None)
    _core.report_finding("here", "nobody reads this", "")
    assert capfd.readouterr().err == ""


class _Cell(io.StringIO):
    """The standard output of a cell of a notebook."""
    encoding = "utf-8"


_Cell.__module__ = "ipykernel.iostream"


@pytest.mark.parametrize("eagerly", [False, True])
def test_a_finding_leaves_the_line_that_moves_whole(monkeypatch, eagerly):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    cell = _Cell()
    monkeypatch.setattr(sys, "stdout", cell)
    monkeypatch.setattr(sys, "stderr", cell)
    model = small_model()
    model.compile("sgd", "mse", run_eagerly=eagerly)

    class Telling(keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            _core.report_finding("here", "something is odd", "")

    times = 40 if eagerly else 400  # long enough for the line to be drawn
    model.fit(np.tile(X, (times, 1)), np.tile(Y, (times, 1)), epochs=2, batch_size=1, callbacks=[Telling()])
    text = cell.getvalue()
    lines = [line.rpartition("\r")[2] for line in text.split("\n")]
    assert lines.count("plimsoll: warning: here: something is odd") == 2
    rows = [line.split()[0] for line in lines if line and not line.startswith("plimsoll")]
    assert rows == ["epoch", "1/2", "2/2"]


@pytest.mark.parametrize("eagerly", [False, True])
def test_a_run_that_fails_ends_its_line_before_anybody_writes(monkeypatch, eagerly):
    monkeypatch.delenv("NO_COLOR", raising=False)
    cell = _Cell()
    monkeypatch.setattr(sys, "stdout", cell)
    model = small_model()
    model.compile("sgd", "mse", run_eagerly=eagerly)

    class Failing(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            if "\r" in cell.getvalue():
                raise KeyError("mine")

    times = 100 if eagerly else 20_000
    try:
        model.fit(np.tile(X, (times, 1)), np.tile(Y, (times, 1)), batch_size=1, callbacks=[Failing()])
    except KeyError:
        print("it failed")
    assert cell.getvalue().endswith("\nit failed\n")
