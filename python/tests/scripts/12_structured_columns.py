"""A table of numbers, whole numbers and words: lookups, one-hot codes and an input per column."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

from _same import report, same_weights

table = {
    "age": np.array([63, 67, 37, 41, 56, 57, 44, 52, 61, 48, 54, 39], dtype="float32"),
    "ca": np.array([0, 3, 2, 0, 1, 0, 1, 2, 3, 0, 1, 2], dtype="int64"),
    "thal": np.array(["fixed", "normal", "reversible", "normal"] * 3),
}
target = np.array([0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 1, 0])


def dataframe_to_dataset(columns, labels):
    ds = tf.data.Dataset.from_tensor_slices((dict(columns), labels))
    return ds


train_ds = dataframe_to_dataset(table, target)
for x, y in train_ds.take(2):
    print("Input:", x, "Target:", y)
train_ds = train_ds.batch(4)

normalizer = layers.Normalization()
normalizer.adapt(train_ds.map(lambda x, y: tf.expand_dims(x["age"], -1)))
number_lookup = layers.IntegerLookup(output_mode="multi_hot")
number_lookup.adapt(train_ds.map(lambda x, y: tf.expand_dims(x["ca"], -1)))
word_lookup = layers.StringLookup(output_mode="one_hot")
word_lookup.adapt(train_ds.map(lambda x, y: x["thal"]))
report("words", word_lookup.get_vocabulary())
report("numbers", number_lookup.get_vocabulary())
report("codes", word_lookup(tf.constant(["normal", "unheard of", "fixed"])))

inputs = {
    "age": keras.Input(shape=(1,), name="age"),
    "ca": keras.Input(shape=(1,), name="ca", dtype="int64"),
    "thal": keras.Input(shape=(1,), name="thal", dtype="string"),
}
features = layers.concatenate([
    normalizer(inputs["age"]), number_lookup(inputs["ca"]), word_lookup(inputs["thal"])])
x = layers.Dense(8, activation="relu")(features)
output = layers.Dense(1, activation="sigmoid")(x)
model = keras.Model(inputs, output)
same_weights(model)
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
history = model.fit(train_ds, epochs=3, verbose=0)
report("loss", history.history["loss"])

sample = {"age": 60, "ca": 1, "thal": "reversible"}
input_dict = {name: tf.convert_to_tensor([[value]]) for name, value in sample.items()}
report("sample", model.predict(input_dict, verbose=0))
