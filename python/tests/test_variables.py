"""Variables of TensorFlow and of Keras: parts that are assigned, values, gradients of one's own."""
import numpy as np
import pytest

from plimsoll import keras
from plimsoll import tensorflow as tf


@pytest.mark.parametrize("dtype", ["float32", "int32", "int64"])
def test_parts_of_a_variable_are_assigned(dtype):
    start = np.arange(12).reshape(3, 4)
    variable, expected = tf.Variable(start, dtype=dtype), start.copy()
    variable[0].assign([9, 8, 7, 6])
    expected[0] = [9, 8, 7, 6]
    variable[1, 2].assign(50)
    expected[1, 2] = 50
    variable[:, -1].assign_add(np.array([1, 2, 3]))
    expected[:, -1] += [1, 2, 3]
    variable[1:, ::2].assign_sub(np.ones((2, 2), "int64"))
    expected[1:, ::2] -= 1
    variable[...].assign(variable.value() * 2)
    assert variable.numpy().tolist() == (expected * 2).tolist()


def test_a_part_by_a_list_is_not_assigned_and_a_tensors_part_has_no_assign():
    variable = tf.Variable([1.0, 2.0, 3.0])
    with pytest.raises(NotImplementedError, match="named by numbers and slices"):
        variable[[0, 2]].assign([5.0, 6.0])
    assert not hasattr(tf.constant([1.0, 2.0])[0], "assign")


def test_an_array_of_a_variable_stays_as_it_was():
    variable = tf.Variable([1.0, 2.0])
    before = np.asarray(variable)
    variable.assign([3.0, 4.0])
    assert before.tolist() == [1.0, 2.0]


def test_keras_variables_have_a_value_and_weights_are_keras_variables():
    variable = keras.Variable(initializer=np.ones(2), name="counter")
    variable.assign_add([1.0, 2.0])
    assert variable.value.numpy().tolist() == [2.0, 3.0]
    assert keras.Variable("zeros", shape=(2, 2)).shape == (2, 2)
    layer = keras.layers.Dense(1)
    layer.build((None, 2))
    assert isinstance(layer.kernel, keras.Variable) and layer.kernel is layer.weights[0]
    assert tuple(layer.kernel.value.shape) == (2, 1)


def test_a_function_has_the_gradient_that_it_says():
    @tf.custom_gradient
    def clipped(x, y):
        def grad(upstream):
            return tf.clip_by_value(upstream, -0.5, 0.5), None
        return x * y, grad

    x, y = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(clipped(x, y) * 4.0)
    assert float(loss) == 36.0
    gradients = tape.gradient(loss, [x, y])
    assert gradients[0].numpy().tolist() == [0.5, 0.5] and gradients[1] is None


def test_a_function_of_several_values_gets_all_their_gradients():
    @tf.custom_gradient
    def both(x):
        return (x + 1.0, x * x), lambda first, second: first * 10.0 + second * 100.0

    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        a, b = both(x)
        loss = 3.0 * a
    assert float(tape.gradient(loss, x)) == 30.0
    with tf.GradientTape() as tape:
        a, b = both(x)
        loss = a + b
    assert float(tape.gradient(loss, x)) == 110.0


def test_a_gradient_of_ones_own_is_used_in_fit():
    class Reversed(keras.layers.Layer):
        def call(self, inputs):
            return keras.ops.custom_gradient(lambda x: (x * 1.0, lambda upstream: -upstream))(inputs)

    kernels = []
    for last in (keras.layers.Activation("linear"), Reversed()):
        model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(
            1, kernel_initializer="ones", use_bias=False), last])
        model.compile(keras.optimizers.SGD(0.1), "mse")
        model.fit(np.ones((2, 1)), np.zeros((2, 1)), verbose=0)
        kernels.append(float(model.layers[0].kernel.numpy()[0, 0]))
    assert kernels == pytest.approx([0.8, 1.2])


def test_wrong_gradients_are_refused():
    @tf.custom_gradient
    def wrong(x, y):
        return x + y, lambda upstream: upstream

    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        loss = wrong(x, x)
    with pytest.raises(ValueError, match="expected 2 gradients, one for each argument; found 1"):
        tape.gradient(loss, x)
    with pytest.raises(NotImplementedError, match="pass the variables as arguments"):
        tf.custom_gradient(lambda x: (x, lambda upstream, variables: upstream))(x)


def test_only_trainable_or_watched_variables_have_gradients():
    fixed = tf.Variable(3.0, trainable=False)
    with tf.GradientTape() as tape:
        y = fixed**2
    assert tape.gradient(y, fixed) is None
    with tf.GradientTape() as tape:
        tape.watch(fixed)
        y = fixed**2
    assert float(tape.gradient(y, fixed)) == 6.0
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        y = tf.Variable(1.0) * 2.0
    assert tape.gradient(y, tf.Variable(1.0)) is None


def test_texts_are_moved_and_compared_whole():
    table, row = tf.constant([["a", "bcd"], ["ee", "f"]]), tf.constant(["x", "yyyyyy"])
    assert tf.expand_dims(row, -1).numpy().tolist() == [[b"x"], [b"yyyyyy"]]
    assert tf.transpose(table).numpy().tolist() == [[b"a", b"ee"], [b"bcd", b"f"]]
    assert tf.concat([table, table], -1).shape == (2, 4)
    assert tf.concat([tf.constant(["q"]), row], 0).numpy().tolist() == [b"q", b"x", b"yyyyyy"]
    assert tf.stack([row, tf.constant(["1", "2"])], axis=1).numpy().tolist() == [
        [b"x", b"1"], [b"yyyyyy", b"2"]]
    assert tf.reshape(table, [-1]).numpy().tolist() == [b"a", b"bcd", b"ee", b"f"]
    assert table[..., 0].numpy().tolist() == [b"a", b"ee"]
    assert tf.fill([2], "q").numpy().tolist() == [b"q", b"q"]
    assert (row == "x").numpy().tolist() == [True, False]
    assert (table[0, 1] == np.array(["a", "bcd"])).numpy().tolist() == [False, True]
    assert tf.not_equal(row, ["x", "y"]).numpy().tolist() == [False, True]
