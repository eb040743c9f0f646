"""A training loop by hand: a step under tf.function, metrics that are reset each epoch."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

from _same import report, same_weights

random = np.random.default_rng(0)
x_train = random.normal(size=(160, 20)).astype("float32")
y_train = np.argmax(x_train[:, :4], axis=1).astype("int64")
x_val, y_val = x_train[128:], y_train[128:]
x_train, y_train = x_train[:128], y_train[:128]

batch_size = 32
train_dataset = tf.data.Dataset.from_tensor_slices((x_train, y_train)).batch(batch_size)
val_dataset = tf.data.Dataset.from_tensor_slices((x_val, y_val)).batch(batch_size)

inputs = keras.Input(shape=(20,), name="digits")
x1 = keras.layers.Dense(16, activation="relu")(inputs)
x2 = keras.layers.Dense(16, activation="relu")(x1)
outputs = keras.layers.Dense(4, name="predictions")(x2)
model = keras.Model(inputs=inputs, outputs=outputs)
same_weights(model)

optimizer = keras.optimizers.SGD(learning_rate=0.05)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
train_loss = keras.metrics.Mean(name="train_loss")
train_acc_metric = keras.metrics.SparseCategoricalAccuracy()
val_acc_metric = keras.metrics.SparseCategoricalAccuracy()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss_value = loss_fn(y, logits)
    grads = tape.gradient(loss_value, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
    train_loss(loss_value)
    train_acc_metric.update_state(y, logits)
    return loss_value


@tf.function
def test_step(x, y):
    val_logits = model(x, training=False)
    val_acc_metric.update_state(y, val_logits)


for epoch in range(3):
    for step, (x_batch_train, y_batch_train) in enumerate(train_dataset):
        loss_value = train_step(x_batch_train, y_batch_train)
        report(f"loss_{epoch}_{step}", float(loss_value))
        if step % 2 == 0:
            print(f"Training loss at step {step}: {float(loss_value):.4f}")
    report(f"train_loss_{epoch}", train_loss.result())
    report(f"train_accuracy_{epoch}", train_acc_metric.result())
    train_loss.reset_state()
    train_acc_metric.reset_state()
    for x_batch_val, y_batch_val in val_dataset:
        test_step(x_batch_val, y_batch_val)
    report(f"val_accuracy_{epoch}", val_acc_metric.result().numpy())
    val_acc_metric.reset_state()

report("iterations", optimizer.iterations.numpy())
report("weights", model.get_weights())
