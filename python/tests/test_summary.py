"""Event files: what tf.summary and the TensorBoard callback write is what TensorFlow reads."""
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from plimsoll import _core, keras
from plimsoll import tensorflow as tf

sys.path.insert(0, str(Path(__file__).resolve().parent / "scripts"))

from _peer_results import REAL_PYTHON  # noqa: E402

# Prints the events of all files in a folder, as the real TensorFlow reads them.
_READER = """
import glob, json, sys
import numpy as np
import tensorflow as tf
found = []
for path in sorted(glob.glob(sys.argv[1] + "/**/events.out.tfevents.*", recursive=True)):
    for event in tf.compat.v1.train.summary_iterator(path):
        for value in event.summary.value:
            if value.metadata.plugin_data.plugin_name == "hparams":  # a message of its own, and no tensor
                found.append([path[len(sys.argv[1]):].split("/")[1], event.step, value.tag, "hparams", None])
                continue
            array = tf.make_ndarray(value.tensor)
            if array.dtype == object:
                array = np.array([str(len(tf.io.decode_png(item).shape)) if item.startswith(b"\\x89PNG")
                                  else item.decode() for item in array.ravel()]).reshape(array.shape)
            found.append([path[len(sys.argv[1]):].split("/")[1], event.step, value.tag,
                          value.metadata.plugin_data.plugin_name, array.tolist()])
        if event.file_version:
            found.append(event.file_version)
print(json.dumps(found))
"""


def read(folder):
    if not REAL_PYTHON.exists():
        pytest.skip("the real TensorFlow is not there; make it with ./dev peers")
    done = subprocess.run([str(REAL_PYTHON), "-c", _READER, str(folder)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_tensorflow_reads_what_summaries_write(tmp_path):
    writer = tf.summary.create_file_writer(str(tmp_path / "own"))
    with writer.as_default():
        assert tf.summary.scalar("loss", 0.5, step=3)
        tf.summary.text("note", ["first", "second"], step=4)
        tf.summary.histogram("weights", np.array([0.0, 1.0, 1.0, 4.0]), step=5, buckets=2)
        tf.summary.histogram("same", [2.0, 2.0], step=5, buckets=2)
        tf.summary.image("picture", np.zeros((2, 4, 6, 3)), step=6)
        tf.summary.experimental.set_step(7)
        tf.summary.scalar("later", tf.constant(2))
        with tf.summary.record_if(False):
            assert not tf.summary.scalar("never", 1.0, step=8)
    tf.summary.experimental.set_step(None)
    writer.close()
    assert not tf.summary.scalar("nobody", 1.0, step=9)
    version, *events = read(tmp_path)
    assert version == "brain.Event:2"
    assert events == [
        ["own", 3, "loss", "scalars", 0.5],
        ["own", 4, "note", "text", ["first", "second"]],
        ["own", 5, "weights", "histograms", [[0.0, 2.0, 3.0], [2.0, 4.0, 1.0]]],
        ["own", 5, "same", "histograms", [[2.0, 2.0, 0.0], [2.0, 2.0, 2.0]]],
        ["own", 6, "picture", "images", ["6", "4", "3", "3"]],
        ["own", 7, "later", "scalars", 2.0],
    ]


def test_tensorflow_reads_what_the_callback_writes(tmp_path):
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile(keras.optimizers.SGD(0.125), "mse", metrics=["mae"])
    x, y = np.ones((8, 2)), np.ones((8, 1))
    history = model.fit(x, y, batch_size=4, epochs=2, validation_data=(x, y), verbose=0, callbacks=[
        keras.callbacks.TensorBoard(tmp_path, histogram_freq=2, update_freq="batch")])
    events = {(event[0], event[1], event[2]): event[4] for event in read(tmp_path)
              if isinstance(event, list)}
    for epoch in range(2):
        for name in ("loss", "mae"):
            values = history.history
            assert events["train", epoch, f"epoch_{name}"] == pytest.approx(values[name][epoch])
            assert events["validation", epoch, f"epoch_{name}"] == pytest.approx(
                values[f"val_{name}"][epoch])
        assert events["train", epoch, "epoch_learning_rate"] == 0.125
        assert events["train", epoch, "throughput/samples_per_second"] > 0
        assert events["train", epoch, "memory/planned_peak_MiB"] == pytest.approx(
            history.plan.peak_bytes / 2**20)
    assert {step for folder, step, tag in events if tag == "batch_loss"} == {1, 2, 3, 4}
    histograms = [key for key in events if key[2].endswith("/histogram")]
    assert len(histograms) == 2 and {step for _, step, _ in histograms} == {0}


def test_the_callback_writes_what_the_engine_does(tmp_path):
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1, name="dense")])
    model.compile("sgd", "mse")
    x, y = np.ones((8, 2)), np.ones((8, 1))
    for folder, statistics in (("all", True), ("less", False)):
        model.fit(x, y, batch_size=4, epochs=2, verbose=0,
                  callbacks=[keras.callbacks.TensorBoard(tmp_path / folder, statistics=statistics)])
    assert sorted(name.name for name in (tmp_path / "less").iterdir() if name.is_dir()) == ["train"]
    assert sorted(name.name for name in (tmp_path / "all").iterdir() if name.is_dir()) == ["steps", "train"]
    content = {part: b"".join(file.read_bytes() for file in (tmp_path / "all" / part).iterdir() if file.is_file())
               for part in (".", "steps")}
    for words in (b"gradients/dense/kernel", b"weights/dense/bias", b"step_loss", b"step_learning_rate"):
        assert words in content["steps"]
    for words in (b"_hparams_/session_start_info", b"batch_size", b"learning_rate", b"_hparams_/session_end_info"):
        assert words in content["."]


