"""A loss or a gradient that is not finite: the operation, the layer, the records and the line are named."""
import inspect
import os

import numpy as np
import pytest

import plimsoll
import plimsoll.tensorflow as tf
from plimsoll import keras

X = np.random.default_rng(3).uniform(0.5, 1.5, size=(24, 3)).astype("float32")
Y = np.ones((24, 1), dtype="float32")


def line_of(function, mark: str = "# here") -> int:
    """The line of this file that has the mark, in the function."""
    lines, first = inspect.getsourcelines(function)
    return first + next(i for i, line in enumerate(lines) if mark in line)


def spoiled(record: int, value: float) -> np.ndarray:
    x = X.copy()
    x[record, 1] = value
    return x


def identity(name: str):
    return keras.layers.Dense(3, use_bias=False, kernel_initializer="identity", name=name)


def error_of(model, x=X, y=Y, **arguments) -> plimsoll.NotFinite:
    with pytest.raises(plimsoll.NotFinite) as found:
        model.fit(x, y, batch_size=8, shuffle=False, verbose=0, **arguments)
    return found.value


# --- loops by hand ------------------------------------------------------------------------------


def log_of_zero(w, x):
    return tf.reduce_sum(tf.math.log(w * x))  # here


def root_at_zero(w, x):
    return tf.reduce_sum(tf.sqrt(w * x))  # here


def division_by_a_mask(w, x):
    mask = tf.cast(x > 5.0, tf.float32)
    return tf.reduce_sum(w * mask) / tf.reduce_sum(mask)  # here


def overflow(w, x):
    return tf.reduce_sum(tf.exp(w * 1000.0))  # here


def masked_softmax(w, x):
    masked = tf.where(x > 5.0, w, -np.inf)
    return tf.reduce_sum(tf.nn.softmax(masked) * w)  # here


@pytest.mark.parametrize("loss, operation, gradient_of", [
    (log_of_zero, "log", None), (root_at_zero, "divide", "sqrt"), (division_by_a_mask, "divide", None),
    (overflow, "exp", None), (masked_softmax, "softmax", None)])
def test_a_tape_names_the_line(loss, operation, gradient_of):
    w = tf.Variable([1.0, 1.0])
    x = tf.constant([0.0, 1.0])
    optimizer = keras.optimizers.SGD(0.1)
    with pytest.raises(plimsoll.NotFinite) as found:
        with tf.GradientTape() as tape:
            value = loss(w, x)
        optimizer.apply_gradients([(tape.gradient(value, w), w)])
        w.numpy()
    error = found.value
    assert (error.operation, error.gradient_of) == (operation, gradient_of)
    assert os.path.basename(error.file) == os.path.basename(__file__)
    assert error.line == line_of(loss)
    assert f"{os.path.basename(__file__)}:{error.line}" in str(error)
    assert w.numpy().tolist() == [1.0, 1.0]


def test_a_tape_names_the_line_that_calls_a_layer():
    wide = keras.layers.Dense(2, activation="exponential", kernel_initializer="ones", name="wide")
    x = tf.constant([[500.0, 500.0]])
    wide(x)
    optimizer = keras.optimizers.Adam()
    with pytest.raises(plimsoll.NotFinite) as found:
        with tf.GradientTape() as tape:
            y = wide(x)  # here
            loss = tf.reduce_mean(y)
        optimizer.apply_gradients(zip(tape.gradient(loss, wide.trainable_variables), wide.trainable_variables))
        wide.kernel.numpy()
    assert (found.value.operation, found.value.layer) == ("exp", "wide")
    assert found.value.line == line_of(test_a_tape_names_the_line_that_calls_a_layer)


def test_a_tape_names_data_that_is_not_finite():
    w = tf.Variable([1.0, 1.0])
    with pytest.raises(plimsoll.NotFinite) as found:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * tf.constant([1.0, np.nan]))  # here
        keras.optimizers.SGD().apply_gradients([(tape.gradient(loss, w), w)])
        w.numpy()
    assert found.value.operation == "input"
    assert found.value.line == line_of(test_a_tape_names_data_that_is_not_finite)


# --- fit ----------------------------------------------------------------------------------------


