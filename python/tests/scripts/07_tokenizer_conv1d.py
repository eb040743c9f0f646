"""Sentences through the Tokenizer into a one-dimensional CNN."""

import numpy as np
from tensorflow.keras.layers import (Conv1D, Dense, Embedding, GlobalMaxPooling1D,
                                     MaxPooling1D)
from tensorflow.keras.models import Sequential
from tensorflow.keras.preprocessing.sequence import pad_sequences
from tensorflow.keras.preprocessing.text import Tokenizer

from _same import report, same_weights

subjects = ["the cat", "my dog", "this film", "our teacher", "the weather"]
verbs = ["loves", "hates", "enjoys", "fears"]
objects = ["rain!", "long walks.", "the sun", "bad jokes, really"]
sentences = [f"{s} {v} {o}" for s in subjects for v in verbs for o in objects]
labels = np.array([int(v in ("loves", "enjoys")) for s in subjects for v in verbs for o in objects])

tokenizer = Tokenizer(num_words=25, oov_token="<OOV>")
tokenizer.fit_on_texts(sentences)
report("words", sorted(tokenizer.word_index))
report("numbers", [tokenizer.word_index[word] for word in sorted(tokenizer.word_index)])
sequences = tokenizer.texts_to_sequences(sentences)
padded = pad_sequences(sequences, maxlen=8, padding="post")
report("padded", padded)
report("matrix", tokenizer.texts_to_matrix(sentences[:4], mode="count"))

model = Sequential([
    Embedding(25, 8),
    Conv1D(16, 3, activation="relu", padding="same"),
    MaxPooling1D(2),
    Conv1D(8, 2, activation="relu"),
    GlobalMaxPooling1D(),
    Dense(1, activation="sigmoid"),
])
model.build((None, 8))
same_weights(model)
# SGD, for TensorFlow's other optimizers take the occurrences of a word in a batch one by one.
model.compile(loss="binary_crossentropy", optimizer="sgd", metrics=["accuracy"])
history = model.fit(padded, labels, epochs=6, batch_size=20, shuffle=False, verbose=2)
report("history", history.history)

new = ["the cat loves rain", "an unknown animal hates it"]
report("new", model.predict(pad_sequences(tokenizer.texts_to_sequences(new), maxlen=8)))
report("weights", model.get_weights())
