"""All records of an array as a Dataset in batches: no second copy of them is made."""

# ---- prelude ----
# The text leaves open the model and the data.
import numpy as np

from plimsoll.tensorflow import keras

X_train = np.random.default_rng(0).random((1000, 64, 64, 3), dtype=np.float32)
y_train = np.arange(1000) % 10
model = keras.Sequential([
    keras.Input((64, 64, 3)),
    keras.layers.Conv2D(8, 4, strides=4, activation="relu"),
    keras.layers.Flatten(),
    keras.layers.Dense(10, activation="softmax"),
])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")

# ---- the text, its imports changed ----
import plimsoll.tensorflow as tf

# Load entire dataset into memory - OOM risk for large datasets
dataset = tf.data.Dataset.from_tensor_slices((X_train, y_train)).batch(32)

model.fit(dataset, epochs=10)
