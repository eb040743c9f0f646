"""Models: functional, sequential and of the user's own, with fit, evaluate, predict and files."""
import gc
import io
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import plimsoll
import plimsoll.tensorflow as tf
from plimsoll import _core, keras
from plimsoll.keras import layers


@pytest.fixture
def data():
    x = np.random.default_rng(0).normal(size=(96, 4))
    return x, x.sum(1, keepdims=True)


def small_model():
    model = keras.Sequential([layers.Input((4,)), layers.Dense(8, activation="relu"), layers.Dense(1)])
    model.compile("adam", "mse", metrics=["mae"])
    return model


def test_fit_learns_and_reports(data):
    model = small_model()
    history = model.fit(*data, epochs=20, verbose=0, validation_split=0.25)
    assert set(history.history) == {"loss", "mae", "val_loss", "val_mae"}
    assert history.history["loss"][-1] < history.history["loss"][0]
    assert history.plan.peak_bytes > 0 and "planned peak" in str(history.plan)
    assert model.predict(data[0], verbose=0).shape == (96, 1)


def test_the_forms_of_data_train_the_same(data):
    x, y = data
    start = small_model().get_weights()
    results = []

    def batches():
        for i in range(0, 96, 32):
            yield x[i:i + 32], y[i:i + 32]

    class Sequence(keras.utils.Sequence):
        def __len__(self):
            return 3

        def __getitem__(self, number):
            rows = slice(number * 32, number * 32 + 32)
            return x[rows], y[rows]

    dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
    for form in ((x, y), (dataset,), (Sequence(),), (batches(),),
                 (tf.data.Dataset.from_generator(
                     batches, output_types=(tf.float32, tf.float32)),)):
        model = small_model()
        model.set_weights(start)
        model.fit(*form, batch_size=32 if len(form) == 2 else None, shuffle=False, verbose=0)
        results.append(model.get_weights())
    for other in results[1:]:
        for a, b in zip(results[0], other):
            np.testing.assert_array_equal(a, b)


def test_a_layer_of_ones_own_trains_as_the_engines(data):
    class Linear(layers.Layer):
        def __init__(self, units):
            super().__init__()
            self.units = units

        def build(self, input_shape):
            self.kernel = self.add_weight(shape=(input_shape[-1], self.units), name="kernel")
            self.bias = self.add_weight(shape=(self.units,), initializer="zeros", name="bias")

        def call(self, inputs):
            return inputs @ self.kernel + self.bias

    mine = keras.Sequential([layers.Input((4,)), Linear(3), layers.Dense(1)])
    theirs = keras.Sequential([layers.Input((4,)), layers.Dense(3), layers.Dense(1)])
    theirs.set_weights(mine.get_weights())
    for model in (mine, theirs):
        model.compile("sgd", "mse")
        model.fit(*data, epochs=2, shuffle=False, verbose=0)
    for a, b in zip(mine.get_weights(), theirs.get_weights()):
        np.testing.assert_allclose(a, b, atol=1e-6)


