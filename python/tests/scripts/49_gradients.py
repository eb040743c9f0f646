"""The tape by itself: watched constants, gradients of gradients, jacobians, stops, persistence."""

import numpy as np
import tensorflow as tf

from _same import report, same_weights

x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x**2
report("simple", tape.gradient(y, x).numpy())

with tf.GradientTape() as t2:
    with tf.GradientTape() as t1:
        y = x * x * x
    dy_dx = t1.gradient(y, x)
d2y_dx2 = t2.gradient(dy_dx, x)
report("second", [dy_dx.numpy(), d2y_dx2.numpy()])

c = tf.constant([1.0, 3.0])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(c)
    y = c * c
    z = y * y
report("persistent", [tape.gradient(z, c), tape.gradient(y, c), tape.gradient(z, y)])
del tape

w = tf.Variable(tf.cast(np.cos(np.arange(6)).reshape(3, 2), tf.float32), name="w")
b = tf.Variable(tf.zeros(2, dtype=tf.float32), name="b")
rows = tf.constant([[1.0, 2.0, 3.0]])
with tf.GradientTape(persistent=True) as tape:
    y = rows @ w + b
    loss = tf.reduce_mean(y**2)
report("dictionary", tape.gradient(loss, {"w": w, "b": b}))
report("list", tape.gradient(loss, [w, b]))

not_watched = tf.Variable(3.0, trainable=False)
with tf.GradientTape() as tape:
    y = not_watched**2
report("none", tape.gradient(y, not_watched) is None)
with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch(x)
    y = tf.math.log(x) + not_watched
report("watched", tape.gradient(y, x))
with tf.GradientTape() as tape:
    y = x * tf.stop_gradient(x)
report("stopped", tape.gradient(y, x))
with tf.GradientTape() as tape:
    y = x**2 if x > 0.0 else -x
report("branch", tape.gradient(y, x))
u, v = tf.Variable(2.0), tf.Variable(5.0)
with tf.GradientTape() as tape:
    y = u * 2
report("unconnected", tape.gradient(y, v, unconnected_gradients=tf.UnconnectedGradients.ZERO))

points = tf.linspace(-5.0, 5.0, 11)
with tf.GradientTape() as tape:
    tape.watch(points)
    y = tf.nn.sigmoid(points)
report("sigmoid", tape.gradient(y, points))
delta = tf.Variable([0.5, -1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.sin(delta)
report("jacobian", tape.jacobian(y, delta))

layer = tf.keras.layers.Dense(2, activation="tanh")
layer.build((None, 3))
same_weights(layer)
with tf.GradientTape() as t2:
    with tf.GradientTape() as t1:
        t1.watch(rows)
        out = layer(rows)
        loss = tf.reduce_sum(out**2)
    input_gradient = t1.gradient(loss, rows)
    penalty = tf.reduce_sum(tf.square(input_gradient))
report("input_gradient", input_gradient)
report("penalty", t2.gradient(penalty, layer.trainable_variables))


@tf.custom_gradient
def clip_gradients(value):
    def backward(dy):
        return tf.clip_by_norm(dy, 0.5)
    return value, backward


with tf.GradientTape() as tape:
    y = clip_gradients(u * 10.0)
report("custom", tape.gradient(y, u))
clipped, norm = tf.clip_by_global_norm([tf.constant([3.0, 4.0]), tf.constant([12.0])], 6.5)
report("global_norm", [*clipped, norm])
