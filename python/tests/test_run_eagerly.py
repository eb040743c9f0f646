"""compile(run_eagerly=True) runs batch by batch in Python, where tensors have values; with the same results."""
import numpy as np
import pytest

import plimsoll.tensorflow as tf
from plimsoll import keras
from plimsoll.keras import layers

X = np.random.default_rng(0).normal(size=(48, 4)).astype("float32")
KINDS = np.eye(3)[np.arange(48) % 3].astype("float32")
SUMS = X.sum(1, keepdims=True)


def two_outputs(**settings):
    keras.utils.set_random_seed(1)
    inputs = keras.Input((4,))
    kind = layers.Dense(3, activation="softmax", name="kind")(inputs)
    size = layers.Dense(1, name="size")(inputs)
    model = keras.Model(inputs, [kind, size])
    model.compile("adam", **settings)
    return model


@pytest.mark.parametrize("settings", [
    {"loss": ["categorical_crossentropy", "mse"], "metrics": [["accuracy"], ["mae"]]},
    {"loss": {"size": "mse", "kind": "categorical_crossentropy"}, "loss_weights": {"size": 0.5, "kind": 2.0},
     "metrics": {"size": ["mae"], "kind": ["accuracy"]}},
    {"loss": [None, "mse"]},
])
def test_losses_and_metrics_of_outputs_are_those_of_the_engine(settings):
    found = []
    for eagerly in (False, True):
        model = two_outputs(run_eagerly=eagerly, **settings)
        y = {"kind": KINDS, "size": SUMS} if isinstance(settings["loss"], dict) else [KINDS, SUMS]
        history = model.fit(X, y, epochs=2, batch_size=16, shuffle=False, verbose=0).history
        found.append((history["loss"], model.get_weights()))
    (losses, weights), (own_losses, own_weights) = found
    assert own_losses == pytest.approx(losses, rel=1e-5)
    for mine, theirs in zip(weights, own_weights):
        np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-6)


def test_a_layer_sees_values():
    seen = []

    class Looking(layers.Layer):
        def call(self, inputs):
            seen.append(inputs.numpy().sum())
            return inputs

    model = keras.Sequential([Looking(), layers.Dense(1)])
    model.compile("sgd", "mse", run_eagerly=True)
    model.fit(X, SUMS, batch_size=16, shuffle=False, verbose=0)
    assert seen[-3:] == pytest.approx([X[i:i + 16].sum() for i in (0, 16, 32)], rel=1e-4)


def halves(y_true, y_pred):
    return tf.numpy_function(lambda a, b: np.float32(((a - b) ** 2).mean() / 2), [y_true, y_pred], tf.float32)


def test_a_metric_of_arrays_needs_it_and_says_so():
    model = keras.Sequential([keras.Input((4,)), layers.Dense(1)])
    model.compile("sgd", "mse", metrics=[halves])
    with pytest.raises(NotImplementedError, match="run_eagerly=True"):
        model.fit(X, SUMS, verbose=0)
    model.compile(keras.optimizers.SGD(0.0), "mse", metrics=[halves], run_eagerly=True)
    history = model.fit(X, SUMS, batch_size=16, verbose=0).history
    assert history["halves"][0] == pytest.approx(history["loss"][0] / 2, rel=1e-5)
