"""Schedules of Keras and one as a class: the rates they give, and training with them."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras.optimizers.schedules import (CosineDecay, ExponentialDecay, InverseTimeDecay,
                                                   PiecewiseConstantDecay, PolynomialDecay)

from _same import report, same_weights


class CustomSchedule(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps=4000):
        super().__init__()
        self.d_model = tf.cast(d_model, tf.float32)
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        step = tf.cast(step, dtype=tf.float32)
        arg1 = tf.math.rsqrt(step)
        arg2 = step * (self.warmup_steps**-1.5)
        return tf.math.rsqrt(self.d_model) * tf.math.minimum(arg1, arg2)


schedules = {
    "exponential": ExponentialDecay(0.1, decay_steps=10, decay_rate=0.9, staircase=True),
    "cosine": CosineDecay(0.1, decay_steps=30, alpha=0.1),
    "inverse": InverseTimeDecay(0.1, decay_steps=5, decay_rate=0.5),
    "piecewise": PiecewiseConstantDecay(boundaries=[5, 12], values=[0.1, 0.05, 0.01]),
    "polynomial": PolynomialDecay(0.1, decay_steps=20, end_learning_rate=0.001, power=2.0),
    "custom": CustomSchedule(16, warmup_steps=8),
}
for name, schedule in schedules.items():
    report(name, [float(schedule(step)) for step in (1, 5, 6, 12, 13, 25)])

random = np.random.default_rng(0)
x = random.normal(size=(64, 5)).astype("float32")
y = x @ np.arange(5, dtype="float32").reshape(5, 1)
for name, schedule in schedules.items():
    if name in ("exponential", "custom"):
        model = keras.Sequential([keras.layers.Dense(1, input_shape=(5,))])
        same_weights(model)
        optimizer = keras.optimizers.Adam(schedule, beta_1=0.9, beta_2=0.98, epsilon=1e-9)
        model.compile(optimizer=optimizer, loss="mse")
        history = model.fit(x, y, epochs=4, batch_size=16, shuffle=False, verbose=0)
        report(name + "_loss", history.history["loss"])
        report(name + "_weights", model.get_weights())
report("config", schedules["exponential"].get_config()["decay_steps"])
