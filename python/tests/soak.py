"""Threads that make, use and drop tensors, variables, models, tapes and data sets at random.

python soak.py SECONDS [THREADS [SEED]]. What one thread made, others use and drop; threads end while
their tensors live on; the garbage collector runs on a thread of its own, and often. Every result is
checked. Without SEED each run takes another, which it prints. Ends with an error if a result is wrong, if an exception comes that should not, or if nothing
moves any longer. ./dev soak runs it under sanitizers.
"""

import collections
import faulthandler
import gc
import random
import sys
import threading
import time

import numpy as np

import plimsoll.tensorflow as tf
from plimsoll.tensorflow import keras

POOL_SIZE = 64
SECONDS_WITHOUT_MOVEMENT = 300


class Pool:
    """What threads have made; each can be taken, replaced and dropped by any of them."""

    def __init__(self):
        self._slots = [None] * POOL_SIZE

    def put(self, chance: random.Random, thing) -> None:
        self._slots[chance.randrange(POOL_SIZE)] = thing  # what was there is dropped by this thread

    def any(self, chance: random.Random, kind):
        thing = self._slots[chance.randrange(POOL_SIZE)]
        return thing if isinstance(thing, kind) else None


class Kept:
    """A tensor whose elements all have a value that is known."""

    def __init__(self, tensor, value: float):
        self.tensor, self.value = tensor, value
        self.itself = self  # so that only the garbage collector frees it

    def check(self) -> None:
        found = self.tensor.numpy()
        assert np.allclose(found, self.value, rtol=1e-4), (found, self.value)


pool = Pool()
shared_variable = tf.Variable(tf.ones((16,)))
one_at_a_time = threading.Lock()  # threads hand a variable on: they do not write and use it at once


# --- what a thread does: each action checks what it computes ---


def make_tensor(chance):
    value, size = chance.randrange(1, 100), chance.randrange(1, 2000)
    tensor = tf.constant(np.full((size,), value, "float32"))
    pool.put(chance, Kept(tensor * 2.0 + 1.0, value * 2 + 1))


def use_tensor_of_another(chance):
    kept = pool.any(chance, Kept)
    if kept is None:
        return
    if chance.random() < 0.5:
        kept.check()
    pool.put(chance, Kept(tf.sqrt(kept.tensor) + kept.tensor[0], kept.value**0.5 + kept.value))