def own_loss(y_true, y_pred):
    return tf.reduce_mean(y_true * tf.math.log(y_pred), axis=-1)  # here


def test_a_loss_of_your_own_is_named_by_its_line():
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1, use_bias=False, kernel_initializer="ones")])
    model.compile("sgd", own_loss)
    x = X.copy()
    x[13] = 0
    error = error_of(model, x)
    assert error.operation == "log" and error.records == ["record 13"]
    assert error.line == line_of(own_loss)
    assert f"test_not_finite.py:{error.line}" in str(error)


class Own(keras.layers.Layer):
    def call(self, inputs):
        return tf.sqrt(inputs)  # here


def test_a_layer_of_your_own_is_named_by_its_line():
    model = keras.Sequential([keras.Input((3,)), identity("below"), Own(name="own"), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    error = error_of(model, spoiled(5, 0.0))
    assert (error.gradient_of, error.layer, error.records) == ("sqrt", "own", ["record 5"])
    assert error.line == line_of(Own.call)


def test_a_lambda_is_named_by_its_line():
    function = lambda x: tf.math.log(x)  # here  # noqa: E731
    model = keras.Sequential([keras.Input((3,)), keras.layers.Lambda(function, name="bad"), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    error = error_of(model, spoiled(2, -1.0))
    assert (error.operation, error.layer, error.records) == ("log", "bad", ["record 2"])
    assert error.line == line_of(test_a_lambda_is_named_by_its_line, "function = lambda")


def test_a_layer_of_keras_has_no_line():
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(
        2, activation="exponential", kernel_initializer="ones", name="wide"), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    error = error_of(model, spoiled(7, 300.0))
    assert (error.operation, error.layer, error.records) == ("exp", "wide", ["record 7"])
    assert error.line is None and error.file is None


def test_a_weight_that_a_file_has_as_nan_is_named(tmp_path):
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1, name="head")])
    model.compile("sgd", "mse")
    model.set_weights([np.full((3, 1), np.nan), np.zeros(1)])
    model.save(tmp_path / "bad.keras")
    error = error_of(keras.models.load_model(tmp_path / "bad.keras"))
    assert (error.operation, error.layer) == ("weight", "head")
    assert error.weight.endswith("head/kernel")
    assert error.records == []


def test_a_step_of_your_own_is_named_by_its_line():
    class Stepper(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = keras.layers.Dense(1, kernel_initializer="ones")

        def call(self, inputs):
            return self.dense(inputs)

        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.math.log(self(x) * 0.0))  # here
            self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))
            return {"loss": loss}

    model = Stepper()
    model.compile("sgd")
    error = error_of(model)
    assert error.operation == "log"
    assert error.line == line_of(Stepper.train_step)


# --- what is done about it ----------------------------------------------------------------------


def logarithm_model():
    model = keras.Sequential([keras.Input((3,)), keras.layers.Lambda(tf.math.log, name="bad"), keras.layers.Dense(1)])
    model.compile(keras.optimizers.SGD(0.01), "mse")
    return model


def test_a_bad_step_is_skipped_and_its_records_are_left_out():
    history = logarithm_model().fit(spoiled(5, 0.0), Y, batch_size=8, epochs=3, shuffle=False, verbose=0,
                                    on_bad_step="skip")
    assert np.isfinite(history.history["loss"]).all()
    assert [(name, reason) for name, reason, _ in history.left_out] == [("record 5", "not_finite")]


def test_the_third_bad_step_is_not_skipped():
    x = X.copy()
    x[[1, 9, 17], 0] = 0
    error = error_of(logarithm_model(), x, on_bad_step="skip")
    assert "is not skipped, because 2 of the last 100 were" in str(error)
    assert error.records == ["record 17"]


def test_a_run_goes_back(tmp_path):
    # The rate must become small enough within eight times, whatever the first weights are.
    keras.utils.set_random_seed(1)
    ones = [keras.layers.Dense(units, kernel_initializer="ones") for units in (4, 1)]
    model = keras.Sequential([keras.Input((3,)), *ones])
    model.compile(keras.optimizers.SGD(1.0), "mse")
    history = model.fit(X, Y, batch_size=8, epochs=20, verbose=0, run=tmp_path / "run", on_bad_step="rollback")
    assert np.isfinite(history.history["loss"][-1])
    assert float(model.optimizer.learning_rate.numpy()) < 1


