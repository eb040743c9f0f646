"""tf.train.Checkpoint: a loop that was killed goes on as if it had not been, and no crash loses a checkpoint."""
import os
import subprocess
import sys

import numpy as np
import pytest

import plimsoll
import plimsoll.tensorflow as tf
from plimsoll import keras

LOOP = """
import os, sys
import numpy as np
import plimsoll.tensorflow as tf
folder, result, die_at = sys.argv[1], sys.argv[2], int(sys.argv[3])
tf.random.set_seed(5)
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(16, "relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)
data = np.random.default_rng(0).normal(size=(60, 4)).astype("float32")
batches = iter(tf.data.Dataset.from_tensor_slices(data).shuffle(60, seed=3).batch(4).repeat())
step = tf.Variable(0)
checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, batches=batches, step=step)
manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=1)
manager.restore_or_initialize()
while int(step) < 30:
    x = next(batches)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - tf.reduce_sum(x, 1, keepdims=True)) ** 2)
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    step.assign_add(1)
    if int(step) % 5 == 0:
        manager.save()
    if int(step) == die_at:
        os._exit(9)
np.savez(result, *model.get_weights())
"""


def run(folder, result, die_at=-1) -> int:
    command = [sys.executable, "-c", LOOP, str(folder), str(result), str(die_at)]
    return subprocess.run(command, timeout=120).returncode


def test_a_loop_that_was_killed_ends_with_the_same_weights(tmp_path):
    assert run(tmp_path / "a", tmp_path / "whole.npz") == 0
    for die_at in (12, 25, 3, 29):
        assert run(tmp_path / "b", tmp_path / "parts.npz", die_at) in (0, 9)
    assert run(tmp_path / "b", tmp_path / "parts.npz") == 0
    whole, parts = np.load(tmp_path / "whole.npz"), np.load(tmp_path / "parts.npz")
    for name in whole:
        np.testing.assert_array_equal(whole[name], parts[name])


def test_a_new_checkpoint_is_listed_before_an_old_one_goes(tmp_path, monkeypatch):
    variable = tf.Variable(1.0)
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=variable), tmp_path, max_to_keep=1)
    first = manager.save()
    seen = []
    monkeypatch.setattr("pathlib.Path.unlink", lambda self, **_: seen.append(tf.train.latest_checkpoint(tmp_path)))
    second = manager.save()
    assert first != second and seen == [second]


def test_a_checkpoint_of_another_model_changes_nothing(tmp_path):
    def model(size):
        return keras.Sequential([keras.Input((3,)), keras.layers.Dense(2), keras.layers.Dense(size)])

    path = tf.train.Checkpoint(model=model(4)).save(tmp_path / "ckpt")
    other = model(5)
    before = other.get_weights()
    with pytest.raises(ValueError, match=r"'model/2'.*has shape \(2, 5\), and \(2, 4\) in the file"):
        tf.train.Checkpoint(model=other).restore(path)
    for mine, old in zip(other.get_weights(), before):
        np.testing.assert_array_equal(mine, old)


def test_a_damaged_checkpoint_is_named(tmp_path):
    checkpoint = tf.train.Checkpoint(v=tf.Variable(np.arange(1000.0)))
    path = checkpoint.save(tmp_path / "ckpt")
    size = os.path.getsize(path + ".npz")
    os.truncate(path + ".npz", size // 2)
    with pytest.raises(plimsoll.CorruptFile, match="ckpt-1.npz: the checkpoint is damaged"):
        checkpoint.restore(path)
