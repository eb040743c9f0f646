"""Losses, metrics, layers and models of a program in files: they are named there, and found by their names."""
import copy
import inspect
import os
import pickle
import subprocess

import numpy as np
import pytest

import plimsoll.tensorflow as tf
from plimsoll import keras
from plimsoll.keras import layers
from test_signatures import REAL_PYTHON

X = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
Y = X.sum(1, keepdims=True)


def root_of_mean_square(y_true, y_pred):
    return tf.sqrt(tf.reduce_mean(tf.square(y_true - y_pred)))


def worst(y_true, y_pred):
    return tf.reduce_max(tf.abs(y_true - y_pred), axis=-1)


class Scaled(keras.losses.Loss):
    def __init__(self, by=1.0, **kwargs):
        super().__init__(**kwargs)
        self.by = by

    def call(self, y_true, y_pred):
        return self.by * tf.reduce_mean(tf.square(y_true - y_pred), axis=-1)

    def get_config(self):
        return {**super().get_config(), "by": self.by}


class Count(keras.metrics.Metric):
    def __init__(self, name="count", **kwargs):
        super().__init__(name=name, **kwargs)
        self.count = self.add_weight(name="count", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        self.count.assign_add(tf.cast(tf.shape(y_true)[0], "float32"))

    def result(self):
        return self.count


class Net(keras.Model):
    """Its layers are in a list, in a dict and in an attribute beside them."""

    def __init__(self, units=4, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.first = layers.Dense(units, activation="relu")
        self.blocks = [layers.Dense(3), [layers.Dense(3)], layers.Dense(2)]
        self.last = {"norm": layers.BatchNormalization(), "out": layers.Dense(1)}
        self.again = [self.first]

    def call(self, x, training=False):
        x = self.first(x)
        x = self.blocks[2](self.blocks[1][0](self.blocks[0](x)))
        return self.last["out"](self.last["norm"](x, training=training))

    def get_config(self):
        return {**super().get_config(), "units": self.units}


OWN = {"root_of_mean_square": root_of_mean_square, "worst": worst, "Scaled": Scaled, "Count": Count, "Net": Net}


def small_model():
    return keras.Sequential([keras.Input((4,)), layers.Dense(8, activation="relu"), layers.Dense(1)])


@pytest.mark.parametrize("name", ["model.keras", "model.h5"])
@pytest.mark.parametrize("loss, metrics", [
    (root_of_mean_square, ["mae", worst]), ("mse", [worst]), (Scaled(3.0), [Count(), "mae"])])
def test_what_is_the_users_own_is_found_in_custom_objects(tmp_path, name, loss, metrics):
    model = small_model()
    model.compile("adam", loss, metrics=metrics)
    model.fit(X, Y, epochs=2, verbose=0)
    model.save(tmp_path / name)
    again = keras.models.load_model(tmp_path / name, custom_objects=OWN)
    assert again.metrics_names == model.metrics_names
    assert again.evaluate(X, Y, verbose=0) == pytest.approx(model.evaluate(X, Y, verbose=0), rel=1e-6)
    # The optimizer goes on where it was.
    for each in (model, again):
        each.fit(X, Y, shuffle=False, verbose=0)
    for mine, theirs in zip(model.get_weights(), again.get_weights()):
        np.testing.assert_array_equal(mine, theirs)


def test_a_model_whose_loss_is_not_there_is_loaded_without_it_and_says_so(tmp_path):
    model = small_model()
    model.compile("adam", root_of_mean_square)
    model.save(tmp_path / "model.keras")
    with pytest.warns(UserWarning, match="root_of_mean_square.*custom_objects"):
        again = keras.models.load_model(tmp_path / "model.keras")
    assert not again.compiled
    np.testing.assert_array_equal(again.predict(X, verbose=0), model.predict(X, verbose=0))
    assert not keras.models.load_model(tmp_path / "model.keras", compile=False).compiled


def test_metrics_of_a_loaded_model_are_in_the_order_of_compile(tmp_path):
    model = keras.Sequential([keras.Input((4,)), layers.Dense(1, activation="sigmoid")])
    model.compile("sgd", "binary_crossentropy", metrics=["mse", keras.metrics.Recall(name="recall"), "accuracy"])
    model.save(tmp_path / "model.keras")
    again = keras.models.load_model(tmp_path / "model.keras")
    assert again.metrics_names == ["loss", "mse", "recall", "accuracy"] and again.loss == "binary_crossentropy"
    labels = (Y > 0).astype("float32")
    assert again.evaluate(X, labels, verbose=0) == pytest.approx(model.evaluate(X, labels, verbose=0))


def trained_net():
    net = Net(5)
    net.compile("adam", "mse", metrics=["mae", worst])
    net.fit(X, Y, epochs=2, verbose=0)
    return net


def test_a_model_class_comes_back_with_its_weights_and_its_optimizer(tmp_path):
    net = trained_net()
    net.save(tmp_path / "net.keras")
    again = keras.models.load_model(tmp_path / "net.keras", custom_objects=OWN)
    assert type(again) is Net and again.units == 5 and int(again.optimizer.iterations) == 4
    np.testing.assert_array_equal(again.predict(X, verbose=0), net.predict(X, verbose=0))
    assert again.evaluate(X, Y, verbose=0) == pytest.approx(net.evaluate(X, Y, verbose=0), rel=1e-6)
    with pytest.raises(ValueError, match="model class 'Net' is not known"):
        keras.models.load_model(tmp_path / "net.keras")


def test_a_model_class_that_cannot_be_saved_says_why(tmp_path):
    with pytest.raises(ValueError, match="no weights yet"):
        Net().save(tmp_path / "net.keras")
    with pytest.raises(ValueError, match="saved as .keras"):
        trained_net().save(tmp_path / "net.h5")


@pytest.mark.parametrize("make", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))],
                         ids=["copy", "pickle"])
