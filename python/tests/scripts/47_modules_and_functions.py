"""tf.Module, tf.function and tf.Variable without Keras: a line, a dense layer, a small network."""

import numpy as np
import tensorflow as tf

from _same import report


class MyLinear(tf.Module):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.w = tf.Variable(5.0)
        self.b = tf.Variable(0.0)

    def __call__(self, x):
        return self.w * x + self.b


class Dense(tf.Module):
    def __init__(self, in_features, out_features, name=None):
        super().__init__(name=name)
        values = np.sin(np.arange(in_features * out_features)).reshape(in_features, out_features)
        self.w = tf.Variable(tf.cast(values, tf.float32), name="w")
        self.b = tf.Variable(tf.zeros([out_features]), name="b")

    def __call__(self, x):
        y = tf.matmul(x, self.w) + self.b
        return tf.nn.relu(y)


class SequentialModule(tf.Module):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.dense_1 = Dense(in_features=3, out_features=4)
        self.dense_2 = Dense(in_features=4, out_features=2)
        self.scale = tf.Variable(1.5, trainable=False)

    @tf.function
    def __call__(self, x):
        return self.dense_2(self.dense_1(x)) * self.scale


x = tf.linspace(-2.0, 2.0, 101)
y = 3.0 * x + 2.0 + 0.1 * tf.sin(9.0 * x)


def loss(target_y, predicted_y):
    return tf.reduce_mean(tf.square(target_y - predicted_y))


def train(model, x, y, learning_rate):
    with tf.GradientTape() as t:
        current_loss = loss(y, model(x))
    dw, db = t.gradient(current_loss, [model.w, model.b])
    model.w.assign_sub(learning_rate * dw)
    model.b.assign_sub(learning_rate * db)
    return current_loss


model = MyLinear()
report("losses", [float(train(model, x, y, learning_rate=0.1)) for _ in range(10)])
report("line", [model.w.numpy(), model.b.numpy()])
my_model = SequentialModule(name="the_model")
report("module", my_model(tf.constant([[2.0, 1.0, -1.0]])))
report("variables", [len(my_model.variables), len(my_model.trainable_variables)])
report("submodules", len(my_model.submodules))


@tf.function
def collatz(n):
    steps = tf.constant(0)
    while n > 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@tf.function(reduce_retracing=True)
def power(base, exponent):
    return tf.pow(base, exponent)


@tf.function(input_signature=[tf.TensorSpec(shape=[None], dtype=tf.float32)])
def mean_of_squares(values):
    total = tf.constant(0.0)
    for value in values:
        total += value**2
    return total / tf.cast(tf.size(values), tf.float32)


report("collatz", collatz(tf.constant(27)))
report("power", power(tf.constant([1.0, 2.0, 3.0]), 2.0))
report("mean_of_squares", mean_of_squares(tf.constant([1.0, 2.0, 4.0])))
