"""plimsoll.doctor, plimsoll.find_learning_rate and fit(doctor=True)."""
import numpy as np
import plimsoll
import pytest
import plimsoll.tensorflow as tf
from plimsoll import keras

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 4)).astype("float32")
Y = (X[:, 0] * X[:, 1] > 0).astype("float32")[:, None]


def model_of(rate, last="sigmoid"):
    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(32, "relu"),
                              keras.layers.Dense(32, "relu"), keras.layers.Dense(1, last)])
    model.compile(keras.optimizers.Adam(rate), "binary_crossentropy", ["accuracy"])
    return model


def first_cause(diagnosis):
    above = [it.cause for it in diagnosis if it.severity != "note"]
    return above[0] if above else None


def test_a_model_before_it_is_trained():
    assert first_cause(model_of(1e-3, last="relu").doctor(X, Y)) == "output_activation"
    assert first_cause(plimsoll.doctor(model_of(1e-3), X, Y)) is None


def test_a_run_by_its_history():
    model = model_of(1e-7)
    history = model.fit(X, Y, epochs=6, verbose=0)
    found = plimsoll.doctor(model, X, Y, history=history)
    assert found.verdict == "poor"
    assert first_cause(found) == "learning_rate_low"
    assert found.findings[0].option == "learning_rate=0.001"
    assert "learning_rate_low" in str(found)
    assert "<table>" in found._repr_html_()


def test_a_sound_run_is_healthy_and_hears_nothing(capfd):
    model = model_of(0.01)
    history = model.fit(X, Y, epochs=40, verbose=0, doctor=True)
    found = model.doctor(X, Y, history=history)
    assert found.verdict == "healthy" and found.skill > 0.7
    assert "learning_rate" not in capfd.readouterr().err


def test_what_spoils_a_run_is_said_while_it_goes_on(capfd):
    model = model_of(3.0)
    history = model.fit(X, Y, epochs=30, verbose=0, doctor=True)
    said = capfd.readouterr().err
    assert said.count("learning_rate_high") == 1
    assert "lower the learning rate: learning_rate=0.001" in said
    assert first_cause(model.doctor(X, Y, history=history)) == "learning_rate_high"


def test_a_learning_rate_is_found_and_the_model_is_as_before():
    model = model_of(1e-3)
    before = [np.array(it) for it in model.get_weights()]
    found = plimsoll.find_learning_rate(model, X, Y)
    assert 1e-4 < found.learning_rate < 0.3
    assert len(found.rates) == len(found.losses) <= 150
    assert all(np.array_equal(a, b) for a, b in zip(before, model.get_weights()))
    good = model_of(found.learning_rate).fit(X, Y, epochs=30, verbose=0).history["loss"][-1]
    slow = model_of(found.learning_rate / 100).fit(X, Y, epochs=30, verbose=0).history["loss"][-1]
    assert good < 0.5 * slow


def test_an_unknown_threshold_is_refused():
    with pytest.raises(plimsoll.InvalidArgument, match="there is no threshold"):
        plimsoll.doctor(model_of(1e-3), X, Y, thresholds={"nothing": 1})


def test_the_batch_size_is_that_of_the_run(monkeypatch):
    seen = []
    monkeypatch.setattr(plimsoll._core, "diagnose", lambda *given: seen.append(given[4]) or {
        "verdict": "healthy", "skill": None, "findings": []})
    model = model_of(1e-3)
    history = model.fit(X, Y, batch_size=50, validation_split=0.25, verbose=0)
    for x, y in ((X, Y), ([X], [Y]), (tf.data.Dataset.from_tensor_slices((X, Y)).batch(25), None), (None, None)):
        model.doctor(x, y, history=history)
    model.doctor(tf.data.Dataset.from_tensor_slices((X, Y)).batch(25))
    model.doctor(((X[i:i + 20], Y[i:i + 20]) for i in range(0, 400, 20)))
    model.doctor(X, Y)
    assert seen == [50, 50, 50, 50, 25, 20, 32]


class Subclassed(keras.Model):
    """A sound model whose activations are in its call."""

    def __init__(self, last="sigmoid"):
        super().__init__()
        self.head = keras.layers.Dense(1, last)
        self.one, self.two = keras.layers.Dense(32), keras.layers.Dense(32)

    def call(self, x):
        return self.head(keras.ops.relu(self.two(keras.ops.relu(self.one(x)))))


def test_a_subclassed_model_is_not_blamed_for_what_cannot_be_seen():
    keras.utils.set_random_seed(1)
    model = Subclassed()
    model.compile(keras.optimizers.Adam(0.01), "binary_crossentropy", ["accuracy"])
    history = model.fit(X, Y, epochs=40, verbose=0, doctor=True)
    assert first_cause(model.doctor(X, Y, history=history)) is None
    slow = Subclassed()
    slow.compile(keras.optimizers.Adam(1e-7), "binary_crossentropy", ["accuracy"])
    history = slow.fit(X, Y, epochs=6, verbose=0, doctor=True)
    assert first_cause(slow.doctor(X, Y, history=history)) == "learning_rate_low"


@pytest.mark.parametrize("last", [
    lambda x: keras.layers.Lambda(lambda y: keras.ops.sigmoid(y))(keras.layers.Dense(1)(x)),
    lambda x: keras.ops.sigmoid(keras.layers.Dense(1)(x)),
    lambda x: keras.layers.Dense(1, activation=lambda y: keras.ops.sigmoid(y))(x),
    lambda x: keras.layers.Activation("sigmoid")(keras.layers.Dense(1)(x)),
    lambda x: keras.layers.SpectralNormalization(keras.layers.Dense(1, "sigmoid"))(x),
])
def test_an_output_that_is_made_in_another_way_is_sound(last):
    inputs = keras.Input((4,))
    model = keras.Model(inputs, last(keras.layers.Dense(32, "relu")(inputs)))
    model.compile(keras.optimizers.Adam(0.01), "binary_crossentropy", ["accuracy"])
    assert first_cause(model.doctor(X, Y)) is None


def test_the_doctor_knows_how_records_were_read():
    order = np.argsort(Y[:, 0], kind="stable")
    for doctor in (False, True):
        model = model_of(1e-3)
        history = model.fit(X[order], Y[order], epochs=8, verbose=0, shuffle=False, doctor=doctor)
        found = model.doctor(X[order], Y[order], history=history)
        assert "not_shuffled" in [it.cause for it in found.findings]
