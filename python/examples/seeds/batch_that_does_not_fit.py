"""A batch of 128 that needs more memory than there is: fit makes each step in smaller parts."""

# ---- prelude ----
# The text leaves open the model and the data. The limit is less than a step with 128 images takes
# at once.
import numpy as np

import plimsoll
from plimsoll.tensorflow import keras

train_images = np.random.default_rng(0).random((256, 64, 64, 3), dtype=np.float32)
train_labels = np.arange(256) % 10
model = keras.Sequential([
    keras.Input((64, 64, 3)),
    keras.layers.Conv2D(32, 3, activation="relu"),
    keras.layers.Conv2D(32, 3, activation="relu"),
    keras.layers.GlobalAveragePooling2D(),
    keras.layers.Dense(10, activation="softmax"),
])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
plimsoll.set_memory_limit("300MiB")

# ---- the text, its imports changed ----
import plimsoll.tensorflow as tf

# ... model definition ...

BATCH_SIZE = 128  # Too large for the available GPU memory

dataset = tf.data.Dataset.from_tensor_slices((train_images, train_labels))
dataset = dataset.batch(BATCH_SIZE)

model.fit(dataset, epochs=10)
