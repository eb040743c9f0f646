"""Texts as strings into the model: a vectorization layer with a standardization of one's own."""

import re
import string

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

from _same import report, same_weights

texts = np.array([
    "A great film!<br />I loved every minute.", "Terrible; a waste of time",
    "Great acting, great music...", "I hated this film", "what a waste",
    "loved the music and the acting", "every minute was terrible", "A GREAT time",
])
labels = np.array([1, 0, 1, 0, 0, 1, 0, 1])


def custom_standardization(input_data):
    lowercase = tf.strings.lower(input_data)
    stripped_html = tf.strings.regex_replace(lowercase, "<br />", " ")
    return tf.strings.regex_replace(stripped_html, "[%s]" % re.escape(string.punctuation), "")


vectorize_layer = layers.TextVectorization(
    standardize=custom_standardization, max_tokens=40, output_mode="int",
    output_sequence_length=10)
raw_ds = tf.data.Dataset.from_tensor_slices((texts, labels)).batch(4)
vectorize_layer.adapt(raw_ds.map(lambda x, y: x))
report("vocabulary", vectorize_layer.get_vocabulary())
report("vectorized", vectorize_layer(texts))

plain = layers.TextVectorization(output_mode="multi_hot", max_tokens=12)
plain.adapt(texts)
report("multi_hot", plain(texts))


def vectorize_text(text, label):
    return vectorize_layer(tf.expand_dims(text, -1)), label


train_ds = raw_ds.map(vectorize_text).cache().prefetch(buffer_size=tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    layers.Embedding(41, 8),
    layers.GlobalAveragePooling1D(),
    layers.Dense(1, activation="sigmoid"),
])
model.build((None, 10))
same_weights(model)
# SGD, for TensorFlow's other optimizers take the occurrences of a word in a batch one by one.
model.compile(loss=tf.keras.losses.BinaryCrossentropy(), optimizer="sgd",
              metrics=[tf.metrics.BinaryAccuracy(threshold=0.5)])
history = model.fit(train_ds, epochs=5, verbose=0)
report("history", history.history)

export_model = tf.keras.Sequential([vectorize_layer, model])
report("from_text", export_model.predict(tf.constant(["a great film", "a waste of film"])))
report("weights", model.get_weights())
