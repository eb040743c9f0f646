"""Learning-rate schedules: built in, own with warm-up, own class with get_config, as functions of the epoch."""

import math

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras.callbacks import LearningRateScheduler, ReduceLROnPlateau
from tensorflow.keras.optimizers import schedules

from _same import report, same_weights

steps = [0, 1, 5, 10, 50, 99, 150]
rules = {
    "exponential": schedules.ExponentialDecay(0.1, decay_steps=10, decay_rate=0.9, staircase=True),
    "exponential_smooth": schedules.ExponentialDecay(initial_learning_rate=0.1, decay_steps=10, decay_rate=0.9),
    "inverse": schedules.InverseTimeDecay(0.1, 10, 0.5, staircase=False),
    "pieces": schedules.PiecewiseConstantDecay([5, 50], [1.0, 0.5, 0.1]),
    "polynomial": schedules.PolynomialDecay(0.1, 50, 0.01, power=0.5),
    "polynomial_cycle": schedules.PolynomialDecay(0.1, 40, 0.01, power=1.0, cycle=True),
    "cosine": schedules.CosineDecay(0.1, 100, alpha=0.1),
    "cosine_warm": schedules.CosineDecay(0.0, 90, warmup_target=0.2, warmup_steps=10),
    "restarts": schedules.CosineDecayRestarts(0.1, 20, t_mul=2.0, m_mul=0.9, alpha=0.01)}
for name, rule in rules.items():
    report(name, np.array([float(rule(step)) for step in steps]))


class CustomSchedule(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps=40):
        super().__init__()
        self.d_model = d_model
        self.d_model = tf.cast(self.d_model, tf.float32)
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        step = tf.cast(step, dtype=tf.float32)
        arg1 = tf.math.rsqrt(step)
        arg2 = step * (self.warmup_steps ** -1.5)
        return tf.math.rsqrt(self.d_model) * tf.math.minimum(arg1, arg2)


report("noam", CustomSchedule(64)(tf.range(1, 100, 20, dtype=tf.float32)))


class WarmUp(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, initial, warmup, after):
        self.initial, self.warmup, self.after = initial, warmup, after

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        warm = self.initial * (step + 1) / self.warmup
        return tf.cond(step < self.warmup, lambda: warm, lambda: self.after(step - self.warmup))

    def get_config(self):
        return {"initial": self.initial, "warmup": self.warmup, "after": self.after}


class Warm2(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, top, total, warm):
        self.top, self.total, self.warm = top, total, warm

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        learning_rate = 0.5 * self.top * (1 + tf.cos(math.pi * (step - self.warm) / float(self.total - self.warm)))
        warmup_rate = self.top / self.warm * step
        learning_rate = tf.where(step < self.warm, warmup_rate, learning_rate)
        return tf.where(step > self.total, 0.0, learning_rate, name="learning_rate")


rng = np.random.default_rng(0)
x = rng.normal(size=(64, 5)).astype("float32")
y = x @ rng.normal(size=(5, 1)).astype("float32")


def fit(optimizer, callbacks=(), epochs=3, **options):
    model = keras.Sequential([keras.Input((5,)), keras.layers.Dense(6, "relu"), keras.layers.Dense(1)])
    same_weights(model)
    model.compile(optimizer, "mse", **options)
    history = model.fit(x, y, epochs=epochs, batch_size=16, shuffle=False, verbose=0, callbacks=list(callbacks))
    return model, history.history


model, history = fit(keras.optimizers.Adam(CustomSchedule(64, 4), beta_1=0.9, beta_2=0.98, epsilon=1e-9))
report("noam_losses", history["loss"], atol=1e-4)
model, history = fit(keras.optimizers.SGD(WarmUp(0.05, 4, schedules.ExponentialDecay(0.05, 4, 0.5))))
report("warm_losses", history["loss"], atol=1e-4)
report("now", float(model.optimizer.learning_rate))
model, history = fit(keras.optimizers.SGD(Warm2(0.05, 12, 3), momentum=0.9, nesterov=True))
report("warm2_losses", history["loss"], atol=1e-4)
optimizer = keras.optimizers.Adam(learning_rate=rules["cosine_warm"])
config = optimizer.get_config()
report("config", config["learning_rate"]["class_name"] if isinstance(config["learning_rate"], dict) else "?")
copy = keras.optimizers.Adam.from_config(config)
model, history = fit(copy)
report("copy", history["loss"], atol=1e-4)


def scheduler(epoch, lr):
    if epoch < 2:
        return lr
    return float(lr * tf.math.exp(-0.1))


model, history = fit("adam", [LearningRateScheduler(scheduler, verbose=1)], epochs=4)
report("scheduler_rates", history["learning_rate"])
report("rounded", round(float(model.optimizer.learning_rate.numpy()), 5))
step_decay = lambda epoch: 0.1 * math.pow(0.5, math.floor((1 + epoch) / 2.0))
model, history = fit(keras.optimizers.SGD(0.5), [LearningRateScheduler(step_decay)], epochs=4)
report("step_decay", history["learning_rate"])
report("step_losses", history["loss"], atol=1e-4)
plateau = ReduceLROnPlateau(monitor="loss", factor=0.2, patience=1, min_lr=0.001, min_delta=5.0, cooldown=1)
model, history = fit(keras.optimizers.SGD(0.01), [plateau], epochs=6)
report("plateau", history["learning_rate"])
optimizer = keras.optimizers.SGD(learning_rate=0.1)
optimizer.learning_rate.assign(0.05)
optimizer.learning_rate = optimizer.learning_rate * 0.5
report("assigned", float(optimizer.learning_rate))
optimizer.lr = 0.3
report("lr", hasattr(optimizer, "lr"))
