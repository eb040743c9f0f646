#!/usr/bin/env python3
"""What Python itself costs: python_calls.py [--check] [--json FILE].

Prints the CPU time of recording an op, beside that of the Python call around it and of NumPy's op;
of a step of the loop over an LSTM that is trained sample by sample; and of a callback of fit().
With --check it fails if one of them costs more than LIMITS allows.
"""

import argparse
import json
import sys
import time

import numpy as np
import plimsoll.tensorflow as tf
from plimsoll import keras

ROUNDS = 15
LIMITS = {  # seconds
    "x + 1": 1e-6,
    "x + x": 1e-6,
    "tf.sqrt(x)": 1e-6,
    "a step of the LSTM loop": 0.4e-3,
    "a callback": 20e-6,
}


def least_seconds(functions, count):
    """The least CPU time of a call of each, of rounds that go round."""
    least = dict.fromkeys(functions, float("inf"))
    for _ in range(ROUNDS):
        for name, function in functions.items():
            begin = time.process_time()
            for _ in range(count):
                function()
            least[name] = min(least[name], (time.process_time() - begin) / count)
    return least


def ops():
    x = tf.constant(np.ones((4,), "float32"))
    array = np.ones((4,), "float32")
    return least_seconds(
        {
            "a Python call": lambda: x,
            "x + 1": lambda: x + 1,
            "x + x": lambda: x + x,
            "tf.sqrt(x)": lambda: tf.sqrt(x),
            "NumPy's x + 1": lambda: array + 1,
        },
        20_000,
    )


def lstm_step():
    model = keras.Sequential(
        [keras.layers.LSTM(32, input_shape=(20, 5)), keras.layers.Dense(2, activation="softmax")]
    )
    optimizer, loss_of = keras.optimizers.Adam(), keras.losses.SparseCategoricalCrossentropy()
    inputs = tf.random.normal((100, 20, 5))
    labels = tf.random.uniform((100,), maxval=2, dtype=tf.int32)
    number = 0

    def step():
        nonlocal number
        number = (number + 1) % 100
        with tf.GradientTape() as tape:
            predictions = model(tf.expand_dims(inputs[number], 0))
            loss = loss_of(tf.expand_dims(labels[number], 0), predictions)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    step()
    return least_seconds({"a step of the LSTM loop": step}, 200)


def callback():
    """A hook that does nothing, by fits with and without it in turns."""

    class Hook(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            pass

    steps = 2000
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    x, y = np.ones((steps, 4), "float32"), np.ones((steps, 1), "float32")

    def fit(callbacks):
        return lambda: model.fit(x, y, batch_size=1, verbose=0, callbacks=callbacks)

    found = least_seconds({"without": fit([]), "with": fit([Hook()])}, 1)
    return {"a callback": (found["with"] - found["without"]) / steps}


def above_limits(seconds):
    """A sentence for each that costs too much."""
    return [
        f"{name} takes {seconds[name] * 1e6:.2f} µs, expected at most {limit * 1e6:.2f} µs"
        for name, limit in LIMITS.items()
        if seconds[name] > limit
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    seconds = ops() | lstm_step() | callback()
    print("CPU time, the least of", ROUNDS, "rounds:")
    for name, value in seconds.items():
        print(f"  {name:24} {value * 1e6:8.2f} µs  {value / seconds['a Python call']:7.1f}x a Python call")
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(seconds, file)
    if arguments.check:
        sys.exit("\n".join(f"python_calls.py: {sentence}" for sentence in above_limits(seconds)) or None)


if __name__ == "__main__":
    main()
