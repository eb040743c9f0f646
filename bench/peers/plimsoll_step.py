#!/usr/bin/env python3
"""A training step of Plimsoll's fit() in Python, for interleave.py: plimsoll_step.py CASE.

The same model, data and batch as build/bin/step_bench, which is the same fit() in C++. The
conversation goes on inside of fit, in a callback, so what a callback costs is in the time of a step.
"""

import json
import sys
import time

import step_protocol

CASE, _ = step_protocol.start(set())

begin = time.perf_counter()
import numpy as np
import plimsoll.tensorflow as tf
from plimsoll import _core, keras

IMPORT_SECONDS = time.perf_counter() - begin
IMPORT_RSS_KIB = step_protocol.memory_kib("VmRSS")
layers = keras.layers


class Done(Exception):
    """Leaves fit()."""


class Conversation(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self._is_ready, self._left = False, 0

    def on_train_batch_end(self, batch, logs=None):
        now = time.perf_counter()
        if not self._is_ready:
            self._is_ready = True
            step_protocol.say(
                ready=True,
                import_rss_kib=IMPORT_RSS_KIB,
                import_seconds=IMPORT_SECONDS,
                first_step_seconds=step_protocol.process_seconds(),
            )
            return self._next_command()
        self._step_seconds.append(now - self._step_begin)
        self._left -= 1
        if self._left == 0:
            step_protocol.say(
                steps=len(self._step_seconds),
                seconds=now - self._begin,
                cpu_seconds=time.process_time() - self._cpu_begin,
                step_seconds=self._step_seconds,
            )
            return self._next_command()
        self._step_begin = time.perf_counter()

    def _next_command(self):
        words = sys.stdin.readline().split()
        if words in ([], ["quit"]):
            raise Done
        self._left, self._step_seconds = int(words[1]), []
        self._cpu_begin = time.process_time()
        self._begin = self._step_begin = time.perf_counter()


def make_model():
    softmax = {"activation": "softmax"}
    if CASE in step_protocol.LSTMS:
        _, steps, features, units = step_protocol.LSTMS[CASE]
        parts = [keras.Input((steps, features)), layers.LSTM(units), layers.Dense(2, **softmax)]
    elif CASE == "mlp":
        hidden = [layers.Dense(512, activation="relu"), layers.Dense(512, activation="relu")]
        parts = [keras.Input((784,)), *hidden, layers.Dense(10, **softmax)]
    else:
        image = [layers.Conv2D(32, 3, activation="relu"), layers.MaxPooling2D(2), layers.Flatten()]
        parts = [keras.Input((224, 224, 3)), *image, layers.Dense(10, **softmax)]
    model = keras.Sequential(parts)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def main():
    _core.set_thread_count(step_protocol.THREADS)
    x, y = step_protocol.make_data(CASE)
    x, y = np.round(x), np.minimum(y, 1).astype("int32")
    # One batch of data, every step on it.
    data = tf.data.Dataset.from_tensor_slices((x, y)).repeat(1 << 24).batch(len(x))
    try:
        make_model().fit(data, verbose=0, callbacks=[Conversation()])
    except Done:
        pass
    print(
        json.dumps(
            {
                "peak_rss_kib": step_protocol.memory_kib("VmHWM"),
                "rss_kib": step_protocol.memory_kib("VmRSS"),
            }
        ),
        flush=True,
    )


main()
