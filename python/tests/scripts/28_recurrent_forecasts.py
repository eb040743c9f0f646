"""SimpleRNN, GRU and LSTM over the same sequences, and repeated for several outputs."""

import numpy as np
from tensorflow.keras.layers import (GRU, LSTM, Dense, RepeatVector, SimpleRNN, TimeDistributed)
from tensorflow.keras.models import Sequential

from _same import report, same_weights

series = np.sin(np.arange(140) * 0.2) + 0.1 * np.cos(np.arange(140))


def create_dataset(values, look_back):
    x, y = [], []
    for i in range(len(values) - look_back - 3):
        x.append(values[i:i + look_back])
        y.append(values[i + look_back:i + look_back + 3])
    return np.array(x), np.array(y)


x, y = create_dataset(series, 10)
x = np.reshape(x, (x.shape[0], x.shape[1], 1))


def train(name, model, target):
    same_weights(model)
    model.compile(loss="mean_squared_error", optimizer="adam")
    history = model.fit(x, target, epochs=2, batch_size=32, shuffle=False, verbose=0)
    report(name + "_loss", history.history["loss"])
    report(name + "_prediction", model.predict(x[:4], verbose=0))
    report(name + "_weights", model.get_weights())


train("simple", Sequential([SimpleRNN(8, input_shape=(10, 1)), Dense(1)]), y[:, 0])
train("gru", Sequential([GRU(8, reset_after=False, input_shape=(10, 1)), Dense(1)]), y[:, 0])
train("seq2seq", Sequential([
    LSTM(8, activation="tanh", input_shape=(10, 1)), RepeatVector(3),
    LSTM(8, return_sequences=True), TimeDistributed(Dense(1))]), y[..., np.newaxis])
