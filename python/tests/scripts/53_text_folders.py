"""A folder of texts per class: text_dataset_from_directory, vectorization, a bag of words."""

import os

import tensorflow as tf
from tensorflow.keras import layers, losses, utils

from _same import report, same_weights

words = {"csharp": ["public", "class", "using", "namespace"],
         "python": ["def", "import", "lambda", "class"]}
for label in words:
    os.makedirs(f"stack/{label}")
    for number in range(10):
        chosen = " ".join(words[label][(number + i) % 4] for i in range(3))
        with open(f"stack/{label}/{number}.txt", "w") as file:
            file.write(f"How do I use {chosen} in line {number}?")

raw_train_ds = utils.text_dataset_from_directory(
    "stack", batch_size=8, validation_split=0.2, subset="training", seed=42)
raw_val_ds = utils.text_dataset_from_directory(
    "stack", batch_size=8, validation_split=0.2, subset="validation", seed=42)
report("names", raw_train_ds.class_names)
report("counts", [sum(len(y) for _, y in raw_train_ds), sum(len(y) for _, y in raw_val_ds)])
ordered = utils.text_dataset_from_directory("stack", batch_size=5, shuffle=False)
texts, labels = next(iter(ordered))
report("first", texts.numpy()[0].decode())
report("labels", labels)

binary = layers.TextVectorization(max_tokens=30, output_mode="multi_hot")
train_text = ordered.map(lambda text, labels: text)
binary.adapt(train_text)
report("vocabulary_size", binary.vocabulary_size())
report("vectors", binary(texts))
counted = layers.TextVectorization(max_tokens=15, output_mode="count", ngrams=2)
counted.adapt(train_text)
report("counted", counted(texts))
weighted = layers.TextVectorization(output_mode="tf_idf", max_tokens=20, pad_to_max_tokens=True)
weighted.adapt(train_text)
report("tf_idf", weighted(texts))

bags = ordered.map(lambda text, label: (binary(text), label)).cache().prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([layers.Dense(2)])
model.build((None, binary(texts).shape[1]))
same_weights(model)
model.compile(loss=losses.SparseCategoricalCrossentropy(from_logits=True), optimizer="adam",
              metrics=["accuracy"])
report("history", model.fit(bags, epochs=4, verbose=0).history)

export = tf.keras.Sequential([binary, model, layers.Activation("softmax")])
export.compile(loss=losses.SparseCategoricalCrossentropy(from_logits=False), optimizer="adam",
               metrics=["accuracy"])
report("evaluate", export.evaluate(ordered, verbose=0))
report("from_text", export.predict(tf.constant(["import a lambda", "public class"]), verbose=0))
