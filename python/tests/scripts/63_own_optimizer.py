"""An optimizer, a constraint, a regularizer and an initializer of one's own, trained with fit."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

from _same import report, same_weights

random = np.random.default_rng(0)
x = random.normal(size=(64, 6)).astype("float32")
y = (x @ random.normal(size=(6, 2))).astype("float32")


class Momentum(keras.optimizers.Optimizer):
    def __init__(self, learning_rate=0.05, momentum=0.9, name="my_momentum", **kwargs):
        super().__init__(learning_rate=learning_rate, name=name, **kwargs)
        self.momentum = momentum

    def build(self, variables):
        if self.built:
            return
        super().build(variables)
        self.momentums = [self.add_variable_from_reference(v, name="m") for v in variables]

    def update_step(self, gradient, variable, learning_rate):
        m = self.momentums[self._get_variable_index(variable)]
        self.assign(m, m * self.momentum - gradient * learning_rate)
        self.assign_add(variable, m)

    def get_config(self):
        return {**super().get_config(), "momentum": self.momentum}


class WeightsBetween(keras.constraints.Constraint):
    """Each weight is kept in a range."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    def __call__(self, w):
        return keras.ops.clip(w, self.low, self.high)

    def get_config(self):
        return {"low": self.low, "high": self.high}


class Orthogonal(keras.regularizers.Regularizer):
    def __init__(self, factor=0.01):
        self.factor = factor

    def __call__(self, w):
        gram = keras.ops.matmul(keras.ops.transpose(w), w)
        return self.factor * keras.ops.sum(keras.ops.square(gram - keras.ops.eye(w.shape[-1])))

    def get_config(self):
        return {"factor": self.factor}


def quarter(shape, dtype=None):
    return tf.fill(shape, 0.25)


def new_model():
    model = keras.Sequential([
        keras.Input((6,)),
        layers.Dense(8, activation="tanh", kernel_constraint=WeightsBetween(-0.3, 0.3)),
        layers.Dense(4, kernel_regularizer=Orthogonal(), bias_initializer=quarter),
        layers.Dense(2, kernel_constraint=keras.constraints.NonNeg()),
    ])
    return model


model = new_model()
report("bias", model.layers[1].bias)
same_weights(model)
model.compile(optimizer=Momentum(), loss="mse", metrics=["mae"])
history = model.fit(x, y, epochs=4, batch_size=16, shuffle=False, validation_data=(x[:8], y[:8]),
                    verbose=0)
report("own", history.history)
report("own_weights", model.get_weights())
report("iterations", model.optimizer.iterations)
report("rate", model.optimizer.learning_rate)
report("settings", model.optimizer.get_config()["momentum"])

same_weights(model)
model.compile(optimizer=keras.optimizers.SGD(0.05, momentum=0.9), loss="mse", metrics=["mae"])
history = model.fit(x, y, epochs=4, batch_size=16, shuffle=False, validation_data=(x[:8], y[:8]),
                    verbose=0)
report("sgd", history.history)
report("sgd_weights", model.get_weights())
kernel = model.layers[0].get_weights()[0]
report("in_range", [bool((kernel >= -0.3).all()), bool((kernel <= 0.3).all())])
report("penalties", [float(loss) for loss in model.losses])


class Scaled(keras.layers.Layer):
    def build(self, input_shape):
        self.scale = self.add_weight(shape=(input_shape[-1],), initializer="ones", name="scale",
                                     constraint=WeightsBetween(0.9, 1.1))

    def call(self, inputs):
        return inputs * self.scale


model = keras.Sequential([keras.Input((6,)), Scaled(), layers.Dense(2)])
same_weights(model)
optimizer = Momentum(keras.optimizers.schedules.ExponentialDecay(0.1, 4, 0.5), clipnorm=1.0)
loss_fn = keras.losses.MeanSquaredError()
losses = []
for _ in range(6):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    losses.append(float(loss))
report("loop", losses)
report("scale", model.layers[0].scale)