class _OwnStep(keras.Model):
    """A loop in Python trains it."""

    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1)

    def call(self, inputs):
        return self.dense(inputs)

    def train_step(self, data):
        return super().train_step(data)


def test_the_callback_knows_the_speed_and_the_plan_of_a_run_of_the_engine(tmp_path, monkeypatch):
    seen = []

    class Board(_core.TrainingBoard):
        def add_epoch(self, epoch, metrics, rest):
            seen.append(rest)
            super().add_epoch(epoch, metrics, rest)

    monkeypatch.setattr(_core, "TrainingBoard", Board)
    x, y = np.ones((8, 2)), np.ones((8, 1))
    board = keras.callbacks.TensorBoard(tmp_path)
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    history = model.fit(x, y, batch_size=4, epochs=2, validation_data=(x, y), verbose=0, callbacks=[board])
    assert [rest["planned_bytes"] for rest in seen] == [history.plan.peak_bytes] * 2
    assert all(rest["samples_per_second"] > 0 for rest in seen)
    own = _OwnStep()
    own.compile("sgd", "mse")
    own.fit(x, y, epochs=1, verbose=0, callbacks=[board])
    assert len(seen) == 3 and not {"planned_bytes", "samples_per_second"} & set(seen[2])


def test_a_summary_without_a_step_or_of_another_kind_is_refused(tmp_path):
    with tf.summary.create_file_writer(str(tmp_path)).as_default():
        with pytest.raises(ValueError, match="No step set"):
            tf.summary.scalar("loss", 1.0)
        with pytest.raises(ValueError, match=r"expected one number, found the shape \(2,\)"):
            tf.summary.scalar("loss", [1.0, 2.0], step=0)
        with pytest.raises(ValueError, match="tf.summary.image: expected"):
            tf.summary.image("picture", np.zeros((4, 4, 3)), step=0)


class _FailIn(keras.callbacks.Callback):
    """Ends the run in the middle of an epoch, as a kill would."""

    def __init__(self, epoch):
        super().__init__()
        self._fails = lambda: epoch  # a function is no part of a checkpoint
        self.at = 0

    def on_epoch_begin(self, epoch, logs=None):
        self.at = epoch

    def on_train_batch_end(self, batch, logs=None):
        if self.at == self._fails() and batch == 2:
            raise RuntimeError("killed")


@pytest.mark.parametrize("update_freq", ["epoch", "batch"])
def test_a_run_that_goes_on_leaves_no_step_twice(tmp_path, update_freq):
    def train(fails_in):
        keras.utils.set_random_seed(1)
        model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        board = keras.callbacks.TensorBoard(tmp_path / "logs", histogram_freq=1, update_freq=update_freq)
        backup = keras.callbacks.BackupAndRestore(tmp_path / "run", save_freq=5, delete_checkpoint=False)
        model.fit(np.ones((16, 2)), np.ones((16, 1)), batch_size=4, epochs=6, verbose=0, shuffle=False,
                  callbacks=[board, _FailIn(fails_in), backup])

    for fails_in in (3, 4):
        with pytest.raises(RuntimeError, match="killed"):
            train(fails_in)
    train(None)
    events = [tuple(event[:3]) for event in read(tmp_path / "logs") if isinstance(event, list)]
    assert len(events) == len(set(events))
    assert [step for _, step, tag in events if tag == "epoch_loss"] == list(range(6))
    assert len([step for _, step, tag in events if tag.endswith("/histogram")]) == 12
    batches = [step for _, step, tag in events if tag == "batch_loss"]
    assert batches == ([] if update_freq == "epoch" else list(range(1, 25)))


def test_the_runs_of_a_folder_are_listed(tmp_path):
    import plimsoll

    assert plimsoll.runs(tmp_path) == []
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(np.ones((8, 2)), np.ones((8, 1)), epochs=3, verbose=0, run=tmp_path / "first")
    (run,) = plimsoll.runs(tmp_path)
    assert (run["name"], run["status"], run["epochs"], run["planned_epochs"]) == ("first", "done", 3, 3)
    with pytest.raises(plimsoll.IoError, match="cannot be read"):
        plimsoll.runs(tmp_path / "nowhere")
