"""tf.train.Checkpoint: a loop that was killed goes on as if it had not been, and no crash loses a checkpoint."""
import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import plimsoll
import plimsoll.tensorflow as tf
from plimsoll import keras

# Dropout, numbers that are drawn after the update, seeds of calls, generators, and data in another order each time.
LOOP = """
import sys
import numpy as np
import plimsoll.tensorflow as tf
folder, result, die_at, steps = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
tf.random.set_seed(5)
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(16, "relu"), tf.keras.layers.Dropout(0.3),
                             tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)
data = np.random.default_rng(0).normal(size=(60, 4)).astype("float32")
batches = iter(tf.data.Dataset.from_tensor_slices(data).shuffle(60).batch(4).repeat())
step, generator = tf.Variable(0), tf.random.Generator.from_seed(8)
seeds = tf.keras.random.SeedGenerator(4)
checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, batches=batches, step=step, generator=generator,
                                 inner=tf.train.Checkpoint(seeds=seeds))
manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
manager.restore_or_initialize()
while int(step) < steps:
    x = next(batches)
    noise = tf.random.normal((4, 1), stddev=0.1) + generator.normal((4, 1), stddev=0.1)
    noise += tf.random.uniform((4, 1), seed=2) + tf.keras.random.normal((4, 1), seed=seeds)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - tf.reduce_sum(x, 1, keepdims=True) - noise) ** 2)
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    step.assign_add(1)
    for _ in range(int(step) % 3):
        model(x, training=True)
    if int(step) % 5 == 0:
        manager.save()
    if int(step) == die_at:
        import os
        os._exit(9)
np.savez(result, *model.get_weights())
"""


def start(folder, result, die_at=-1, steps=30) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-c", LOOP, str(folder), str(result), str(die_at), str(steps)])


def run(folder, result, die_at=-1) -> int:
    return start(folder, result, die_at).wait(timeout=120)


def assert_same(found, expected) -> None:
    parts, whole = np.load(found), np.load(expected)
    assert parts.files == whole.files
    for name in whole:
        np.testing.assert_array_equal(whole[name], parts[name])


def test_a_loop_that_was_killed_ends_with_the_same_weights(tmp_path):
    assert run(tmp_path / "a", tmp_path / "whole.npz") == 0
    for die_at in (12, 25, 3, 29):
        assert run(tmp_path / "b", tmp_path / "parts.npz", die_at) in (0, 9)
    assert run(tmp_path / "b", tmp_path / "parts.npz") == 0
    assert_same(tmp_path / "parts.npz", tmp_path / "whole.npz")


def test_a_loop_that_is_killed_at_any_moment_ends_with_the_same_weights(tmp_path):
    steps, kills, chance = 300, 0, random.Random(7)
    begin = time.monotonic()
    assert start(tmp_path / "a", tmp_path / "whole.npz", steps=steps).wait(timeout=300) == 0
    seconds = time.monotonic() - begin
    while True:
        process = start(tmp_path / "b", tmp_path / "parts.npz", steps=steps)
        try:
            # More each time, so that it ends.
            assert process.wait(timeout=seconds * (chance.uniform(0.3, 0.7) + kills / 10)) == 0
            break
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
    assert kills > 0
    assert_same(tmp_path / "parts.npz", tmp_path / "whole.npz")


def test_an_iterator_goes_back_in_the_same_process(tmp_path):
    batches = iter(tf.data.Dataset.range(20).shuffle(20).batch(4).repeat())
    checkpoint = tf.train.Checkpoint(batches=batches)
    for _ in range(7):
        next(batches)
    path = checkpoint.save(tmp_path / "ckpt")
    expected = [np.asarray(next(batches)).tolist() for _ in range(9)]
    checkpoint.restore(path)
    assert [np.asarray(next(batches)).tolist() for _ in range(9)] == expected


