"""Models with steps of their own train in a Python loop, which does all that the engine's does or says that it does not."""
import numpy as np
import pytest

import plimsoll
import plimsoll.tensorflow as tf
from plimsoll import keras
from plimsoll.keras import layers

X = np.random.default_rng(0).normal(size=(48, 4)).astype("float32")
Y = (np.arange(48) % 3).astype("int64")


class Own(keras.Model):
    """Its steps are Keras's, and say that they ran."""

    def train_step(self, data):
        return {**super().train_step(data), "trained": 1.0}

    def test_step(self, data):
        return {**super().test_step(data), "tested": 2.0}

    def predict_step(self, data):
        return super().predict_step(data) * 10.0


def model_of(kind=Own, units=3, **settings):
    keras.utils.set_random_seed(1)
    inputs = keras.Input((4,))
    model = kind(inputs, layers.Dense(units, activation="softmax", name="dense")(inputs))
    model.compile(keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy", metrics=["accuracy"], **settings)
    return model


# --- single batches ---------------------------------------------------------------------------


def test_single_batches_run_the_steps_of_the_class():
    model, plain = model_of(), model_of(keras.Model)
    found, expected = (each.train_on_batch(X, Y, return_dict=True) for each in (model, plain))
    assert found.pop("trained") == 1.0 and found == pytest.approx(expected, rel=1e-5)
    found, expected = (each.test_on_batch(X, Y, return_dict=True) for each in (model, plain))
    assert found.pop("tested") == 2.0 and found == pytest.approx(expected, rel=1e-5)
    np.testing.assert_allclose(model.predict_on_batch(X), 10 * plain.predict_on_batch(X), rtol=1e-5)
    for mine, theirs in zip(model.get_weights(), plain.get_weights()):
        np.testing.assert_allclose(mine, theirs, atol=1e-6)


@pytest.mark.parametrize("kind", [keras.Model, Own])
def test_a_single_batch_has_weights_of_classes(kind):
    by_class, by_sample, weightless = model_of(kind), model_of(kind), model_of(kind)
    by_class.train_on_batch(X, Y, class_weight={0: 5.0, 2: 0.1})
    by_sample.train_on_batch(X, Y, sample_weight=np.array([5.0, 1.0, 0.1], "float32")[Y])
    weightless.train_on_batch(X, Y)
    kernels = [model.get_weights()[0] for model in (by_class, by_sample, weightless)]
    np.testing.assert_allclose(kernels[0], kernels[1], atol=1e-6)
    assert not np.allclose(kernels[0], kernels[2], atol=1e-4)


RARE = (np.arange(48) % 8 == 0).astype("int64") + 2 * (np.arange(48) == 47)


@pytest.mark.parametrize("kind", [keras.Model, Own])
@pytest.mark.parametrize("loss, y", [("sparse_categorical_crossentropy", RARE),
                                     ("categorical_crossentropy", np.eye(3, dtype="float32")[RARE])])
def test_balanced_classes_weigh_what_is_trained_on(kind, loss, y):
    # Of the first 36 records, which a validation of a quarter leaves, 5 are of class 1 and none of class 2.
    by_number = {0: 36 / (2 * 31), 1: 36 / (2 * 5)}
    kernels = []
    for class_weight in ("balanced", by_number, None):
        model = model_of(kind)
        model.compile("sgd", loss)
        model.fit(X, y, class_weight=class_weight, validation_split=0.25, shuffle=False, verbose=0)
        kernels.append(model.get_weights()[0])
    np.testing.assert_allclose(kernels[0], kernels[1], atol=1e-6)
    assert not np.allclose(kernels[0], kernels[2], atol=1e-4)


@pytest.mark.parametrize("kind", [keras.Model, Own])
def test_classes_of_a_stream_are_not_balanced(kind):
    with pytest.raises(ValueError, match='class_weight="balanced" counts the classes'):
        model_of(kind).fit(((X, Y) for _ in range(3)), steps_per_epoch=2, class_weight="balanced", verbose=0)


def test_a_loss_of_the_class_counts_in_evaluate_too():
    class Doubled(keras.Model):
        def compute_loss(self, *args, **kwargs):
            return super().compute_loss(*args, **kwargs) * 2.0

    doubled, plain = (model_of(kind).evaluate(X, Y, verbose=0, return_dict=True) for kind in (Doubled, keras.Model))
    assert doubled["loss"] == pytest.approx(2 * plain["loss"], rel=1e-5)


# --- words of fit -----------------------------------------------------------------------------


@pytest.mark.parametrize("words, sentence", [
    ({"on_bad_step": "skip"}, "stops at a bad step; leave on_bad_step out"),
    ({"on_bad_record": "skip"}, "does not look at single records; leave on_bad_record out"),
    ({"max_bad": 3}, "leaves no record out; leave max_bad out"),
    ({"doctor": True}, "the doctor cannot watch; leave doctor out"),
    ({"run": "somewhere"}, "writes no folder of a run; leave `run` out"),
])
def test_what_a_loop_in_python_does_not_do_is_refused(words, sentence):
    with pytest.raises(ValueError, match=f"runs in a Python loop, which {sentence}"):
        model_of().fit(X, Y, verbose=0, **words)


def test_evaluate_and_predict_refuse_them_too():
    for run in (lambda **words: model_of().evaluate(X, Y, **words), lambda **words: model_of().predict(X, **words)):
        with pytest.raises(ValueError, match="leave on_bad_record out"):
            run(verbose=0, on_bad_record="skip")


def test_the_memory_of_a_run_is_the_limit_of_its_steps_and_no_longer():
    wide = np.zeros((4096, 4), "float32"), np.zeros(4096, "int64")
    model = model_of(units=4096)
    model.predict(wide[0][:2], verbose=0)
    plimsoll.set_memory_limit("64GiB")
    try:
        for run in (model.fit, model.evaluate, lambda x, y, **words: model.predict(x, **words)):
            with pytest.raises(MemoryError):
                run(*wide, batch_size=4096, memory="20MiB", verbose=0)
            assert plimsoll.memory_limit() == 64 << 30
    finally:
        plimsoll.set_memory_limit(None)


# --- callbacks and the history ----------------------------------------------------------------


class Hooks(keras.callbacks.Callback):
    """The hooks that were called, with the numbers that they were given."""

    def __init__(self):
        super().__init__()
        self.called = []


def _noting(hook):
    def note(self, *given):
        numbers = [each for each in given if not isinstance(each, dict)]
        self.called.append((hook, *numbers, *sorted(given[-1])))
    return note


for _hook in ("on_test_begin", "on_test_batch_begin", "on_test_batch_end", "on_test_end", "on_predict_begin",
              "on_predict_batch_begin", "on_predict_batch_end", "on_predict_end"):
    setattr(Hooks, _hook, _noting(_hook))


def test_validation_and_predict_call_their_hooks():
    model, hooks = model_of(), Hooks()
    model.fit(X, Y, validation_split=0.5, batch_size=16, verbose=0, callbacks=[hooks])
    logs = ("accuracy", "loss", "tested")
    assert hooks.called == [("on_test_begin",), ("on_test_batch_begin", 0), ("on_test_batch_end", 0, *logs),
                            ("on_test_batch_begin", 1), ("on_test_batch_end", 1, *logs), ("on_test_end", *logs)]
    hooks.called.clear()
    model.predict(X, batch_size=48, verbose=0, callbacks=hooks)
    assert hooks.called == [("on_predict_begin",), ("on_predict_batch_begin", 0),
                            ("on_predict_batch_end", 0, "outputs"), ("on_predict_end",)]


def test_the_history_has_what_was_measured():
    history = model_of().fit(X, Y, verbose=0)
    assert history.measured_peak_bytes == plimsoll.process_memory()["peak_resident_bytes"]
    assert history.step_seconds > 0 and history.plan is None


# --- the optimizer ----------------------------------------------------------------------------


def test_another_optimizer_leaves_the_rest_of_compile_as_it_was():
    model = model_of(loss_weights=[0.5], weighted_metrics=["accuracy"], run_eagerly=True)
    before = model.evaluate(X, Y, verbose=0, return_dict=True)
    model.optimizer = keras.optimizers.SGD(0.25)
    assert model.run_eagerly and float(model.optimizer.learning_rate) == 0.25
    assert model.evaluate(X, Y, verbose=0, return_dict=True) == pytest.approx(before)


def test_the_optimizer_of_a_class_with_its_own_compile_is_replaced():
    class Pair(Own):
        def compile(self, first, second):
            super().compile(first, "sparse_categorical_crossentropy", metrics=["accuracy"])

    inputs = keras.Input((4,))
    model = Pair(inputs, layers.Dense(3, activation="softmax")(inputs))
    model.compile("sgd", "adam")
    model.optimizer = keras.optimizers.Adam(0.5)
    assert "accuracy" in model.fit(X, tf.constant(Y), verbose=0).history
