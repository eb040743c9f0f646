"""What evaluate() reports, in which order, and the symbolic tensors of a Sequential's layers."""
import numpy as np
import pytest

from plimsoll import keras
from plimsoll.keras import layers

X = np.random.RandomState(0).rand(64, 5).astype("float32")
Y = np.eye(3)[np.random.RandomState(1).randint(0, 3, 64)]


def classifier():
    model = keras.Sequential([keras.Input((5,)), layers.Dense(3, activation="softmax")])
    model.set_weights([np.linspace(-2, 2, 15).reshape(5, 3), np.array([0.1, 0.2, 0.3])])
    return model


def two_outputs():
    inputs = keras.Input((5,))
    price = layers.Dense(1, name="price")(inputs)
    kind = layers.Dense(3, activation="softmax", name="kind")(inputs)
    return keras.Model(inputs, [price, kind])


def fresh_metrics():
    return ["accuracy", keras.metrics.Precision(name="precision"), keras.metrics.AUC(name="auc"),
            keras.metrics.TopKCategoricalAccuracy(k=2, name="top_k_categorical_accuracy")]


def test_evaluate_reports_metrics_in_the_order_of_compile():
    model = classifier()
    model.compile("sgd", "categorical_crossentropy", metrics=fresh_metrics())
    values = model.evaluate(X, Y, verbose=0)
    # The values of the real Keras, whose names are in this order too.
    assert model.metrics_names == ["loss", "accuracy", "precision", "auc", "top_k_categorical_accuracy"]
    assert values == pytest.approx([1.43827, 0.234375, 0.216667, 0.417969, 0.625], abs=1e-5)
    assert list(model.evaluate(X, Y, verbose=0, return_dict=True)) == model.metrics_names
    assert model.test_on_batch(X, Y) == pytest.approx(values, abs=1e-6)


@pytest.mark.parametrize("metrics", [{"price": ["mae", "mse"], "kind": "accuracy"},
                                     [["mae", "mse"], ["accuracy"]]], ids=["by name", "in a list"])
def test_losses_of_outputs_come_first_and_metrics_of_outputs_by_name(metrics):
    model = two_outputs()
    model.compile("sgd", ["mse", "categorical_crossentropy"], metrics=metrics)
    values = model.evaluate(X, [Y[:, 0], Y], verbose=0)
    assert model.metrics_names == ["loss", "price_loss", "kind_loss", "kind_accuracy", "price_mae",
                                   "price_mse"]
    assert values[0] == pytest.approx(values[1] + values[2], rel=1e-5)
    assert values[5] == pytest.approx(values[1], rel=1e-5) and values[4] != values[5]
    by_name = model.evaluate(X, {"price": Y[:, 0], "kind": Y}, verbose=0, return_dict=True)
    assert list(by_name) == model.metrics_names


def test_the_third_argument_of_compile_may_be_metrics_as_in_keras_2():
    model = classifier()
    model.compile("sgd", "categorical_crossentropy", ["accuracy"])
    assert model.metrics_names == ["loss", "accuracy"]
    model.compile("sgd", "categorical_crossentropy", [2.0])
    assert model.metrics_names == ["loss"]
    doubled = model.evaluate(X, Y, verbose=0)
    model.compile("sgd", "categorical_crossentropy")
    assert doubled == pytest.approx(2 * model.evaluate(X, Y, verbose=0), rel=1e-6)


def test_layers_of_a_sequential_have_outputs_before_the_model_is_asked_for_its_input():
    model = keras.Sequential([layers.Dense(4, input_shape=(5,), activation="relu"), layers.Dense(2)])
    outputs = [layer.output for layer in model.layers]
    assert [tuple(output.shape) for output in outputs] == [(None, 4), (None, 2)]
    maps = keras.Model(inputs=model.input, outputs=outputs)
    hidden, last = maps.predict(X, verbose=0)
    assert hidden.shape == (64, 4) and hidden.min() == 0
    np.testing.assert_allclose(last, model.predict(X, verbose=0), rtol=1e-6)


def test_layers_of_a_sequential_without_an_input_say_that_it_is_not_known():
    model = keras.Sequential([layers.Dense(4)])
    with pytest.raises(AttributeError):
        model.layers[0].output
