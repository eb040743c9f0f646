"""fit(run=…) leaves a run as `plimsoll train` does."""
import json
import os
import signal

import numpy as np
import pytest

import plimsoll
from plimsoll import keras

X, Y = np.arange(96, dtype="float32").reshape(32, 3) / 96, np.ones((32, 2), "float32")
FILES = ("run.json", "log.jsonl", "plan.json", "model.keras")


def small_model():
    keras.utils.set_random_seed(1)
    # Initial weights depend on names, which count the layers of the process.
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, name="dense")], name="small")
    model.compile("sgd", "mse")
    return model


def result_of(run):
    return json.loads((run / "run.json").read_text())["result"]


def events_of(run):
    """The log without what is measured."""
    measured = {"time", "seconds", "resident_bytes", "step_seconds", "slowest_step_seconds", "core_wait_seconds",
                "peak_bytes", "measured_step_seconds", "predicted_step_seconds", "measured_peak_bytes",
                "data_wait_share"}
    lines = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    return [{key: value for key, value in line.items() if key not in measured} for line in lines]


def test_a_run_has_the_files_of_the_command(tmp_path):
    model = small_model()
    history = model.fit(X, Y, batch_size=8, epochs=3, validation_split=0.25, verbose=0, run=tmp_path / "run")
    for file in (*FILES, "best.keras"):
        assert (tmp_path / "run" / file).is_file(), file
    run = json.loads((tmp_path / "run" / "run.json").read_text())
    assert run["options"]["batch_size"] == 8
    assert run["data"] == {"records": 24, "validation_records": 8}
    assert run["model"] == {"name": "small", "class": "Sequential", "parameters": 8}
    assert "python" in run["program"]["arguments"][0] or "pytest" in " ".join(run["program"]["arguments"])
    assert run["result"]["metrics"]["loss"] == pytest.approx(history.history["loss"][-1])
    loaded = keras.models.load_model(tmp_path / "run" / "model.keras")
    np.testing.assert_array_equal(loaded.get_weights()[0], model.get_weights()[0])
    (listed,) = plimsoll.runs(tmp_path)
    assert (listed["name"], listed["status"], listed["epochs"]) == ("run", "done", 3)
    plimsoll.report(tmp_path / "run")
    plimsoll.compare([tmp_path / "run"] * 2, tmp_path / "compare.html")


class _SendInterrupt(keras.callbacks.Callback):
    """Ctrl-C, once, while the third batch of the second epoch is trained."""

    def on_epoch_begin(self, epoch, logs=None):
        self.epoch = epoch

    def on_train_batch_begin(self, batch, logs=None):
        if self.epoch == 1 and batch == 2:
            signal.raise_signal(signal.SIGINT)


class _NoInterrupt(keras.callbacks.Callback):
    pass


def test_control_c_stops_the_run_and_fit_goes_on(tmp_path):
    whole = small_model()
    whole.fit(X, Y, batch_size=8, epochs=3, verbose=0, run=tmp_path / "whole", callbacks=[_NoInterrupt()])
    with pytest.raises(KeyboardInterrupt):
        small_model().fit(X, Y, batch_size=8, epochs=3, verbose=0, run=tmp_path / "run",
                          callbacks=[_SendInterrupt()])
    result = result_of(tmp_path / "run")
    assert result["status"] == "stopped"
    assert result["why"] == "stopped by KeyboardInterrupt"
    model = small_model()
    model.fit(X, Y, batch_size=8, epochs=3, verbose=0, run=tmp_path / "run", callbacks=[_NoInterrupt()])
    for found, expected in zip(model.get_weights(), whole.get_weights()):
        np.testing.assert_array_equal(found, expected)
    assert result_of(tmp_path / "run")["status"] == "done"
    assert events_of(tmp_path / "run") == events_of(tmp_path / "whole")


def test_control_c_between_hooks_writes_a_checkpoint_first(tmp_path):
    def batches():  # read in a thread of its own, so the signal reaches the one that trains
        for number in range(1000):
            if number == 50:
                os.kill(os.getpid(), signal.SIGINT)
            yield X[:8], Y[:8]

    with pytest.raises(KeyboardInterrupt):
        small_model().fit(batches(), epochs=1, steps_per_epoch=1000, verbose=0, run=tmp_path / "run")
    result = result_of(tmp_path / "run")
    assert result["status"] == "stopped"
    assert 0 < result["batches"] < 1000
    numbers = [int(name.split(".")[0]) for name in os.listdir(tmp_path / "run" / "checkpoints")]
    assert max(numbers) == result["batches"]


@keras.saving.register_keras_serializable()
class Named(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense = keras.layers.Dense(2)

    def call(self, x):
        return self.dense(x)


class Nameless(keras.Model):
    """Cannot be in a file: its argument is no setting."""

    def __init__(self, function):
        super().__init__()
        self.function = function
        self.dense = keras.layers.Dense(2)

    def call(self, x):
        return self.function(self.dense(x))

    def get_config(self):
        raise TypeError("a function has no config")


def test_a_model_class_of_the_program_is_saved(tmp_path):
    model = Named()
    model.compile("sgd", "mse")
    model.fit(X, Y, epochs=2, verbose=0, run=tmp_path / "run")
    loaded = keras.models.load_model(tmp_path / "run" / "model.keras")
    np.testing.assert_array_equal(loaded.predict(X, verbose=0), model.predict(X, verbose=0))


def test_a_model_that_no_file_can_hold_is_no_failure(tmp_path, capfd):
    model = Nameless(lambda x: x * 2)
    model.compile("sgd", "mse")
    model.fit(X, Y, epochs=2, verbose=0, run=tmp_path / "run")
    assert capfd.readouterr().err.count("the model cannot be saved: a function has no config") == 1
    result = result_of(tmp_path / "run")
    assert (result["status"], result["model"]) == ("done", None)
    plimsoll.report(tmp_path / "run")


def test_two_runs_in_one_folder_are_refused(tmp_path):
    refused = []

    class TryAgain(keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            with pytest.raises(plimsoll.InvalidArgument, match="another run is writing it"):
                small_model().fit(X, Y, verbose=0, run=tmp_path / "run")
            refused.append(epoch)

    small_model().fit(X, Y, verbose=0, run=tmp_path / "run", callbacks=[TryAgain()])
    assert refused == [0]


def test_an_error_of_the_program_is_why_the_run_has_failed(tmp_path):
    class Fail(keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            if epoch == 1:
                raise KeyError("out of luck")

    with pytest.raises(KeyError, match="out of luck"):
        small_model().fit(X, Y, epochs=3, verbose=0, run=tmp_path / "run", callbacks=[Fail()])
    result = result_of(tmp_path / "run")
    assert result["status"] == "failed"
    assert "out of luck" in result["why"]


def test_a_loss_that_is_not_finite_has_failed(tmp_path):
    model = small_model()
    y = Y.copy()
    y[20] = 3e38
    with pytest.raises(plimsoll.NotFinite):
        model.fit(X, y, batch_size=8, epochs=2, verbose=0, shuffle=False, run=tmp_path / "run")
    assert result_of(tmp_path / "run")["status"] == "failed"
    assert [event["event"] for event in events_of(tmp_path / "run") if event["event"] == "not_finite"]


def test_a_backup_is_no_run(tmp_path):
    small_model().fit(X, Y, verbose=0, callbacks=keras.callbacks.BackupAndRestore(
        tmp_path / "run", delete_checkpoint=False))
    assert os.listdir(tmp_path / "run") == ["checkpoints"]
    assert plimsoll.runs(tmp_path) == []
