"""Recurrent layers made of cells, states by hand, a cell of one's own, and a forecast that feeds itself."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

from _same import report, same_weights

series = np.sin(np.arange(120) / 5).astype("float32") + 0.1 * np.cos(np.arange(120)).astype("float32")
windows = np.stack([series[i:i + 12] for i in range(96)])[..., None]
targets = np.stack([series[i + 12:i + 16] for i in range(96)])[..., None]


class FeedBack(keras.Model):
    def __init__(self, units, out_steps):
        super().__init__()
        self.out_steps = out_steps
        self.lstm_cell = layers.LSTMCell(units)
        self.lstm_rnn = layers.RNN(self.lstm_cell, return_state=True)
        self.dense = layers.Dense(1)

    def warmup(self, inputs):
        x, *state = self.lstm_rnn(inputs)
        return self.dense(x), state

    def call(self, inputs, training=None):
        predictions = []
        prediction, state = self.warmup(inputs)
        predictions.append(prediction)
        for _ in range(1, self.out_steps):
            x, state = self.lstm_cell(prediction, states=state, training=training)
            prediction = self.dense(x)
            predictions.append(prediction)
        predictions = tf.stack(predictions)
        return tf.transpose(predictions, [1, 0, 2])


feedback = FeedBack(6, 4)
prediction, state = feedback.warmup(windows[:2])
report("warmup", [prediction.shape, state[0].shape])
feedback(windows[:2])
same_weights(feedback)
feedback.compile(loss=keras.losses.MeanSquaredError(), optimizer=keras.optimizers.Adam(0.01),
                 metrics=[keras.metrics.MeanAbsoluteError()])
history = feedback.fit(windows, targets, epochs=2, batch_size=32, shuffle=False, verbose=0)
report("feedback", history.history)
report("forecast", feedback.predict(windows[:3], verbose=0))


class MinimalRNNCell(layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.state_size = units

    def build(self, input_shape):
        self.kernel = self.add_weight(shape=(input_shape[-1], self.units), name="kernel")
        self.recurrent_kernel = self.add_weight(shape=(self.units, self.units),
                                                name="recurrent_kernel")

    def call(self, inputs, states):
        h = keras.ops.matmul(inputs, self.kernel)
        output = h + keras.ops.matmul(states[0], self.recurrent_kernel)
        return output, [output]


inputs = keras.Input((12, 1))
h = layers.RNN(MinimalRNNCell(5), return_sequences=True)(inputs)
h = layers.RNN([layers.GRUCell(4), layers.SimpleRNNCell(3)])(h)
model = keras.Model(inputs, layers.Dense(1)(h))
same_weights(model)
model.compile("sgd", "mse")
history = model.fit(windows, targets[:, 0], epochs=2, batch_size=32, shuffle=False, verbose=0)
report("cells", history.history)
report("cell_output", model.predict(windows[:3], verbose=0))

encoder_inputs = keras.Input((None, 1))
sequences, forward_h, forward_c, backward_h, backward_c = layers.Bidirectional(
    layers.LSTM(3, return_sequences=True, return_state=True))(encoder_inputs)
state_h = layers.Concatenate()([forward_h, backward_h])
state_c = layers.Concatenate()([forward_c, backward_c])
decoder_inputs = keras.Input((None, 1))
decoded = layers.LSTM(6, return_sequences=True)(decoder_inputs, initial_state=[state_h, state_c])
context = layers.Attention()([decoded, layers.Dense(6)(sequences)])
outputs = layers.TimeDistributed(layers.Dense(1))(layers.Concatenate()([decoded, context]))
model = keras.Model([encoder_inputs, decoder_inputs], outputs)
same_weights(model)
model.compile(keras.optimizers.RMSprop(0.005), "mae")
teacher = np.concatenate([windows[:, -1:], targets[:, :-1]], axis=1)
history = model.fit([windows, teacher], targets, epochs=2, batch_size=32, shuffle=False, verbose=0)
report("attention", history.history)

stateful = keras.Sequential([keras.Input(batch_shape=(2, 3, 1)), layers.GRU(4, stateful=True),
                             layers.Dense(1)])
same_weights(stateful)
first = stateful.predict(windows[:2, :3], verbose=0)
second = stateful.predict(windows[:2, :3], verbose=0)
report("stateful", [first, second])
stateful.layers[0].reset_states()
report("reset", stateful.predict(windows[:2, :3], verbose=0))
masked = keras.Sequential([keras.Input((6, 1)), layers.Masking(mask_value=-1.0),
                           layers.GRU(3, return_sequences=True, go_backwards=True)])
same_weights(masked)
padded = windows[:2, :6].copy()
padded[0, 4:] = -1.0
report("masked", masked.predict(padded, verbose=0))
