"""Two bidirectional LSTMs over masked word numbers."""

import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import LSTM, Bidirectional, Dense, Embedding
from tensorflow.keras.models import Sequential

from _same import report, same_weights

random = np.random.default_rng(0)
lengths = random.integers(3, 21, size=96)
words = np.zeros((96, 20), dtype="int32")
for row, length in enumerate(lengths):
    words[row, :length] = random.integers(1, 200, size=length)
labels = (words[:, 0] % 2).astype("float32")

model = Sequential([
    Embedding(200, 12, mask_zero=True),
    Bidirectional(LSTM(8, return_sequences=True)),
    Bidirectional(LSTM(6)),
    Dense(12, activation="relu"),
    Dense(1),
])
model.build((None, 20))
same_weights(model)
# SGD, for TensorFlow's other optimizers take the occurrences of a word in a batch one by one.
model.compile(loss=tf.keras.losses.BinaryCrossentropy(from_logits=True),
              optimizer=tf.keras.optimizers.SGD(0.1), metrics=["accuracy"])
report("untrained", model.predict(words[:7], verbose=0))

history = model.fit(words, labels, epochs=3, batch_size=32, shuffle=False, verbose=0)
report("loss", history.history["loss"])
report("predictions", model.predict(words, batch_size=48))
report("weights", model.get_weights())
