"""prefetch(): what its thread makes, when it ends, and what it lets go."""

import gc
import itertools
import threading
import time
import weakref

import numpy as np

import plimsoll.tensorflow as tf

Dataset = tf.data.Dataset


def _numbers(dataset):
    return [int(x) for x in dataset.as_numpy_iterator()]


def _feeders():
    return [t for t in threading.enumerate() if t.name == "plimsoll prefetch"]


def _wait_until_feeders_end():
    deadline = time.monotonic() + 5
    while _feeders() and time.monotonic() < deadline:
        time.sleep(0.01)
    return not _feeders()


def test_prefetch_makes_no_more_than_it_may():
    given = []

    def generate():
        for number in itertools.count():
            given.append(number)
            yield number

    iterator = iter(Dataset.from_generator(generate, tf.int32).prefetch(3))
    next(iterator)
    time.sleep(0.3)
    assert given == [0, 1, 2, 3]
    iterator.close()
    assert _wait_until_feeders_end()


def test_prefetch_makes_only_what_is_taken_after_it():
    given = []

    def generate():
        for number in itertools.count():
            given.append(number)
            yield number

    assert _numbers(Dataset.from_generator(generate, tf.int32).prefetch(3).take(2)) == [0, 1]
    assert _wait_until_feeders_end()
    assert given == [0, 1]


def test_a_loop_that_is_left_early_frees_what_was_made_ahead():
    class Number(np.ndarray):
        pass

    made = []

    def generate():
        while True:
            number = np.zeros((), np.int32).view(Number)
            made.append(weakref.ref(number))
            yield number

    iterator = iter(Dataset.from_generator(generate, tf.int32).prefetch(3))
    next(iterator)
    deadline = time.monotonic() + 5
    while len(made) < 4 and time.monotonic() < deadline:
        time.sleep(0.01)
    del iterator
    assert _wait_until_feeders_end()
    assert len(made) == 4
    assert not any(number() is not None for number in made)


def test_dropping_an_iterator_ends_its_thread_and_closes_the_generator():
    closed = []

    def generate():
        try:
            yield from itertools.count()
        finally:
            closed.append(1)

    for number in Dataset.from_generator(generate, tf.int32).prefetch(2):
        if int(number) == 3:
            break
    del number
    gc.collect()
    assert _wait_until_feeders_end()
    assert closed == [1]


def test_records_of_arrays_need_no_thread():
    list(Dataset.range(10).batch(2).prefetch(tf.data.AUTOTUNE))
    assert not _feeders()


def test_functions_run_in_the_thread_of_prefetch():
    names = set()

    def noted(x):
        names.add(threading.current_thread().name)
        return x

    list(Dataset.range(5).map(noted).prefetch(1))
    assert names == {"plimsoll prefetch"}
