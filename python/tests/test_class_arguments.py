"""Arguments of generated classes are taken as Keras and older scripts write them."""
import numpy as np
import pytest

from plimsoll.keras import activations, initializers, layers, losses, optimizers, regularizers


def test_arguments_may_be_positional_or_keywords():
    assert layers.Dense(3, "relu").get_config()["activation"] == "relu"
    assert layers.Dense(units=3, activation="relu").units == 3


def test_a_missing_argument_is_named():
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'units'"):
        layers.Dense()


def test_an_unknown_argument_is_named_with_the_nearest_one():
    with pytest.raises(TypeError, match="'kernel_initialiser'.*mean 'kernel_initializer'"):
        layers.Dense(3, kernel_initialiser="zeros")
    with pytest.raises(ValueError, match="momentun"):
        layers.BatchNormalization(momentun=0.9)
    with pytest.raises(TypeError, match="'beta1'.*mean 'beta_1'"):
        optimizers.Adam(beta1=0.8)


def test_an_argument_is_not_taken_twice():
    with pytest.raises(TypeError, match="multiple values for argument 'units'"):
        layers.Dense(3, units=4)


def test_too_many_arguments_are_refused():
    with pytest.raises(TypeError, match="takes at most 1 positional"):
        regularizers.L2(0.1, 0.2)


@pytest.mark.parametrize("activation", ["relu", activations.relu, layers.ReLU()])
def test_an_activation_is_a_name_a_function_or_a_layer(activation):
    layer = layers.Dense(3, activation=activation)
    assert "relu" in str(layer.get_config()["activation"]).lower()


def test_weights_settings_are_names_configs_classes_or_objects():
    wanted = initializers.HeNormal().get_config()
    for given in ("he_normal", "HeNormal", initializers.HeNormal, initializers.HeNormal(),
                  initializers.serialize(initializers.HeNormal())):
        config = layers.Dense(3, kernel_initializer=given).get_config()["kernel_initializer"]
        assert (config["class_name"], config["config"]) == ("HeNormal", wanted)
    layer = layers.Dense(3, kernel_regularizer=regularizers.l2(0.5))
    assert layer.kernel_regularizer.l2 == 0.5


def test_numbers_of_numpy_are_numbers():
    assert layers.Dense(np.int64(3)).units == 3
    assert layers.Conv2D(np.int32(2), np.array([3, 5])).kernel_size == (3, 5)
    assert optimizers.SGD(np.float32(0.5)).get_config()["learning_rate"] == 0.5


def test_dtypes_are_names_or_objects():
    for dtype in ("float32", np.float32, np.dtype("float32"), np.dtype("float64")):
        assert layers.Dense(3, dtype=dtype)(np.ones((1, 2), "float32")).dtype == "float32"


@pytest.mark.parametrize("words, shape", [
    ({"input_shape": (4,)}, (None, 4)),
    ({"input_shape": [None, 8]}, (None, None, 8)),
    ({"input_shape": (4,), "batch_size": 2}, (2, 4)),
    ({"batch_input_shape": (5, 4)}, (5, 4)),
    ({"input_dim": 7}, (None, 7)),
    ({"input_dim": 7, "input_length": 3}, (None, 3, 7)),
])
def test_the_old_words_for_shapes_are_taken(words, shape):
    assert layers.LSTM(2, **words)._batch_input_shape == shape


def test_an_embedding_keeps_its_own_input_dim():
    layer = layers.Embedding(10, 4, input_length=6)
    assert layer.input_dim == 10
    assert layer._batch_input_shape == (None, 6)


def test_old_weights_are_kept_for_building():
    matrix = np.ones((10, 4), np.float32)
    assert layers.Embedding(10, 4, weights=[matrix])._initial_weights[0] is matrix


def test_old_words_of_optimizers_are_taken():
    assert optimizers.Adam(lr=0.5).get_config()["learning_rate"] == 0.5
    rate = optimizers.SGD(lr=0.5, decay=0.1).get_config()["learning_rate"]
    assert rate["class_name"] == "InverseTimeDecay"
    assert rate["config"]["decay_rate"] == 0.1
    assert optimizers.Adam(epsilon=None).epsilon == pytest.approx(1e-7)


def test_old_words_of_layers_are_taken():
    assert layers.LeakyReLU(alpha=0.25).negative_slope == 0.25
    assert layers.LSTM(2, implementation=2).units == 2
    assert layers.Convolution2D is layers.Conv2D
    assert layers.experimental.preprocessing.RandomFlip is layers.RandomFlip


def test_a_reduction_has_keras_2s_names_too():
    reduction = losses.Reduction
    assert losses.MeanSquaredError(reduction=reduction.NONE).reduction == "none"
    assert losses.MeanSquaredError(reduction=None).reduction == "none"
    assert losses.MeanSquaredError(reduction="auto").reduction == "sum_over_batch_size"


def test_code_of_the_users_is_left_to_python():
    def scaled(shape, dtype=None):
        return np.full(shape, 0.5)

    layer = layers.Dense(3, activation=lambda x: x * 2, kernel_initializer=scaled)
    assert set(layer._python_arguments) == {"activation", "kernel_initializer"}
    assert layer.activation(2) == 4


def test_a_class_of_the_users_derives_from_a_generated_one():
    class Wide(layers.Dense):
        def __init__(self, factor, **kwargs):
            super().__init__(4 * factor, **kwargs)
            self.factor = factor

        def get_config(self):
            return {**super().get_config(), "factor": self.factor}

    layer = Wide(2, activation="tanh", name="wide")
    assert layer.units == 8
    assert layer.get_config()["factor"] == 2
    assert layer.name == "wide"


@pytest.mark.parametrize("name, reason", [
    ("TFSMLayer", "SavedModel"), ("MelSpectrogram", "STFTSpectrogram"), ("JaxLayer", "JAX")])
def test_a_layer_that_is_not_here_is_an_error_with_the_reason(name, reason):
    with pytest.raises(AttributeError, match=f"keras.layers.{name}.*{reason}"):
        getattr(layers, name)


def test_an_import_of_a_name_that_is_not_here_says_so():
    with pytest.raises(ImportError, match="Plimsoll has no keras.optimizers.Lamb"):
        from plimsoll.keras.optimizers import Lamb  # noqa: F401
    with pytest.raises(ImportError, match="Plimsoll has no keras.layers.Dens.*Dense"):
        from plimsoll.keras.layers import Dens  # noqa: F401


def test_a_star_import_gives_every_name():
    names = {}
    exec("from plimsoll.keras.losses import *", names)
    assert {"MeanSquaredError", "Loss", "mean_squared_error", "get"} <= set(names)
