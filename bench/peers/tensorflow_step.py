#!/usr/bin/env python3
"""A training step of TensorFlow without Keras, for interleave.py: tensorflow_step.py CASE [--variant A+B].

One tf.function over tf.nn operations, with TensorFlow's own Adam kernel.
"""

import time

import step_protocol

CASE, VARIANT = step_protocol.start({"xla"})

begin = time.perf_counter()
import tensorflow as tf

IMPORT_SECONDS = time.perf_counter() - begin
LEARNING_RATE, BETA_1, BETA_2, EPSILON = 0.001, 0.9, 0.999, 1e-7


def make_weights():
    shapes = {
        "cnn": [(3, 3, 3, 32), (32,), (111 * 111 * 32, 10), (10,)],
        "mlp": [(784, 512), (512,), (512, 512), (512,), (512, 10), (10,)],
    }[CASE]
    return [tf.Variable(tf.random.stateless_uniform(s, (0, i), -0.03, 0.03)) for i, s in enumerate(shapes)]


def logits(weights, x):
    if CASE == "mlp":
        w1, b1, w2, b2, w3, b3 = weights
        x = tf.nn.relu(tf.nn.bias_add(x @ w1, b1))
        x = tf.nn.relu(tf.nn.bias_add(x @ w2, b2))
        return tf.nn.bias_add(x @ w3, b3)
    kernel, bias, w, b = weights
    x = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(x, kernel, 1, "VALID"), bias))
    x = tf.nn.max_pool2d(x, 2, 2, "VALID")
    return tf.nn.bias_add(tf.reshape(x, (x.shape[0], -1)) @ w, b)


def build_step():
    tf.config.threading.set_intra_op_parallelism_threads(step_protocol.THREADS)
    tf.config.threading.set_inter_op_parallelism_threads(step_protocol.THREADS)
    x, y = map(tf.constant, step_protocol.make_data(CASE))
    weights = make_weights()
    momentums = [tf.Variable(tf.zeros_like(w)) for w in weights]
    velocities = [tf.Variable(tf.zeros_like(w)) for w in weights]
    powers = [tf.Variable(BETA_1), tf.Variable(BETA_2)]

    @tf.function(jit_compile="xla" in VARIANT)
    def train(x, y):
        with tf.GradientTape() as tape:
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits(weights, x))
            loss = tf.reduce_mean(losses)
        for w, m, v, gradient in zip(weights, momentums, velocities, tape.gradient(loss, weights)):
            tf.raw_ops.ResourceApplyAdam(
                var=w.handle, m=m.handle, v=v.handle, beta1_power=powers[0], beta2_power=powers[1],
                lr=LEARNING_RATE, beta1=BETA_1, beta2=BETA_2, epsilon=EPSILON, grad=gradient,
            )  # fmt: skip
        powers[0].assign(powers[0] * BETA_1)
        powers[1].assign(powers[1] * BETA_2)
        return loss

    return lambda: float(train(x, y))


step_protocol.serve(build_step, IMPORT_SECONDS)
