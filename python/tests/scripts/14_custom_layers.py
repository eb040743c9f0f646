"""Layers as classes: build, add_weight, add_loss, get_config, and a model that is loaded again."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import activations, initializers, regularizers
from tensorflow.keras.layers import Layer

from _same import report, same_weights


@keras.utils.register_keras_serializable(package="scripts")
class Linear(Layer):
    def __init__(self, units=32, activation=None, kernel_initializer="glorot_uniform",
                 kernel_regularizer=None, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.activation = activations.get(activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)

    def build(self, input_shape):
        self.w = self.add_weight(name="w", shape=(input_shape[-1], self.units),
                                 initializer=self.kernel_initializer,
                                 regularizer=self.kernel_regularizer, trainable=True)
        self.b = self.add_weight(name="b", shape=(self.units,),
                                 initializer=keras.initializers.Constant(0.1), trainable=True)
        super().build(input_shape)

    def call(self, inputs):
        return self.activation(tf.matmul(inputs, self.w) + self.b)

    def get_config(self):
        config = super().get_config()
        config.update({
            "units": self.units,
            "activation": activations.serialize(self.activation),
            "kernel_initializer": initializers.serialize(self.kernel_initializer),
            "kernel_regularizer": regularizers.serialize(self.kernel_regularizer),
        })
        return config


class ComputeSum(Layer):
    def __init__(self, input_dim):
        super().__init__()
        self.total = self.add_weight(initializer="zeros", shape=(input_dim,), trainable=False)

    def call(self, inputs):
        self.total.assign_add(tf.reduce_sum(inputs, axis=0))
        return self.total


class ActivityRegularization(Layer):
    def __init__(self, rate=1e-2):
        super().__init__()
        self.rate = rate

    def call(self, inputs):
        self.add_loss(self.rate * tf.reduce_mean(tf.square(inputs)))
        return inputs


my_sum = ComputeSum(2)
x = tf.ones((2, 2))
report("sum_1", my_sum(x).numpy())
report("sum_2", my_sum(x).numpy())
report("not_trainable", [len(my_sum.weights), len(my_sum.trainable_weights)])

random = np.random.default_rng(0)
rows = random.normal(size=(64, 5)).astype("float32")
target = rows @ np.array([[1.0], [-2.0], [0.5], [0.0], [3.0]], dtype="float32")
model = keras.Sequential([
    keras.Input(shape=(5,)),
    Linear(12, activation="relu", kernel_regularizer="l2",
           kernel_initializer=keras.initializers.RandomNormal(stddev=0.05)),
    ActivityRegularization(),
    Linear(1, kernel_regularizer=regularizers.l2(0.001)),
])
same_weights(model)
report("losses", [float(loss) for loss in [model(rows), *model.losses][1:]])
model.compile(optimizer=keras.optimizers.SGD(0.01), loss="mse")
history = model.fit(rows, target, epochs=4, batch_size=16, shuffle=False, verbose=0)
report("history", history.history)
report("weights", model.get_weights())

layer = Linear(4, activation="tanh", kernel_regularizer="l2", name="mine")
config = layer.get_config()
report("config", [config["units"], config["name"], config["activation"]])
again = Linear.from_config(config)
again.build((None, 3))
report("again", [again.units, again.w.shape[0], again.kernel_regularizer is not None])
