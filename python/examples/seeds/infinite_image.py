"""One image of infinities among many: it is named, and no weight is spoilt."""

# ---- prelude ----
# The text leaves open the model and the data. Most images are dark: memory of zeros costs nothing.
import numpy as np

from plimsoll.tensorflow import keras

train_images = np.zeros((1024, 224, 224, 3), dtype=np.float32)
train_labels = np.arange(1024) % 10
model = keras.Sequential([
    keras.Input((224, 224, 3)),
    keras.layers.Conv2D(4, 8, strides=8, activation="relu"),
    keras.layers.GlobalAveragePooling2D(),
    keras.layers.Dense(10, activation="softmax"),
])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")

# ---- the text, its imports changed ----
import plimsoll.tensorflow as tf
import numpy as np

# ... model definition ...

# Simulate a corrupted image
train_images[1000] = np.zeros((224, 224, 3), dtype=np.float32) * np.inf

dataset = tf.data.Dataset.from_tensor_slices((train_images, train_labels)).batch(32)

try:
  model.fit(dataset, epochs=10)
except Exception as e:
  print(f"Training crashed: {e}")