def view_of_an_array(chance):
    array = np.full((chance.randrange(1, 50_000),), 3.0, "float32")
    tensor = tf.constant(array)
    pool.put(chance, np.asarray(tensor))
    pool.put(chance, Kept(tensor[: len(array) // 2 + 1], 3.0))


def take_gradient(chance):
    variable = tf.Variable(np.full((8,), 2.0, "float32"))
    with tf.GradientTape(persistent=chance.random() < 0.3) as tape:
        loss = tf.reduce_sum(variable * variable)
    if chance.random() < 0.2:
        pool.put(chance, (tape, loss))  # never asked
        return
    gradient = tape.gradient(loss, variable)
    pool.put(chance, tape)
    variable.assign_sub(0.5 * gradient)
    pool.put(chance, Kept(gradient, 4.0))
    assert np.all(variable.numpy() == 0.0)
    pool.put(chance, variable)


def use_the_shared_variable(chance):
    with one_at_a_time:
        if chance.random() < 0.3:
            shared_variable.assign(tf.fill((16,), float(chance.randrange(1, 1000))))
            return  # it is made later, when this thread or another asks
        value = float(shared_variable.numpy()[0])
        assert np.all(shared_variable.numpy() == value)
        # Others assign, and so make this thread's sum be computed before.
        pool.put(chance, Kept(shared_variable + 1.0, value + 1))


def small_model():
    model = keras.Sequential(
        [keras.Input((4,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)]
    )
    model.compile("adam", "mse")
    return model


def train_model(chance):
    model = pool.any(chance, keras.Model)
    if model is None or chance.random() < 0.5:
        model = small_model()
        model.fit(np.ones((16, 4)), np.ones((16, 1)), batch_size=8, verbose=0)
        model.made_by_cycle = model
        pool.put(chance, model)
    assert np.all(np.isfinite(model(tf.ones((3, 4))).numpy()))


class Seen(keras.callbacks.Callback):
    """Counts batches, and makes and drops tensors while the engine runs."""

    def __init__(self, chance):
        super().__init__()
        self.chance, self.batches = chance, 0

    def on_train_batch_end(self, batch, logs=None):
        assert np.isfinite(logs["loss"])
        self.batches += 1
        make_tensor(self.chance)

    def on_test_batch_end(self, batch, logs=None):
        self.batches += 1
        use_tensor_of_another(self.chance)

    def on_predict_batch_end(self, batch, logs=None):
        self.batches += 1


def run_model(chance):
    """All runs of the engine, each with a callback, on a model that others use afterwards."""
    model, seen = small_model(), Seen(chance)
    records = chance.randrange(8, 40)
    x = np.ones((records, 4))
    with_callback = {"batch_size": 8, "verbose": 0, "callbacks": [seen]}
    model.fit(x, x[:, :1], **with_callback)
    assert np.isfinite(model.evaluate(x, x[:, :1], **with_callback))
    found = model.predict(x, **with_callback)
    assert found.shape == (records, 1) and np.all(found == found[0])
    assert seen.batches == 3 * -(-records // 8), seen.batches
    found[:] = 0.0  # it is this thread's own
    pool.put(chance, model)


def numbers():
    number = 0
    while True:
        yield np.full((100,), number, "float32")
        number += 1


def loop_over_data(chance):
    data = tf.data.Dataset.from_generator(
        numbers, output_signature=tf.TensorSpec((100,), tf.float32)
    )
    data = data.map(lambda x: x + 1.0).batch(2).prefetch(chance.randrange(1, 4))
    iterator = iter(data)
    for place in range(chance.randrange(1, 5)):
        batch = next(iterator)
        assert np.all(batch.numpy()[0] == 2 * place + 1)
    pool.put(chance, iterator)  # with its thread


def loop_over_arrays(chance):
    data = tf.data.Dataset.from_tensor_slices(np.arange(40, dtype="float32")).shuffle(40).batch(8)
    total = sum(float(tf.reduce_sum(batch)) for batch in data)
    assert total == 780, total


def fail(chance):
    try:
        if chance.random() < 0.5:
            tf.ones((2, 3)) @ tf.ones((4, 5))
        else:
            small_model().fit(np.ones((8, 3)), np.ones((8, 1)), verbose=0)
    except tf.errors.InvalidArgumentError as error:
        pool.put(chance, error)  # its traceback holds tensors
    else:
        raise AssertionError("shapes that do not match were accepted")


def end_a_thread(chance):
    seed = chance.random()

    def once():
        mine = random.Random(seed)
        make_tensor(mine)
        take_gradient(mine)

    thread = threading.Thread(target=once)
    thread.start()
    thread.join()


ACTIONS = {
    make_tensor: 8,
    use_tensor_of_another: 8,
    view_of_an_array: 4,
    take_gradient: 6,
    use_the_shared_variable: 4,
    train_model: 1,
    run_model: 1,
    loop_over_data: 1,
    loop_over_arrays: 1,
    fail: 2,
    end_a_thread: 1,
}


# --- the threads ---


class Soak:
    def __init__(self, seconds: float, seed: int):
        self._end = time.monotonic() + seconds
        self._seed = seed
        self.counts = collections.Counter()
        self.errors = []

    def running(self) -> bool:
        return time.monotonic() < self._end and not self.errors

    def act(self, number: int) -> None:
        chance = random.Random(self._seed * 1000 + number)
        actions, weights = list(ACTIONS), list(ACTIONS.values())
        try:
            while self.running():
                (action,) = chance.choices(actions, weights)
                action(chance)
                self.counts[action.__name__] += 1
        except BaseException as error:
            self.errors.append(error)
            raise

    def collect(self) -> None:
        while self.running():
            gc.collect()
            time.sleep(0.01)

    def watch(self) -> None:
        """Ends the process, with what every thread was doing, if none of them does anything."""
        while self.running():
            faulthandler.dump_traceback_later(SECONDS_WITHOUT_MOVEMENT, exit=True)
            before = sum(self.counts.values())
            while self.running() and sum(self.counts.values()) == before:
                time.sleep(0.1)
        faulthandler.dump_traceback_later(SECONDS_WITHOUT_MOVEMENT, exit=True)


def main(seconds: float, threads: int = 4, seed: int | None = None) -> int:
    gc.set_threshold(50)
    seed = random.SystemRandom().randrange(10**6) if seed is None else seed
    print(f"seed {seed}", flush=True)
    soak = Soak(seconds, seed)
    works = [threading.Thread(target=soak.act, args=(number,)) for number in range(threads)]
    works += [threading.Thread(target=soak.collect), threading.Thread(target=soak.watch)]
    for work in works:
        work.start()
    for work in works:
        work.join()
    faulthandler.cancel_dump_traceback_later()
    for action in ACTIONS:
        print(f"{soak.counts[action.__name__]:8} {action.__name__}")
    print(f"{sum(soak.counts.values()):8} in {seconds:.0f} s, {len(soak.errors)} failed")
    return 1 if soak.errors else 0


if __name__ == "__main__":
    sys.exit(main(*(int(argument) for argument in sys.argv[1:])))
