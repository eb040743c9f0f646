"""What Keras's own tests showed to differ, each in a few lines."""
import csv

import numpy as np
import pytest

from plimsoll import keras
from plimsoll.keras import _serialization, layers


class Sum(keras.Model):
    """Adds its two inputs."""

    def __init__(self):
        super().__init__()
        self.dense = layers.Dense(1)

    def call(self, inputs):
        return self.dense(inputs[0] + inputs[1])


@pytest.mark.parametrize("from_generator", [False, True])
def test_a_model_class_of_several_inputs_fits(from_generator):
    model = Sum()
    model.compile("sgd", "mse")
    x, y = [np.ones((8, 3), "float32")] * 2, np.ones((8, 1), "float32")
    data = (iter([(x, y)] * 2), None) if from_generator else (x, y)
    history = model.fit(*data, steps_per_epoch=2 if from_generator else None, verbose=0)
    assert np.isfinite(history.history["loss"][0]) and len(model.weights) == 2


def test_a_model_without_trainable_weights_fits_with_a_warning():
    model = keras.Sequential([keras.Input((2,)), layers.Rescaling(2.0)])
    model.compile("sgd", "mse")
    with pytest.warns(UserWarning, match="no trainable weight"):
        history = model.fit(np.ones((4, 2)), np.zeros((4, 2)), verbose=0)
    assert history.history["loss"] == pytest.approx([4.0])


def test_a_loss_may_define_call_itself():
    class SumOfAll(keras.losses.Loss):
        def __call__(self, y_true, y_pred, sample_weight=None):
            return keras.ops.sum(y_pred)

    model = keras.Sequential([keras.Input((2,)), layers.Dense(1, kernel_initializer="ones")])
    model.compile("sgd", SumOfAll())
    assert model.evaluate(np.ones((4, 2)), np.ones((4, 1)), verbose=0) == pytest.approx(8.0)


def test_predictions_of_a_loss_may_be_whole_numbers():
    assert float(keras.losses.MeanSquaredError()([[1, 2]], [[3, 2]])) == 2.0
    with pytest.raises(ValueError, match="'abc' is not known"):
        keras.losses.Loss(reduction="abc")


def test_discretization_learns_its_boundaries():
    layer = layers.Discretization(num_bins=2)
    layer.adapt(np.array([[1.0], [2.0], [9.0], [10.0]]))
    assert np.asarray(layer(np.array([[0.0], [20.0]]))).ravel().tolist() == [0, 1]


def test_layers_of_images_take_one_image():
    image = np.ones((4, 6, 3), "float32")
    assert tuple(layers.Resizing(2, 3)(image).shape) == (2, 3, 3)
    assert tuple(layers.RandomFlip()(image, training=True).shape) == (4, 6, 3)


def test_random_layers_change_images_unless_told_not_to():
    images = np.arange(48, dtype="float32").reshape(1, 4, 4, 3)
    assert not np.allclose(layers.RandomBrightness(0.5, value_range=(0, 255), seed=1)(images), images)
    assert np.allclose(layers.RandomBrightness(0.5, seed=1)(images, training=False), images)


def test_each_input_of_attention_has_its_own_mask():
    query = value = np.ones((1, 2, 1), "float32")
    _, scores = layers.Attention()([query, value], mask=[None, np.array([[1, 0]])],
                                   return_attention_scores=True)
    assert np.asarray(scores).tolist() == [[[1.0, 0.0], [1.0, 0.0]]]


def test_masks_and_shapes_are_computed_without_values():
    x = np.array([[[0.0], [1.0]]])
    assert np.asarray(layers.Masking().compute_mask(x)).tolist() == [[False, True]]
    assert layers.Dense(3).compute_mask(x) is None
    assert layers.Dense(3).compute_output_shape((5, 2)) == (5, 3)
    assert tuple(layers.Dense(3).compute_output_spec(keras.KerasTensor((None, 2))).shape) == (None, 3)
    assert layers.Flatten().built and not layers.Dense(3).built
    assert layers.ReLU().supports_masking and not layers.Conv2D(1, 1).supports_masking


def test_texts_are_as_long_as_the_longest_of_the_batch():
    layer = layers.TextVectorization(vocabulary=["a", "b"])
    assert np.asarray(layer(np.array(["a b", "b"]))).tolist() == [[2, 3], [3, 0]]


def test_the_value_of_a_variable_is_an_attribute_and_a_method():
    variable = keras.Variable([1.0, 2.0])
    assert np.asarray(variable.value).tolist() == np.asarray(variable.value()).tolist() == [1.0, 2.0]
    assert float(keras.ops.sum(variable.value + 1.0)) == 5.0


def test_terminate_on_nan_ends_fit():
    x, y = np.full((2, 1), 1e30), np.ones((2, 1))
    model = keras.Sequential([keras.Input((1,)), layers.Dense(1, kernel_initializer="ones")])
    model.compile("sgd", "mse")
    history = model.fit(x, y, epochs=3, callbacks=[keras.callbacks.TerminateOnNaN()], verbose=0)
    assert len(history.history["loss"]) == 1 and np.isnan(history.history["loss"][0])
    with pytest.raises(RuntimeError):
        model.fit(x, y, callbacks=[keras.callbacks.TerminateOnNaN(raise_error=True)], verbose=0)


def test_csv_logger_has_columns_for_a_later_validation(tmp_path):
    model = keras.Sequential([keras.Input((1,)), layers.Dense(1)])
    model.compile("sgd", "mse")
    x = np.ones((4, 1))
    model.fit(x, x, epochs=2, validation_data=(x, x), validation_freq=2, verbose=0,
              callbacks=[keras.callbacks.CSVLogger(tmp_path / "log.csv")])
    rows = list(csv.DictReader((tmp_path / "log.csv").open()))
    assert rows[0]["val_loss"] == "NA" and float(rows[1]["val_loss"]) >= 0


def test_tree_flattens_and_packs():
    structure = {"b": [1, (2,)], "a": None}
    assert keras.tree.flatten(structure) == [None, 1, 2]
    assert keras.tree.pack_sequence_as(structure, [0, 3, 4]) == {"b": [3, (4,)], "a": 0}
    assert keras.tree.map_structure(lambda x, y: x + y, [1, 2], [3, 4]) == [4, 6]
    with pytest.raises(ValueError, match="structures differ"):
        keras.tree.assert_same_structure([1], [[1]])


def test_an_old_module_does_not_hide_the_name_of_a_class():
    from plimsoll.keras.optimizers.adam import Adam

    assert type(keras.optimizers.get("adam")) is Adam


def test_a_registered_function_does_not_hide_one_of_keras(monkeypatch):
    monkeypatch.setattr(_serialization, "registered", {"mine>mse": len, "mine>own": len})
    assert keras.losses.get("mse") is keras.losses.mean_squared_error
    assert _serialization.by_name("own", "losses") is len


def test_policies_are_known_by_name():
    assert layers.Dense(1, dtype="float32").dtype_policy.name == "float32"
    assert keras.dtype_policies.get("mixed_float16") == keras.DTypePolicy("mixed_float16")