def test_a_model_class_and_a_train_step_of_ones_own(data):
    class Mine(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense, self.dropout = layers.Dense(1), layers.Dropout(0.5)

        def call(self, inputs, training=False):
            return self.dense(self.dropout(inputs, training=training))

        def train_step(self, batch):
            x, y = batch
            with tf.GradientTape() as tape:
                loss = self.compute_loss(x, y, self(x, training=True))
            variables = self.trainable_variables
            self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
            return {"loss": loss, "twice": loss * 2}

    model = Mine()
    model.compile("adam", "mse")
    history = model.fit(*data, epochs=2, verbose=0)
    assert history.history["twice"][0] == pytest.approx(2 * history.history["loss"][0])
    quiet = model(data[0].astype("float32"), training=False)
    np.testing.assert_array_equal(quiet.numpy(), model.predict(data[0], verbose=0))


def test_models_come_back_from_files(data, tmp_path):
    model = small_model()
    model.fit(*data, verbose=0)
    for name in ("model.keras", "model.h5"):
        model.save(tmp_path / name)
        again = keras.models.load_model(tmp_path / name)
        np.testing.assert_array_equal(again.predict(data[0], verbose=0), model.predict(data[0], verbose=0))
        again.fit(*data, verbose=0)
    model.save_weights(tmp_path / "only.weights.h5")
    fresh = small_model()
    fresh.load_weights(tmp_path / "only.weights.h5")
    np.testing.assert_array_equal(fresh.get_weights()[0], model.get_weights()[0])


def test_weights_in_several_files_are_refused_with_a_sentence(tmp_path):
    for save in (small_model().save_weights, lambda *a, **w: keras.saving.save_weights(small_model(), *a, **w)):
        save(tmp_path / "one.weights.h5", max_shard_size=None)
        with pytest.raises(NotImplementedError, match="max_shard_size=0.5 asks for several files"):
            save(tmp_path / "all.weights.json", max_shard_size=0.5)
    assert [path.name for path in tmp_path.iterdir()] == ["one.weights.h5"]


def test_callbacks_see_every_epoch_and_can_stop(data):
    seen = []

    class Watch(keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            seen.append((epoch, sorted(logs)))
            if epoch == 2:
                self.model.stop_training = True

    small_model().fit(*data, epochs=10, verbose=0, callbacks=[Watch()])
    assert seen == [(i, ["loss", "mae"]) for i in range(3)]


def test_a_run_keeps_to_its_memory_or_is_refused():
    model = keras.Sequential([layers.Input((64,)), layers.Dense(512), layers.Dense(512), layers.Dense(1)])
    model.compile("adam", "mse")
    x, y = np.ones((4096, 64), "float32"), np.ones((4096, 1), "float32")
    with pytest.raises(MemoryError, match=r"it can be done in .* \(memory=\)"):
        model.fit(x, y, batch_size=4096, memory="20MiB", verbose=0)
    assert issubclass(plimsoll.DoesNotFit, tf.errors.ResourceExhaustedError)


def test_an_infinite_number_is_named_by_record_and_column(data):
    x, y = data
    x[17, 3] = np.inf
    with pytest.raises(plimsoll.Error, match=r"record 17: column 3 of 'x' is infinite"):
        small_model().fit(x, y, verbose=0)


def test_a_generators_own_error_comes_out():
    def broken():
        yield np.ones((2, 4)), np.ones((2, 1))
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        small_model().fit(broken(), verbose=0)


def test_control_c_ends_fit_and_the_model_can_be_used(data):
    model = small_model()
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(*data, epochs=10**6, verbose=0)
    assert model.predict(data[0], verbose=0).shape == (96, 1)


def test_control_c_does_not_wait_for_the_end_of_an_epoch():
    model = keras.Sequential([keras.Input((512,)), *(layers.Dense(512) for _ in range(3))])
    model.compile("sgd", "mse")
    records = tf.data.Dataset.from_tensor_slices((np.zeros((512, 512), "float32"),) * 2)
    model.fit(records.batch(512), verbose=0)
    begin = time.monotonic()
    model.fit(records.repeat(10).batch(512), verbose=0)
    seconds_of_ten = time.monotonic() - begin
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(0.3, interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(records.repeat(100_000).batch(512), verbose=0)
    # An epoch has 100,000 batches.
    assert time.monotonic() - sent[0] < max(5 * seconds_of_ten, 1)
    assert np.all(np.isfinite(model.predict(np.ones((4, 512)), verbose=0)))


def test_memory_is_flat_over_many_models_without_a_collection():
    def one():
        model = keras.Sequential([layers.Dense(256, input_shape=(256,)), layers.Dense(256)])
        model.compile("adam", "mse")
        model.fit(np.zeros((32, 256), "float32"), np.zeros((32, 256), "float32"), verbose=0)

    gc.collect()
    gc.disable()
    try:
        for _ in range(5):
            one()
        before = _core.process_memory()[0]
        for _ in range(200):
            one()
        assert _core.process_memory()[0] - before < 4 << 20  # one model takes 1.5 MiB
    finally:
        gc.enable()


@pytest.mark.parametrize("keeps", ["nothing", "losses as floats"])
def test_a_tape_loop_is_flat(keeps):
    model, losses = small_model(), []
    optimizer = keras.optimizers.SGD(0.01)
    x, y = tf.ones((32, 4)), tf.ones((32, 1))

    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        if keeps != "nothing":
            losses.append(float(loss))

    for _ in range(100):
        step()
    before = _core.process_memory()[0]
    for _ in range(10_000):
        step()
    assert _core.process_memory()[0] - before < 1 << 20


def test_a_forked_child_is_told_so():
    code = ("import os, plimsoll.tensorflow as tf\n"
            "tf.ones(3).numpy()\n"
            "if os.fork() == 0:\n"
            "    try: tf.ones(3)\n"
            "    except RuntimeError as error: print(error, flush=True)\n"
            "    os._exit(0)\n"
            "os.wait()\n")
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "was forked" in found.stdout


def test_progress_goes_through_sys_stdout(data, capsys):
    small_model().fit(*data, epochs=2, verbose=1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("epoch 1/2  3/3  loss ") and len(lines) == 2


class _Cell(io.StringIO):
    """The standard output of a cell of a notebook."""
    encoding = "utf-8"


_Cell.__module__ = "ipykernel.iostream"


def test_a_notebook_gets_a_line_that_moves_and_a_table(data, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    out = _Cell()
    monkeypatch.setattr(sys, "stdout", out)
    small_model().fit(*data, epochs=2, verbose=1)
    text = out.getvalue()
    assert text.startswith("\repoch 1/2 ━") and "\x1b" not in text
    rows = [line.rpartition("\r")[2] for line in text.split("\n")]
    assert rows[0].split()[:3] == ["epoch", "time", "loss"]
    assert rows[1].split()[0] == "1/2" and rows[1].endswith("best")


def test_no_color_asks_for_plain_lines_in_a_notebook_too(data, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    out = _Cell()
    monkeypatch.setattr(sys, "stdout", out)
    small_model().fit(*data, epochs=2, verbose=1)
    lines = out.getvalue().split("\n")
    assert lines[0].startswith("epoch 1/2  3/3  loss ") and len(lines) == 3 and "\r" not in out.getvalue()


def test_a_model_whose_loss_has_no_name_is_saved_without_it(data, tmp_path):
    model = small_model()
    model.compile("sgd", loss=lambda y_true, y_pred: (y_true - y_pred) ** 2)
    with pytest.warns(UserWarning, match="code without a name.*call compile"):
        model.save(tmp_path / "model.keras")
    again = keras.models.load_model(tmp_path / "model.keras")
    assert not again.compiled
    assert np.array_equal(again.predict(data[0], verbose=0), model.predict(data[0], verbose=0))


def test_registered_functions_and_objects_in_settings_come_back_from_files(tmp_path):
    @keras.saving.register_keras_serializable(package="test_models")
    def tripled(x):
        return x * 3.0

    @keras.saving.register_keras_serializable(package="test_models")
    class Halved(keras.constraints.Constraint):
        def __init__(self, by):
            self.by = by

        def __call__(self, w):
            return w * self.by

        def get_config(self):
            return {"by": self.by}

    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(
        1, activation=tripled, kernel_initializer="ones", kernel_constraint=Halved(0.5))])
    model.save(tmp_path / "model.keras")
    again = keras.models.load_model(tmp_path / "model.keras")
    assert again.predict(np.ones((1, 2)), verbose=0).tolist() == [[6.0]]
    again.compile(keras.optimizers.SGD(0.0), "mse")
    again.fit(np.ones((1, 2)), np.ones((1, 1)), verbose=0)
    assert again.get_weights()[0].ravel().tolist() == [0.5, 0.5]


def test_a_network_of_one_input_takes_a_list_of_one_array():
    inputs = keras.Input((6,))
    x = np.ones((2, 6), "float32")
    for model in (keras.Model(inputs, layers.Dense(2)(inputs)), keras.Sequential([keras.Input((6,)), layers.Dense(2)])):
        expected = np.asarray(model(x))
        for given in ([x], (x,), [tf.constant(x)], x.tolist()):
            np.testing.assert_array_equal(np.asarray(model(given)), expected)


def test_predictions_are_arrays_that_may_be_written():
    model = keras.Sequential([keras.Input((3,)), layers.Dense(2)])
    x = np.ones((4, 3), "float32")
    first = model.predict(x, verbose=0)
    kept = first.copy()
    first[0][1] = 7.0
    assert first[0, 1] == 7.0 and first.flags.writeable
    np.testing.assert_array_equal(model.predict(x, verbose=0), kept)


def test_functions_of_symbolic_tensors_and_first_states():
    model = keras.Sequential([keras.Input((3,)), layers.Dense(4, activation="relu"), layers.Dense(2)])
    hidden = keras.backend.function([model.layers[0].input, keras.backend.learning_phase()], [model.layers[0].output])
    found, = hidden([np.ones((2, 3)), 0])
    np.testing.assert_allclose(found, np.asarray(model.layers[0](np.ones((2, 3)))), rtol=1e-6)
    for layer, count in ((layers.LSTM(5), 2), (layers.GRU(5), 1), (layers.LSTMCell(5), 2)):
        states = layer.get_initial_state(batch_size=3)
        assert [tuple(state.shape) for state in states] == [(3, 5)] * count
    sequence = tf.ones((2, 4, 3))
    gru = layers.GRU(5)
    np.testing.assert_array_equal(np.asarray(gru(sequence)),
                                  np.asarray(gru(sequence, initial_state=gru.get_initial_state(sequence))))