def test_models_are_copied_and_pickled(make):
    model = small_model()
    model.compile("adam", "mse", metrics=["mae"])
    model.fit(X, Y, verbose=0)
    again = make(model)
    assert again is not model and again.evaluate(X, Y, verbose=0) == model.evaluate(X, Y, verbose=0)
    again.set_weights([weight * 0 for weight in again.get_weights()])
    assert model.evaluate(X, Y, verbose=0) != again.evaluate(X, Y, verbose=0)


_READ = """
import sys, numpy as np, tensorflow as tf, keras
from keras import layers
folder = sys.argv[1]
x, y, expected = (np.load(f"{folder}/{name}.npy") for name in ("x", "y", "expected"))
exec(open(f"{folder}/classes.py").read())
own = {"worst": worst, "Net": Net}
net = keras.models.load_model(f"{folder}/net.keras", custom_objects=own)
np.testing.assert_allclose(net.predict(x, verbose=0), expected, rtol=1e-4, atol=1e-5)
assert int(net.optimizer.iterations) == 4
print(net.evaluate(x, y, verbose=0))
net.fit(x, y, verbose=0)
net.save(f"{folder}/back.keras")
np.save(f"{folder}/back.npy", net.predict(x, verbose=0))
"""


@pytest.mark.skipif(not REAL_PYTHON.exists(),
                    reason="the real TensorFlow is not there; make it with ./dev peers")
def test_the_real_keras_reads_and_writes_the_same_files(tmp_path):
    net = trained_net()
    net.save(tmp_path / "net.keras")
    for name, array in (("x", X), ("y", Y), ("expected", net.predict(X, verbose=0))):
        np.save(tmp_path / f"{name}.npy", array)
    (tmp_path / "classes.py").write_text(inspect.getsource(worst) + "\n" + inspect.getsource(Net))
    done = subprocess.run([REAL_PYTHON, "-c", _READ, str(tmp_path)], capture_output=True, text=True,
                          timeout=300, env={**os.environ, "CUDA_VISIBLE_DEVICES": "-1"})
    assert done.returncode == 0, done.stderr[-2000:]
    numbers = [float(each) for each in done.stdout.strip().splitlines()[-1].strip("[]").split(",")]
    assert numbers == pytest.approx(net.evaluate(X, Y, verbose=0), rel=1e-4)
    back = keras.models.load_model(tmp_path / "back.keras", custom_objects=OWN)
    assert int(back.optimizer.iterations) == 6
    np.testing.assert_allclose(back.predict(X, verbose=0), np.load(tmp_path / "back.npy"), rtol=1e-4, atol=1e-5)
