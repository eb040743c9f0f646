"""Generated layers compute, with code of the user's among their arguments too."""
import numpy as np
import pytest

from plimsoll import keras
from plimsoll import tensorflow as tf
from plimsoll.keras import constraints, initializers, layers, regularizers

X = np.array([[1.0, -2.0], [3.0, 0.5]], np.float32)


def array(tensor):
    return np.asarray(tensor)


def test_a_layer_computes():
    layer = layers.Dense(2, kernel_initializer="identity", bias_initializer="ones")
    assert array(layer(X)) == pytest.approx(X + 1)
    assert [tuple(weight.shape) for weight in layer.weights] == [(2, 2), (2,)]


def test_an_activation_of_the_users_own_is_applied():
    layer = layers.Dense(2, activation=lambda x: x * 10.0, kernel_initializer="identity")
    assert array(layer(X)) == pytest.approx(10 * X)
    assert type(layer).__name__ == "Dense"
    assert isinstance(layer, layers.Dense)
    assert len(layer.weights) == 2


def test_a_layer_as_an_activation_is_applied():
    layer = layers.Dense(2, activation=layers.LeakyReLU(negative_slope=0.5),
                         kernel_initializer="identity")
    assert array(layer(X)) == pytest.approx(np.where(X > 0, X, X / 2))


def test_a_layer_of_the_users_own_is_an_activation():
    class Doubled(layers.Layer):
        def call(self, x):
            return x * 2.0

    layer = layers.Dense(2, activation=Doubled(), kernel_initializer="identity")
    assert array(layer(X)) == pytest.approx(2 * X)


def test_initializers_of_the_users_own_fill_weights():
    class Half(initializers.Initializer):
        def __call__(self, shape, dtype=None):
            return np.full(shape, 0.5)

    layer = layers.Dense(2, kernel_initializer=Half(),
                         bias_initializer=lambda shape, dtype=None: np.arange(2.0))
    assert array(layer(X)) == pytest.approx(X.sum(axis=1, keepdims=True) / 2 + [0, 1])


def test_an_embedding_takes_a_matrix():
    table = np.arange(8.0, dtype=np.float32).reshape(4, 2)
    words = np.array([[3, 0]])
    for layer in (layers.Embedding(4, 2, embeddings_initializer=initializers.Constant(table)),
                  layers.Embedding(4, 2, weights=[table])):
        assert array(layer(words)).tolist() == [[[6, 7], [0, 1]]]


def test_a_regularizer_of_the_users_own_adds_to_the_loss():
    class Largest(regularizers.Regularizer):
        def __call__(self, x):
            return abs(x).sum() if isinstance(x, np.ndarray) else _sum(x)

    layer = layers.Dense(2, kernel_initializer="ones", kernel_regularizer=Largest())
    layer(X)
    assert [float(loss) for loss in layer.losses] == [4.0]


def _sum(x):
    from plimsoll import _core

    return _core.sum(x)


@pytest.mark.parametrize("make, words", [
    (lambda: layers.LSTM(2, activation=lambda x: x), "LSTM: activation .*a cell of your own"),
    (lambda: layers.TextVectorization(split=lambda x: x), "split is code of your own"),
])
def test_code_that_nothing_would_call_is_refused_with_a_sentence(make, words):
    with pytest.raises(NotImplementedError, match=words):
        make()


def test_a_wrapper_uses_the_layer_that_it_is_given():
    inner = layers.Dense(2, kernel_initializer="identity")
    outer = layers.TimeDistributed(inner)
    assert outer.layer is inner
    assert array(outer(X[None])) == pytest.approx(X[None])
    assert len(inner.weights) == 2


def test_a_wrapper_takes_a_layer_of_the_users_own():
    class Doubled(layers.Layer):
        def call(self, x):
            return x * 2.0

    assert array(layers.TimeDistributed(Doubled())(X[None])) == pytest.approx(2 * X[None])


def test_both_directions_of_a_recurrent_layer_are_there():
    layer = layers.Bidirectional(layers.LSTM(3, return_sequences=True))
    assert tuple(layer(np.zeros((2, 4, 5), np.float32)).shape) == (2, 4, 6)
    assert layer.forward_layer.units == 3
    assert layer.backward_layer.go_backwards


def test_merging_layers_are_functions_too():
    assert array(layers.add([X, X])) == pytest.approx(2 * X)
    assert array(layers.concatenate([X, X], axis=0)).shape == (4, 2)
    assert layers.subtract.__doc__


def test_settings_are_attributes():
    layer = layers.Conv2D(4, 3, padding="same", kernel_regularizer="l2")
    assert (layer.filters, layer.kernel_size, layer.padding) == (4, (3, 3), "same")
    assert isinstance(layer.kernel_regularizer, regularizers.L2)
    assert layer.activation.__name__ == "linear"
    with pytest.raises(AttributeError, match="no attribute 'unitz'"):
        layer.unitz


def test_every_generated_layer_is_a_layer():
    assert issubclass(layers.Dense, layers.Layer)
    assert layers.Dense.__module__ == "plimsoll.keras.layers"


class Halved(constraints.Constraint):
    def __call__(self, w):
        return w * 0.5

    def get_config(self):
        return {}


