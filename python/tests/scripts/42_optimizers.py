"""Every optimizer on the same small problem, through fit and through apply_gradients."""

import keras
import numpy as np
import tensorflow as tf
from tensorflow.keras.optimizers import SGD, Adagrad, Adam, AdamW, RMSprop

from _same import report, same_weights

x = np.sin(np.arange(32 * 6)).reshape(32, 6).astype("float32")
y = np.cos(x.sum(axis=1, keepdims=True)).astype("float32")

optimizers = {
    "sgd": SGD(learning_rate=0.1),
    "momentum": SGD(0.05, momentum=0.9, nesterov=True),
    "adam": Adam(learning_rate=0.01),
    "amsgrad": Adam(0.01, amsgrad=True, clipnorm=1.0),
    "adamw": AdamW(learning_rate=0.01, weight_decay=0.05),
    "adagrad": Adagrad(learning_rate=0.1),
    "rmsprop": RMSprop(0.01, momentum=0.5, centered=True, clipvalue=0.5),
    "adadelta": keras.optimizers.Adadelta(learning_rate=1.0),
    "adamax": keras.optimizers.Adamax(0.01),
    "nadam": keras.optimizers.Nadam(0.01),
    "ftrl": keras.optimizers.Ftrl(0.1, l1_regularization_strength=0.001),
    "lion": keras.optimizers.Lion(0.003),
    "ema": SGD(0.05, use_ema=True, ema_momentum=0.9),
}
for name, optimizer in optimizers.items():
    model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(5, activation="tanh"),
                              keras.layers.Dense(1)])
    same_weights(model)
    for step in range(6):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    report(name + "_loss", float(loss))
    report(name, model.get_weights())

var = tf.Variable(10.0)
opt = SGD(learning_rate=0.1, momentum=0.9)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = (var**2) / 2.0
    opt.apply_gradients([(tape.gradient(loss, var), var)])
report("variable", var.numpy())
opt.learning_rate = 0.5
report("rate", float(opt.learning_rate))
opt.learning_rate.assign(0.25)
report("rate_again", opt.learning_rate.numpy())
config = optimizers["rmsprop"].get_config()
report("config", [config["rho"], config["momentum"], config["clipvalue"], config["centered"]])
report("by_name", keras.optimizers.get("adam").name)
