#!/usr/bin/env python3
"""A training step of Keras on TensorFlow, for interleave.py: keras_step.py CASE [--variant A+B].

As it comes: model.train_on_batch on NumPy arrays. `tensors` gives it tensors
instead; `function` is a hand-written tf.function over the same model.
"""

import os
import time

import step_protocol

CASE, VARIANT = step_protocol.start({"tensors", "function", "xla", "no_xla"})

begin = time.perf_counter()
os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import tensorflow as tf

IMPORT_SECONDS = time.perf_counter() - begin
layers = keras.layers


def make_model():
    if CASE in step_protocol.LSTMS:
        _, steps, features, units = step_protocol.LSTMS[CASE]
        return keras.Sequential([keras.Input((steps, features)), layers.LSTM(units), layers.Dense(2)])
    if CASE == "mlp":
        hidden = [layers.Dense(512, activation="relu"), layers.Dense(512, activation="relu")]
        return keras.Sequential([keras.Input((784,)), *hidden, layers.Dense(10)])
    return keras.Sequential(
        [
            keras.Input((224, 224, 3)),
            layers.Conv2D(32, 3, activation="relu"),
            layers.MaxPooling2D(2),
            layers.Flatten(),
            layers.Dense(10),
        ]
    )


def function_step(model, loss_function, optimizer, x, y):
    @tf.function(jit_compile="xla" in VARIANT)
    def train(x, y):
        with tf.GradientTape() as tape:
            loss = loss_function(y, model(x, training=True))
        gradients = tape.gradient(loss, [v.value for v in model.trainable_variables])
        optimizer.apply(gradients, model.trainable_variables)
        return loss

    return lambda: float(train(x, y))


def build_step():
    tf.config.threading.set_intra_op_parallelism_threads(step_protocol.THREADS)
    tf.config.threading.set_inter_op_parallelism_threads(step_protocol.THREADS)
    keras.utils.set_random_seed(0)
    x, y = step_protocol.make_data(CASE)
    model = make_model()
    loss_function = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = keras.optimizers.Adam()
    if VARIANT & {"tensors", "function"}:
        x, y = tf.constant(x), tf.constant(y)
    if "function" in VARIANT:
        optimizer.build(model.trainable_variables)
        return function_step(model, loss_function, optimizer, x, y)
    jit_compile = True if "xla" in VARIANT else False if "no_xla" in VARIANT else "auto"
    model.compile(optimizer, loss_function, jit_compile=jit_compile)
    return lambda: float(model.train_on_batch(x, y))


step_protocol.serve(build_step, IMPORT_SECONDS)
