"""Data from Python generators, with both ways to say what they yield."""

import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Dense
from tensorflow.keras.models import Sequential

from _same import report, same_weights


def count(stop):
    i = 0
    while i < stop:
        yield i
        i += 1


ds_counter = tf.data.Dataset.from_generator(count, args=[25], output_types=tf.int32,
                                            output_shapes=())
report("batches", [batch.numpy() for batch in ds_counter.repeat().batch(10).take(3)])


def samples():
    for i in range(60):
        x = np.cos(np.arange(5) * (i + 1) * 0.37).astype("float32")
        yield x, np.float32(x.sum() > 0)


dataset = tf.data.Dataset.from_generator(
    samples,
    output_signature=(tf.TensorSpec(shape=(5,), dtype=tf.float32),
                      tf.TensorSpec(shape=(), dtype=tf.float32)))
report("spec", [tuple(spec.shape) for spec in dataset.element_spec][:1])


def endless(batch_size, advance=1):
    step = 0
    while True:
        x = np.sin(np.arange(batch_size * 5) + step).reshape(batch_size, 5).astype(np.float32)
        yield x, (x[:, 0] > 0).astype(np.float32)
        step += advance


model = Sequential([Dense(6, activation="relu", input_shape=(5,)), Dense(1, activation="sigmoid")])
same_weights(model)
# SGD, for TensorFlow counts one step too many at the end of data of unknown length.
model.compile(optimizer="sgd", loss="binary_crossentropy")
history = model.fit(dataset.batch(12).prefetch(tf.data.AUTOTUNE), epochs=3, verbose=0)
report("from_dataset", history.history["loss"])
history = model.fit(endless(8), steps_per_epoch=5, epochs=2, verbose=0,
                    validation_data=endless(8, advance=0), validation_steps=2)
report("from_generator", history.history)
report("evaluate", model.evaluate(endless(16), steps=3, verbose=0))
report("predict", model.predict(endless(4), steps=2, verbose=0))
report("weights", model.get_weights())