@pytest.mark.parametrize("arguments, sentence", [
    ({"on_bad_step": "rollback"}, "give a run that keeps them"), ({"on_bad_step": "ignore"}, "must be 'stop', 'skip'")])
def test_what_cannot_be_done_is_refused(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        logarithm_model().fit(X, Y, verbose=0, **arguments)


# --- what happened in it ------------------------------------------------------------------------


class Logarithm(keras.layers.Layer):
    def call(self, inputs):
        return tf.math.log(inputs)  # here


def kept_model():
    """A run with checkpoints knows the config of every layer."""
    model = keras.Sequential([keras.Input((3,)), Logarithm(name="bad"), keras.layers.Dense(1, name="dense")], "kept")
    model.compile(keras.optimizers.SGD(0.01), "mse")
    return model


def test_a_step_is_replayed(tmp_path):
    error_of(kept_model(), spoiled(5, 0.0), run=tmp_path / "run")
    model = kept_model()
    replayed = model.replay(tmp_path / "run")
    assert replayed.step == 0 and "log" in replayed.cause and "record 5" in replayed.records
    bad = next(each for each in replayed.operations if each["outputs"][0]["infinities"])
    assert (bad["op"], bad["layer"], bad["gradient_of"]) == ("log", "bad", "")
    marked = [line for line in str(replayed).splitlines() if line.startswith("!")]
    assert marked[0].split()[:3] == ["!", "log", "bad"] and "1 infinite" in marked[0]
    assert f"<td>!</td><td>log</td><td>bad</td><td>{bad['outputs'][0]['shape']}</td>" in replayed._repr_html_()
    assert os.path.basename(bad["file"]) == "test_not_finite.py" and bad["line"] == line_of(Logarithm.call)
    assert marked[0].endswith(f"  at test_not_finite.py:{bad['line']}")
    assert all(os.path.basename(each["file"]) in ("", "test_not_finite.py") for each in replayed.operations)
    part = model.replay(tmp_path / "run", step=0, at="bad")
    assert {each["layer"] for each in part.operations} == {"bad"}
    assert "    reads " in str(part) and "    reads " not in str(replayed)


def test_what_cannot_be_replayed_is_refused(tmp_path):
    kept_model().fit(X, Y, verbose=0, run=tmp_path / "sound")
    with pytest.raises(ValueError, match="no step is kept in bad-steps"):
        kept_model().replay(tmp_path / "sound")
    error_of(kept_model(), spoiled(5, 0.0), run=tmp_path / "run")
    with pytest.raises(ValueError, match=r"step 9 is not kept \(kept: 0\)"):
        kept_model().replay(tmp_path / "run", step=9)
    with pytest.raises(plimsoll.InvalidArgument, match="nowhere"):
        kept_model().replay(tmp_path / "run", at="nowhere")


# --- clipping -----------------------------------------------------------------------------------


@pytest.mark.parametrize("setting", [{"adaptive_clip": 0.01}, {"clip_percentile": 10}])
def test_gradients_are_clipped_adaptively(setting):
    (name, value), = setting.items()
    optimizer = keras.optimizers.Adam(0.01, **setting)
    assert getattr(optimizer, name) == value
    assert name not in optimizer.get_config()
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(4, activation="relu"), keras.layers.Dense(1)])
    model.compile(optimizer, "mse")
    losses = model.fit(X, Y, epochs=20, verbose=0).history["loss"]
    assert losses[-1] < losses[0]


def test_the_gradient_of_a_unit_is_shortened():
    weight = tf.Variable([[3.0], [4.0]])
    keras.optimizers.SGD(1.0, adaptive_clip=0.1).apply([tf.constant([[30.0], [40.0]])], [weight])
    assert np.allclose(weight.numpy(), [[2.7], [3.6]])


def test_two_ways_to_clip_are_refused():
    with pytest.raises(ValueError, match="only one of"):
        keras.optimizers.SGD(clipnorm=1.0, adaptive_clip=0.1)
