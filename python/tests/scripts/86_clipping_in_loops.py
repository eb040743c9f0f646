"""Loops with a tape: clipping by value, norm and global norm, accumulation, penalties, second derivatives, Jacobians."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

from _same import report, same_weights

rng = np.random.default_rng(7)
x = rng.normal(size=(64, 6)).astype("float32") * 3
y = rng.integers(0, 3, 64)
train_dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)


def network():
    inputs = keras.Input(shape=(6,), name="digits")
    h = keras.layers.Dense(8, activation="relu", name="dense_1")(inputs)
    h = keras.layers.Dense(8, activation="relu", name="dense_2", kernel_regularizer="l2")(h)
    return same_weights(keras.Model(inputs, keras.layers.Dense(3, name="predictions")(h)))


loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
clips = {
    "value": lambda grads: [tf.clip_by_value(g, -0.05, 0.05) for g in grads],
    "norm": lambda grads: [tf.clip_by_norm(g, 0.3) for g in grads],
    "global": lambda grads: tf.clip_by_global_norm(grads, 0.5)[0],
    "none_skipped": lambda grads: [g if g is not None else 0.0 for g in grads],
    "scaled": lambda grads: [g * 0.5 / tf.maximum(tf.linalg.global_norm(grads), 0.5) for g in grads]}
for name, clip in clips.items():
    model = network()
    optimizer = keras.optimizers.SGD(learning_rate=0.1, momentum=0.5)
    accuracy = keras.metrics.SparseCategoricalAccuracy()
    losses, norms = [], []
    for epoch in range(2):
        for step, (x_batch, y_batch) in enumerate(train_dataset):
            with tf.GradientTape() as tape:
                logits = model(x_batch, training=True)
                loss_value = loss_fn(y_batch, logits)
                loss_value += sum(model.losses)
            grads = tape.gradient(loss_value, model.trainable_weights)
            grads = clip(grads)
            norms.append(float(tf.linalg.global_norm(grads)))
            optimizer.apply_gradients(zip(grads, model.trainable_weights))
            accuracy.update_state(y_batch, logits)
            losses.append(float(loss_value))
            if step % 2 == 0:
                print("Training loss at step %d: %.4f" % (step, float(loss_value)))
        print("Training acc over epoch: %.4f" % (float(accuracy.result()),))
    report(name, [losses, norms], atol=1e-4)
    report(name + "_accuracy", accuracy.result())

model = network()
optimizer = keras.optimizers.Adam(0.01)
accumulated = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]
for step, (x_batch, y_batch) in enumerate(train_dataset):
    with tf.GradientTape() as tape:
        loss = loss_fn(y_batch, model(x_batch)) / 2
    for total, grad in zip(accumulated, tape.gradient(loss, model.trainable_variables)):
        total.assign_add(grad)
    if (step + 1) % 2 == 0:
        optimizer.apply_gradients(zip(accumulated, model.trainable_variables))
        for total in accumulated:
            total.assign(tf.zeros_like(total))
report("accumulated", model.get_weights()[0][0], atol=1e-4)
report("optimizer", [int(optimizer.iterations), len(optimizer.variables)])

model = network()
for variables in (dict(clipnorm=0.1), dict(clipvalue=0.01), dict(global_clipnorm=0.2)):
    model = network()
    model.compile(keras.optimizers.SGD(0.5, **variables), loss_fn)
    report(next(iter(variables)), model.fit(x, y, batch_size=16, epochs=2, shuffle=False, verbose=0).history["loss"],
           atol=1e-4)

model = network()
batch = tf.convert_to_tensor(x[:4])
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        inner.watch(batch)
        logits = model(batch)
    input_gradient = inner.gradient(logits, batch)
    penalty = tf.reduce_mean((tf.sqrt(tf.reduce_sum(input_gradient ** 2, axis=1)) - 1.0) ** 2)
report("penalty", penalty)
report("penalty_gradient", outer.gradient(penalty, model.trainable_variables)[0], atol=1e-4)
saliency = tf.reduce_max(tf.abs(input_gradient), axis=-1)
report("saliency", saliency)

v = tf.Variable([1.0, 2.0])
with tf.GradientTape(persistent=True) as tape:
    f = tf.reduce_sum(v ** 3)
    g = tf.reduce_prod(v)
    h = v * tf.stop_gradient(v)
report("persistent", [tape.gradient(f, v), tape.gradient(g, v), tape.gradient(h, v)])
del tape
with tf.GradientTape() as second:
    with tf.GradientTape() as first:
        z = tf.reduce_sum(tf.sin(v) * v)
    dz = first.gradient(z, v)
report("second", second.gradient(dz, v))
with tf.GradientTape() as tape:
    out = tf.stack([v[0] * v[1], v[0] ** 2, tf.exp(v[1])])
report("jacobian", tape.jacobian(out, v))
c = tf.constant(3.0)
with tf.GradientTape() as tape:
    tape.watch(c)
    d = c * c
    e = tf.constant(1.0) * 2
report("unconnected", [tape.gradient([d, e], c) is None, False])
with tf.GradientTape() as tape:
    d = c * c
report("unwatched", tape.gradient(d, c) is None)
with tf.GradientTape() as tape:
    loss = v[0] * 2
report("zeros", tape.gradient(loss, {"a": v, "b": tf.Variable(1.0)}, unconnected_gradients="zero")["b"])
with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch(v)
    loss = tf.reduce_sum(v * 2)
report("watched", tape.gradient(loss, v))
w = tf.Variable(tf.ones((3, 2)), name="w")
b = tf.Variable(tf.zeros(2), name="b")
with tf.GradientTape() as tape:
    y_hat = [[1.0, 2.0, 3.0]] @ w + b
    loss = tf.reduce_mean(y_hat ** 2)
dw, db = tape.gradient(loss, [w, b])
report("dw", dw)
report("db", db)


@tf.custom_gradient
def clipped_identity(x):
    def grad(upstream):
        return tf.clip_by_value(upstream, -0.1, 0.1)
    return x, grad


with tf.GradientTape() as tape:
    loss = tf.reduce_sum(clipped_identity(v) * [5.0, 0.05])
report("custom", tape.gradient(loss, v))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(v * v)
    with tape.stop_recording():
        norm = tf.norm(v)
    loss = loss * 2
report("stopped", tape.gradient(loss, v))
report("norm", norm)
