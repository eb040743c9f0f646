"""A forked child has none of the engine's threads: whatever would need them is refused, and nothing hangs."""

import os
import signal
import sys
import time
import traceback

import numpy as np
import pytest

import plimsoll
import plimsoll.tensorflow as tf
from plimsoll.tensorflow import keras

SECONDS = 60
x, y = np.ones((64, 4), "float32"), np.ones((64, 1), "float32")


class OwnStep(keras.Model):
    """Trains by a loop in Python."""

    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1)

    def call(self, inputs):
        return self.dense(inputs)

    def train_step(self, data):
        inputs, targets = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(inputs) - targets) ** 2)
        self.optimizer.apply_gradients(
            zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables)
        )
        return {"loss": loss}


def trained(model):
    model.compile("adam", "mse", metrics=["mae"])
    model.fit(x, y, batch_size=16, verbose=0)
    model.evaluate(x, y, verbose=0)
    model.predict(x, verbose=0)
    return model


def batches(prefetch=0):
    data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(64).map(lambda a, b: (a + 1.0, b)).batch(8)
    return data.prefetch(prefetch) if prefetch else data


def half_read():
    iterator = iter(batches(prefetch=2))
    next(iterator)
    return iterator


def numbers():
    for number in range(100):
        yield np.full(3, number, "float32")


def half_generated():
    signature = tf.TensorSpec((3,), tf.float32)
    iterator = iter(tf.data.Dataset.from_generator(numbers, output_signature=signature).batch(4).prefetch(2))
    next(iterator)
    return iterator


def half_read_slowly():
    """The next element is not made yet when the process forks."""
    slow = tf.data.Dataset.range(9).map(lambda n: tf.numpy_function(lambda m: time.sleep(0.3) or m, [n], tf.int64)).prefetch(2)
    iterator = iter(slow)
    next(iterator)
    return iterator


def small_model():
    return trained(keras.Sequential([keras.Input((4,)), keras.layers.Dense(8), keras.layers.Dense(1)]))


def adapted():
    return keras.layers.Normalization()


def metric():
    held = keras.metrics.MeanSquaredError()
    held.update_state(y, y)
    return held


def taped():
    variable = tf.Variable(tf.ones(8))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(variable * variable)
    return tape, loss, variable


def with_best_weights():
    stopping = keras.callbacks.EarlyStopping("loss", patience=1, restore_best_weights=True)
    model = small_model()
    model.fit(x, y, verbose=0, callbacks=[stopping])
    return model


