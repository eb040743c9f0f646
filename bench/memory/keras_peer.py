#!/usr/bin/env python3
"""Trains a case in Keras on TensorFlow, batch by batch, for limits.py: keras_peer.py CASE."""

import os
import sys

import cases
import peer

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import tensorflow as tf

peer.say("imported")
layers = keras.layers
NAME = sys.argv[1]
CASE = cases.CASES[NAME]


def cnn():
    return keras.Sequential(
        [
            keras.Input(CASE.shape),
            layers.Conv2D(32, 3, activation="relu"),
            layers.MaxPooling2D(2),
            layers.Flatten(),
            layers.Dense(CASE.classes),
        ]
    )


def lstm():
    return keras.Sequential([keras.Input(CASE.shape), layers.LSTM(cases.LSTM_UNITS), layers.Dense(CASE.classes)])


def application(make):
    return make(weights=None, classes=CASE.classes, input_shape=CASE.shape, classifier_activation=None)


def encoder():
    words = keras.Input(CASE.shape, dtype="int32")
    x = layers.Embedding(CASE.vocabulary, cases.WIDTH)(words)
    for _ in range(cases.LAYERS):
        attention = layers.MultiHeadAttention(cases.HEADS, cases.WIDTH // cases.HEADS)
        x = layers.LayerNormalization()(x + attention(x, x))
        y = layers.Dense(cases.HIDDEN, activation="relu")(x)
        x = layers.LayerNormalization()(x + layers.Dense(cases.WIDTH)(y))
    return keras.Model(words, layers.Dense(CASE.classes)(layers.GlobalAveragePooling1D()(x)))


MODELS = {
    "cnn": cnn,
    "lstm": lstm,
    "lstm_long": lstm,
    "resnet50": lambda: application(keras.applications.ResNet50),
    "mobilenet_v2": lambda: application(keras.applications.MobileNetV2),
    "encoder": encoder,
}


def make_batch():
    shape = (CASE.batch, *CASE.shape)
    if CASE.vocabulary:
        x = tf.random.uniform(shape, maxval=CASE.vocabulary, dtype=tf.int32)
    else:
        x = tf.random.uniform(shape)
    return x, tf.random.uniform((CASE.batch,), maxval=CASE.classes, dtype=tf.int32)


def main():
    tf.config.threading.set_intra_op_parallelism_threads(cases.THREADS)
    tf.config.threading.set_inter_op_parallelism_threads(cases.THREADS)
    keras.utils.set_random_seed(0)
    model = MODELS[NAME]()
    # XLA takes more memory: bench/peers/README.md.
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.Adam(), loss, jit_compile=False)
    peer.say("built")
    peer.train(lambda x, y: float(model.train_on_batch(x, y)), peer.Batches(CASE.steps, make_batch))


main()
