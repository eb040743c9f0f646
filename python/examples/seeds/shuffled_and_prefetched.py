"""The same records shuffled, in batches that are read ahead."""

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

# Load data in batches with prefetching
dataset = tf.data.Dataset.from_tensor_slices((X_train, y_train)) \
                         .shuffle(buffer_size=10000) \
                         .batch(32) \
                         .prefetch(tf.data.AUTOTUNE)

model.fit(dataset, epochs=10)
