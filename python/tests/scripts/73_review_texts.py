"""Sorting reviews: TextVectorization with bigrams, tf-idf and sequences, an end-to-end model of raw strings."""

import re
import string

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, losses

from _same import report, same_weights

good = ["a wonderful film", "great acting and a GREAT story!", "I loved it<br />truly loved it", "best of the year",
        "a moving, warm story", "great fun", "loved the music", "wonderful cast"]
bad = ["an awful film", "bad acting and a bad story", "I hated it<br />boring", "worst of the year",
       "a dull, cold story", "no fun", "hated the music", "awful cast"]
texts = np.array(good + bad)
labels = np.array([1] * len(good) + [0] * len(bad))
order = np.random.RandomState(0).permutation(len(texts))
texts, labels = texts[order], labels[order]
raw_train_ds = tf.data.Dataset.from_tensor_slices((texts, labels)).batch(4)


def custom_standardization(input_data):
    lowercase = tf.strings.lower(input_data)
    stripped_html = tf.strings.regex_replace(lowercase, "<br />", " ")
    return tf.strings.regex_replace(stripped_html, "[%s]" % re.escape(string.punctuation), "")


max_features = 60
sequence_length = 8
vectorize_layer = layers.TextVectorization(
    standardize=custom_standardization, max_tokens=max_features, output_mode="int",
    output_sequence_length=sequence_length)
train_text = raw_train_ds.map(lambda x, y: x)
vectorize_layer.adapt(train_text)
report("vocabulary", np.array(vectorize_layer.get_vocabulary()[:4]))
report("size", vectorize_layer.vocabulary_size())


def vectorize_text(text, label):
    text = tf.expand_dims(text, -1)
    return vectorize_layer(text), label


text_batch, label_batch = next(iter(raw_train_ds))
first_review, first_label = text_batch[0], label_batch[0]
print("Review", first_review)
print("Label", int(first_label))
print("Vectorized review", vectorize_text(first_review, first_label))
report("vectorized", vectorize_text(first_review, first_label)[0])

train_ds = raw_train_ds.map(vectorize_text).cache().prefetch(buffer_size=tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    layers.Embedding(max_features + 1, 4),
    layers.Dropout(0.0),
    layers.GlobalAveragePooling1D(),
    layers.Dropout(0.0),
    layers.Dense(1, activation="sigmoid")])
model.build((None, sequence_length))
same_weights(model)
model.compile(loss=losses.BinaryCrossentropy(), optimizer=tf.keras.optimizers.SGD(0.5),
              metrics=[tf.metrics.BinaryAccuracy(threshold=0.5)])
history = model.fit(train_ds, epochs=5, verbose=0)
report("history", history.history)
print(history.history.keys())

export_model = tf.keras.Sequential([vectorize_layer, model])
export_model.compile(loss=losses.BinaryCrossentropy(from_logits=False), optimizer="adam", metrics=["accuracy"])
metrics = export_model.evaluate(raw_train_ds, return_dict=True, verbose=0)
report("export", metrics)
examples = tf.constant(["The movie was great!", "The movie was okay.", "The movie was terrible..."])
report("predictions", export_model.predict(examples))

for mode in ["multi_hot", "count", "tf_idf"]:
    vectorizer = layers.TextVectorization(ngrams=2, max_tokens=20, output_mode=mode)
    vectorizer.adapt(texts)
    dense = vectorizer(texts)
    report(mode, tf.reduce_sum(tf.cast(dense, "float32"), axis=1))
    report(mode + "_shape", np.array(dense.shape))

vectorizer = layers.TextVectorization(max_tokens=20, output_mode="multi_hot", pad_to_max_tokens=True)
vectorizer.adapt(raw_train_ds.map(lambda x, y: x))
inputs = tf.keras.Input(shape=(1,), dtype="string")
x = vectorizer(inputs)
outputs = layers.Dense(1, activation="sigmoid")(x)
bag = tf.keras.Model(inputs, outputs)
same_weights(bag)
report("bag", bag.predict(tf.constant([["a great film"], ["an awful story"]]), verbose=0))
index_to_word = dict(enumerate(vectorizer.get_vocabulary()))
report("decoded", " ".join(index_to_word[i] for i in range(1, 3)))
tokens = tf.strings.split(tf.constant(["one two three", "four five"]))
report("split", tokens.to_tensor(default_value=b"-"))