def test_a_later_pass_is_the_same_pass_in_another_process(tmp_path):
    def numbers():
        tf.random.set_seed(2)
        return tf.data.Dataset.range(12).shuffle(12).batch(5)

    data = numbers()
    for _ in range(2):
        list(data)
    third = iter(data)
    first = np.asarray(next(third)).tolist()
    path = tf.train.Checkpoint(batches=third).save(tmp_path / "ckpt")
    rest = [np.asarray(each).tolist() for each in third]
    again = iter(numbers())
    tf.train.Checkpoint(batches=again).restore(path)
    assert [np.asarray(each).tolist() for each in again] == rest
    assert sorted(first + sum(rest, [])) == list(range(12))


def test_the_newest_checkpoint_that_is_whole_is_restored(tmp_path):
    variable = tf.Variable(0.0)
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=variable), tmp_path, max_to_keep=3)
    for value in (1.0, 2.0, 3.0):
        variable.assign(value)
        manager.save()
    newest = manager.latest_checkpoint + ".npz"
    os.truncate(newest, os.path.getsize(newest) // 2)
    with pytest.warns(UserWarning, match="ckpt-3.npz: the checkpoint is damaged.*this checkpoint is not used"):
        assert manager.restore_or_initialize().endswith("ckpt-2")
    assert float(variable) == 2.0
    for path in manager.checkpoints:
        os.truncate(path + ".npz", 10)
    with pytest.warns(UserWarning), pytest.raises(plimsoll.CorruptFile, match="ckpt-3.npz"):
        manager.restore_or_initialize()


def test_flipped_bits_are_refused_or_harmless(tmp_path):
    variable = tf.Variable(np.arange(50.0, dtype="float32"))
    checkpoint = tf.train.Checkpoint(v=variable)
    path = checkpoint.save(tmp_path / "ckpt") + ".npz"
    good, chance = open(path, "rb").read(), random.Random(3)
    for _ in range(1500):
        bad = bytearray(good)
        bad[chance.randrange(len(bad))] ^= 1 << chance.randrange(8)
        with open(path, "wb") as file:
            file.write(bad)
        variable.assign(np.arange(50.0))
        try:
            checkpoint.restore(path[:-4])
        except (plimsoll.CorruptFile, plimsoll.InvalidArgument):
            continue
        np.testing.assert_array_equal(np.asarray(variable), np.arange(50.0))


def test_a_new_checkpoint_is_listed_before_an_old_one_goes(tmp_path, monkeypatch):
    variable = tf.Variable(1.0)
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=variable), tmp_path, max_to_keep=1)
    first = manager.save()
    seen = []
    monkeypatch.setattr("pathlib.Path.unlink", lambda self, **_: seen.append(tf.train.latest_checkpoint(tmp_path)))
    second = manager.save()
    assert first != second and seen == [second]


@pytest.mark.parametrize("place", [0.1, 0.5, 0.9])
def test_a_checkpoint_that_reads_back_wrong_replaces_nothing(tmp_path, monkeypatch, place):
    """The disk changes bytes: the new file gets no name, and the old one stays."""
    value = tf.Variable(np.arange(1000, dtype="float32"))
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(value=value), tmp_path, max_to_keep=1)
    first = manager.save()
    fsync = os.fsync

    def damages(descriptor):
        fsync(descriptor)
        path = os.readlink(f"/proc/self/fd/{descriptor}")
        if path.endswith(".npz.part"):
            data = bytearray(open(path, "rb").read())
            begin = data.index(np.arange(1000, dtype="float32").tobytes()[100:3000]) + int(2000 * place)
            data[begin] ^= 4
            with open(path, "r+b") as file:
                file.write(data)

    monkeypatch.setattr(os, "fsync", damages)
    with pytest.raises(plimsoll.CorruptFile, match="ckpt-2.npz"):
        manager.save()
    monkeypatch.undo()
    assert sorted(os.listdir(tmp_path)) == ["checkpoint", "ckpt-1.npz"]
    assert tf.train.latest_checkpoint(tmp_path) == first == manager.latest_checkpoint
    assert manager.save().endswith("ckpt-3") and sorted(os.listdir(tmp_path)) == ["checkpoint", "ckpt-3.npz"]


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
