"""user_programs.py NAME: trains as a script does it, with what only a script can do wrong. It runs in the folder of
model.json, data.npz and settings.json, and leaves the run in ./run."""
import json
import pathlib
import sys
import time

import numpy as np
import plimsoll.tensorflow as tf
from plimsoll import keras


class KeepsNumbers(keras.callbacks.Callback):
    """Sound: what it collects are numbers."""

    def __init__(self, x):
        super().__init__()
        self.losses = []

    def on_epoch_end(self, epoch, logs=None):
        self.losses.append(float(logs["loss"]))


class KeepsOutputs(keras.callbacks.Callback):
    """What the model answers after each epoch, for a picture later: tensors, not numbers."""

    def __init__(self, x):
        super().__init__()
        self.x, self.outputs = x, []

    def on_epoch_end(self, epoch, logs=None):
        self.outputs.append(self.model(self.x))


class KeepsGradients(keras.callbacks.Callback):
    """Which pixels matter, after each epoch."""

    def __init__(self, x):
        super().__init__()
        self.x, self.gradients = tf.constant(x), []

    def on_epoch_end(self, epoch, logs=None):
        with tf.GradientTape() as tape:
            tape.watch(self.x)
            answer = tf.reduce_sum(self.model(self.x))
        self.gradients.append(tape.gradient(answer, self.x))


CALLBACKS = {"keeps_numbers": KeepsNumbers, "keeps_outputs": KeepsOutputs, "keeps_gradients": KeepsGradients}


def slowly(x, y, batch, pause):
    """Batches that come from a place that takes its time."""
    while True:
        for i in range(0, len(x) - batch + 1, batch):
            time.sleep(pause)
            yield x[i:i + batch], y[i:i + batch]


def log_of_relu(hidden, units):
    """A logarithm of features, many of which are 0."""
    return keras.layers.Dense(units, "softmax")(keras.ops.log(hidden))


def sharp_softmax(hidden, units):
    """A softmax by hand, of numbers that were multiplied to make it sharp."""
    powers = keras.ops.exp(1000.0 * keras.layers.Dense(units)(hidden))
    return powers / keras.ops.sum(powers, axis=-1, keepdims=True)


HEADS = {"log_of_relu": log_of_relu, "sharp_softmax": sharp_softmax}


def model_of(name, x):
    layers = json.loads(pathlib.Path("model.json").read_text())
    if name not in HEADS:
        return keras.models.model_from_json(json.dumps(layers))
    inputs = keras.Input(x.shape[1:])
    flat = keras.layers.Flatten()(inputs) if len(x.shape) > 2 else inputs
    hidden = keras.layers.Dense(48, "relu")(flat)
    return keras.Model(inputs, HEADS[name](hidden, layers["config"]["layers"][-1]["config"]["units"]))


def main(name):
    settings = json.loads(pathlib.Path("settings.json").read_text())
    data = np.load("data.npz")
    x, y = data["x"], data["y"]
    keras.utils.set_random_seed(settings["seed"])
    model = model_of(name, x)
    optimizer = keras.optimizers.get(settings["optimizer"])
    optimizer.learning_rate = settings["rate"]
    model.compile(optimizer, settings["loss"], [settings["metrics"]] if settings["metrics"] else None)
    options = {"epochs": settings["epochs"], "verbose": 0, "run": "run"}
    if name == "slow_generator":
        batch = settings["batch"]
        steps = len(x) // batch
        pause = 14 / (steps * settings["epochs"])  # seconds: a run of less than 10 is not judged
        model.fit(slowly(x, y, batch, pause), steps_per_epoch=steps, **options)
    else:
        callbacks = [CALLBACKS[name](x)] if name in CALLBACKS else []
        model.fit(x, y, batch_size=settings["batch"], callbacks=callbacks, **options)


if __name__ == "__main__":
    main(sys.argv[1])
