"""keras.losses: classes, functions, names and losses of the user's own."""
import numpy as np
import pytest

from plimsoll import keras
from plimsoll.keras import losses

TRUE = np.array([[0.0, 1.0], [1.0, 1.0]], np.float32)
SAID = np.array([[0.5, 0.5], [0.0, 2.0]], np.float32)
SQUARES = ((TRUE - SAID) ** 2).mean(axis=1)


def test_a_loss_is_called_with_targets_and_predictions():
    assert float(losses.MeanSquaredError()(TRUE, SAID)) == pytest.approx(SQUARES.mean())


def test_weights_of_samples_count():
    weighted = losses.MeanSquaredError(reduction="sum")(TRUE, SAID, sample_weight=[1.0, 0.5])
    assert float(weighted) == pytest.approx(SQUARES[0] + SQUARES[1] / 2)


def test_without_a_reduction_there_is_a_value_per_sample():
    values = losses.MeanSquaredError(reduction="none")(TRUE, SAID)
    assert np.asarray(values) == pytest.approx(SQUARES)


def test_a_function_gives_a_value_per_sample():
    assert np.asarray(losses.mean_squared_error(TRUE, SAID)) == pytest.approx(SQUARES)
    assert losses.mean_squared_error.__name__ == "mean_squared_error"


def test_a_function_takes_settings():
    logits = np.array([[2.0, -1.0]], np.float32)
    target = np.array([[1.0, 0.0]], np.float32)
    wanted = np.log1p(np.exp(-np.abs(logits))).mean()
    said = losses.binary_crossentropy(target, logits, from_logits=True)
    assert float(said[0]) == pytest.approx(wanted, rel=1e-5)
    assert np.asarray(losses.huber(TRUE, SAID, 10.0)) == pytest.approx(SQUARES / 2)


@pytest.mark.parametrize("name", ["mse", "MSE", "mean_squared_error"])
def test_short_names_are_functions(name):
    assert losses.get(name) is losses.mean_squared_error
    assert getattr(losses, name) is losses.mean_squared_error


def test_get_takes_names_of_classes_configs_and_objects():
    assert isinstance(losses.get("MeanSquaredError"), losses.MeanSquaredError)
    loss = losses.Huber(delta=2.0)
    assert losses.get(loss) is loss
    again = losses.get(losses.serialize(loss))
    assert isinstance(again, losses.Huber)
    assert again.delta == 2.0
    assert losses.get(None) is None


def test_get_refuses_what_it_does_not_know():
    with pytest.raises(ValueError, match="'mean_square_error' is not known.*mean_squared_error"):
        losses.get("mean_square_error")


def test_every_form_has_a_handle():
    def own(y_true, y_pred):
        return (y_true - y_pred) ** 2

    for form in ("mse", "sparse_categorical_crossentropy", "Huber", own, losses.Huber(),
                 losses.mean_squared_error, losses.MeanSquaredError):
        assert callable(losses.get(form)._handle)
    assert float(losses.get(own)(TRUE, SAID)) == pytest.approx(SQUARES.mean())
    assert losses.get(own).name == "own"


def test_a_loss_of_the_users_own_computes_in_python():
    class Scaled(losses.Loss):
        def __init__(self, factor, **kwargs):
            super().__init__(**kwargs)
            self.factor = factor

        def call(self, y_true, y_pred):
            return (y_true - y_pred) ** 2 * self.factor

    loss = Scaled(3.0, name="scaled")
    assert float(loss(TRUE, SAID)) == pytest.approx(3 * SQUARES.mean())
    assert loss.get_config() == {"name": "scaled", "reduction": "sum_over_batch_size"}
    assert Scaled(1.0).name == "scaled"


def test_a_loss_derived_from_keras_s_may_have_its_own_call():
    class Twice(losses.MeanSquaredError):
        def call(self, y_true, y_pred):
            return 2 * super().call(y_true, y_pred)

    assert float(Twice()(TRUE, SAID)) == pytest.approx(2 * SQUARES.mean())


def test_a_base_without_call_says_what_is_missing():
    with pytest.raises(NotImplementedError, match="needs a method call"):
        losses.Loss()(TRUE, SAID)


@pytest.mark.parametrize("dtype", ["bool", "int64", "uint8", "float64"])
def test_a_loss_of_ones_own_sees_labels_as_float32(dtype):
    seen = []

    def squares(y_true, y_pred):
        seen.append((y_true.dtype.name, y_pred.dtype.name))
        return keras.ops.mean(keras.ops.square(y_true - y_pred), axis=-1)

    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
    model.compile("sgd", squares)
    model.fit(np.ones((8, 3)), (np.arange(8) % 2).astype(dtype), verbose=0)
    assert set(seen) == {("float32", "float32")}
