"""Windows over a series, made in three ways: tf.data, Keras's helper and NumPy."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

from _same import report, same_weights


def trend(time, slope=0.0):
    return slope * time


def seasonality(time, period, amplitude=1.0):
    return amplitude * np.cos(2 * np.pi * (time % period) / period)


time = np.arange(200, dtype="float32")
series = 10 + trend(time, 0.05) + seasonality(time, period=25, amplitude=4)
series += np.random.default_rng(0).normal(size=200) * 0.3
series = series.astype("float32")
split_time = 150
x_train, x_valid = series[:split_time], series[split_time:]
window_size = 12


def windowed_dataset(series, window_size, batch_size):
    dataset = tf.data.Dataset.from_tensor_slices(series)
    dataset = dataset.window(window_size + 1, shift=1, drop_remainder=True)
    dataset = dataset.flat_map(lambda window: window.batch(window_size + 1))
    dataset = dataset.map(lambda window: (window[:-1], window[-1]))
    return dataset.batch(batch_size).prefetch(1)


dataset = windowed_dataset(x_train, window_size, 32)
x, y = next(iter(dataset))
report("x", x[:3])
report("y", y[:3])
helper = keras.utils.timeseries_dataset_from_array(
    x_train[:-window_size], x_train[window_size:], sequence_length=window_size, batch_size=32)
for inputs, targets in helper:
    report("same_as_window", [np.allclose(inputs, x), np.allclose(targets, y)])
    break

l0 = keras.layers.Dense(1, input_shape=[window_size])
model = keras.models.Sequential([l0])
same_weights(model)
model.compile(loss="mse", optimizer=keras.optimizers.SGD(learning_rate=1e-4, momentum=0.9))
history = model.fit(dataset, epochs=5, verbose=0)
report("history", history.history)
report("layer_weights", l0.get_weights())

forecast = []
for moment in range(split_time, len(series)):
    forecast.append(model.predict(series[moment - window_size:moment][np.newaxis], verbose=0)[0, 0])
    if len(forecast) == 5:
        break
report("forecast", forecast)
report("mae", keras.losses.mae(x_valid[:5], forecast))
conv = keras.Sequential([
    keras.layers.Conv1D(8, 5, strides=1, padding="causal", activation="relu",
                        input_shape=[window_size, 1]),
    keras.layers.LSTM(6),
    keras.layers.Dense(1),
])
same_weights(conv)
# SGD, for TensorFlow counts one step too many at the end of data of unknown length.
conv.compile(loss=keras.losses.Huber(), optimizer="sgd", metrics=["mae"])
with_channel = dataset.map(lambda a, b: (a[..., tf.newaxis], b))
report("conv", conv.fit(with_channel, epochs=2, verbose=0).history)