# What is made before the fork, and what the child does with it.
ENTRIES = {
    "fit": (small_model, lambda model, folder: model.fit(x, y, verbose=0)),
    "evaluate": (small_model, lambda model, folder: model.evaluate(x, y, verbose=0)),
    "predict": (small_model, lambda model, folder: model.predict(x, verbose=0)),
    "predict_on_batch": (small_model, lambda model, folder: model.predict_on_batch(x)),
    "train_on_batch": (small_model, lambda model, folder: model.train_on_batch(x, y)),
    "test_on_batch": (small_model, lambda model, folder: model.test_on_batch(x, y)),
    "a call": (small_model, lambda model, folder: model(x)),
    "plan": (small_model, lambda model, folder: model.plan(x, y, batch_size=8)),
    "compile": (small_model, lambda model, folder: model.compile("sgd", "mse")),
    "fit of a dataset": (lambda: (small_model(), batches()), lambda made, folder: made[0].fit(made[1], verbose=0)),
    "fit of an own train_step": (lambda: trained(OwnStep()), lambda model, folder: model.fit(x, y, verbose=0)),
    "save": (small_model, lambda model, folder: model.save(folder / "model.keras")),
    "save in HDF5": (small_model, lambda model, folder: model.save(folder / "model.h5")),
    "save_weights": (small_model, lambda model, folder: model.save_weights(folder / "model.weights.h5")),
    "get_weights": (small_model, lambda model, folder: model.get_weights()),
    "set_weights": (
        lambda: (small_model(), [np.zeros(s, "float32") for s in ((4, 8), (8,), (8, 1), (1,))]),
        lambda made, folder: made[0].set_weights(made[1]),
    ),
    "clone_model": (small_model, lambda model, folder: keras.models.clone_model(model)(x)),
    "numpy": (lambda: tf.ones(8) * 2.0, lambda tensor, folder: tensor.numpy()),
    "asarray": (lambda: tf.ones(8) * 2.0, lambda tensor, folder: np.asarray(tensor)),
    "memoryview": (lambda: tf.ones(8) * 2.0, lambda tensor, folder: memoryview(tensor)),
    "float": (lambda: tf.reduce_sum(tf.ones(8)), lambda tensor, folder: float(tensor)),
    "a condition": (lambda: tf.reduce_sum(tf.ones(8)), lambda tensor, folder: bool(tensor > 2.0)),
    "print": (lambda: tf.ones(8) * 2.0, lambda tensor, folder: str(tensor)),
    "a new tensor": (lambda: None, lambda nothing, folder: tf.constant(x)),
    "assign": (lambda: tf.Variable(tf.ones(8)), lambda variable, folder: variable.assign(x[0])),
    "the value of a variable": (lambda: tf.Variable(tf.ones(8)), lambda variable, folder: variable.numpy()),
    "gradient": (taped, lambda made, folder: made[0].gradient(made[1], made[2])),
    "iteration": (batches, lambda data, folder: list(data)),
    "iteration in NumPy": (batches, lambda data, folder: list(data.as_numpy_iterator())),
    "iteration that began before": (half_read, lambda iterator, folder: list(iterator)),
    "iteration that waits for its next element": (half_read_slowly, lambda iterator, folder: list(iterator)),
    "generator that began before": (half_generated, lambda iterator, folder: list(iterator)),
    "a new dataset": (lambda: None, lambda nothing, folder: list(tf.data.Dataset.range(9).batch(3))),
    "adapt": (adapted, lambda layer, folder: layer.adapt(x)),
    "result of a metric": (metric, lambda held, folder: held.result()),
    "update of a metric": (metric, lambda held, folder: held.update_state(y, y)),
    "initializer": (keras.initializers.GlorotUniform, lambda made, folder: made((300, 300))),
    "random numbers": (lambda: None, lambda nothing, folder: tf.random.normal((300, 300)).numpy()),
    "the best weights": (with_best_weights, lambda model, folder: model.fit(x, y, verbose=0)),
}


def in_child(action) -> tuple[int, str]:
    """What a forked child answers: 0 and the refusal, or another code and what happened instead."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        code, text = 1, "nothing was refused"
        try:
            action()
        except plimsoll.Error as error:
            code, text = 0, str(error)
        except BaseException:
            text = traceback.format_exc()
        os.write(write, text.encode())
        os._exit(code)
    os.close(write)
    end = time.monotonic() + SECONDS
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(read)
            return -1, "the child hangs"
        time.sleep(0.005)
    text = os.read(read, 60_000).decode()
    os.close(read)
    return os.waitstatus_to_exitcode(status), text


@pytest.mark.skipif(sys.platform != "linux", reason="forks")
@pytest.mark.parametrize("entry", ENTRIES)
def test_a_forked_child_is_refused(entry, tmp_path):
    make, use = ENTRIES[entry]
    made = make()
    code, text = in_child(lambda: use(made, tmp_path))
    assert code == 0 and "this process was forked" in text, text
    assert not list(tmp_path.iterdir())


def test_a_child_may_drop_what_it_inherited_and_the_parent_goes_on():
    model, iterator, tensor = small_model(), half_read(), tf.ones(8) * 2.0

    def drop():
        nonlocal model, iterator, tensor
        model = iterator = tensor = None
        raise plimsoll.Error("dropped")

    assert in_child(drop) == (0, "dropped")
    assert len(list(iterator)) == 7
    assert tensor.numpy().sum() == 16
    model.fit(x, y, verbose=0)