@pytest.mark.parametrize("optimizer", ["sgd", "own"])
def test_a_constraint_of_the_users_own_is_applied_after_each_step(optimizer):
    layer = layers.Dense(1, use_bias=False, kernel_initializer="ones", kernel_constraint=Halved())
    model = keras.Sequential([keras.Input((2,)), layer])
    model.compile(Still(0.1) if optimizer == "own" else keras.optimizers.SGD(0.0), "mse")
    model.fit(np.ones((4, 2)), np.ones((4, 1)), batch_size=2, epochs=1, verbose=0)
    assert layer.kernel.numpy().ravel().tolist() == [0.25, 0.25]


class Still(keras.optimizers.Optimizer):
    def update_step(self, gradient, variable, learning_rate):
        variable.assign_sub(gradient * 0.0)


def test_a_constraint_of_the_users_own_is_applied_to_an_own_layers_weight():
    class Scale(layers.Layer):
        def build(self, input_shape):
            self.scale = self.add_weight(shape=(2,), initializer="ones", constraint=lambda w: w * 0.5)

        def call(self, inputs):
            return inputs * self.scale

    model = keras.Sequential([keras.Input((2,)), Scale()])
    model.compile(keras.optimizers.SGD(0.0), "mse")
    model.fit(np.ones((3, 2)), np.ones((3, 2)), batch_size=1, verbose=0)
    assert model.layers[0].scale.numpy().tolist() == [0.125, 0.125]


def _without_q(texts):
    return tf.strings.regex_replace(tf.strings.lower(texts), "q", " ")


def test_a_text_vectorization_calls_the_users_function_in_every_kind_of_call():
    layer = layers.TextVectorization(standardize=_without_q, output_sequence_length=3)
    texts = np.array(["aQb c", "C c d"])
    layer.adapt(texts)
    assert layer.get_vocabulary() == ["", "[UNK]", "c", "d", "b", "a"]
    wanted = [[5, 4, 2], [2, 2, 3]]
    assert layer(texts).numpy().tolist() == wanted
    assert layer(tf.constant("aQb c")).numpy().tolist() == wanted[0]
    inputs = keras.Input((1,), dtype="string")
    model = keras.Model(inputs, layer(inputs))
    assert model.predict(tf.constant(texts[:, None]), verbose=0).tolist() == wanted
    pipeline = tf.data.Dataset.from_tensor_slices(texts).map(layer).batch(2)
    assert next(iter(pipeline)).numpy().tolist() == wanted


@pytest.mark.parametrize("mode, dtype", [("multi_hot", "int64"), ("count", "int64"),
                                         ("tf_idf", "float32"), ("int", "int64")])
def test_lookups_give_the_dtype_of_keras(mode, dtype):
    settings = {"idf_weights": [1.0, 2.0]} if mode == "tf_idf" else {}
    layer = layers.StringLookup(vocabulary=["a", "b"], output_mode=mode, **settings)
    assert layer(np.array([["a", "b"]])).dtype.name == dtype
    inputs = keras.Input((2,), dtype="string")
    model = keras.Model(inputs, layers.Dense(1)(layer(inputs)))
    assert model.predict(tf.constant([["a", "b"]]), verbose=0).dtype.name == "float32"


def test_a_cell_gives_its_output_and_its_states():
    output, states = layers.LSTMCell(3)(np.ones((2, 4), np.float32), states=[np.zeros((2, 3))] * 2)
    assert tuple(output.shape) == (2, 3)
    assert [tuple(state.shape) for state in states] == [(2, 3), (2, 3)]


def test_whole_numbers_and_fractions_are_merged():
    whole = keras.Input((2,), dtype="int64")
    merged = layers.Add()([whole, keras.Input((2,))])
    assert merged.dtype.name == "float32"
    assert layers.Multiply()([np.array([[2, 3]]), np.array([[0.5, 0.5]])]).numpy().tolist() == [[1, 1.5]]


def test_normalization_shows_its_mean_in_a_shape_that_broadcasts():
    layer = layers.Normalization(axis=None)
    layer.adapt(np.arange(5.0))
    assert tuple(layer.mean.shape) == (1,)
    assert tuple(layer.weights[0].shape) == ()
    layer = layers.Normalization()
    layer.adapt(np.arange(24.0).reshape(2, 3, 4))
    assert tuple(layer.variance.shape) == (1, 1, 4)


class SumCell(layers.Layer):
    """Adds up what it sees."""

    state_size = 2

    def call(self, inputs, states):
        total = states[0] + inputs
        return total, [total]


def test_a_cell_of_the_users_own_runs_over_a_sequence():
    sequence = np.arange(12.0, dtype="float32").reshape(2, 3, 2)
    totals = np.cumsum(sequence, axis=1)
    whole, state = layers.RNN(SumCell(), return_sequences=True, return_state=True)(sequence)
    assert whole.numpy().tolist() == totals.tolist()
    assert state.numpy().tolist() == totals[:, -1].tolist()
    inputs = keras.Input((3, 2))
    model = keras.Model(inputs, layers.RNN(SumCell())(layers.Masking()(inputs)))
    sequence[0, 2] = 0.0
    assert model.predict(sequence, verbose=0).tolist() == sequence.sum(axis=1).tolist()
    with pytest.raises(NotImplementedError, match="keeps no states between calls"):
        layers.RNN(SumCell(), stateful=True)
