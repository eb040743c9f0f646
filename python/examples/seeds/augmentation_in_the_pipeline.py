"""Pictures of a folder, turned and shifted inside the pipeline by Python code."""

# ---- prelude ----
# The text leaves open the model and the folder of pictures.
import os

import numpy as np

from plimsoll.tensorflow import keras

for label in ("cats", "dogs"):
    os.makedirs(f"path/to/train/images/{label}", exist_ok=True)
    for number in range(20):
        y, x = np.mgrid[0:60, 0:80]
        pixels = np.stack([x * 3, y * 4, x * 0 + 10 * number], axis=-1)
        keras.utils.save_img(f"path/to/train/images/{label}/{number}.png", pixels, scale=False)

# The text gives its model pairs of augmented pictures and their labels: a model with two inputs.
pictures, labels = keras.Input((224, 224, 3)), keras.Input((2,))
features = keras.layers.Conv2D(4, 8, strides=8, activation="relu")(pictures)
features = keras.layers.GlobalAveragePooling2D()(features)
features = keras.layers.concatenate([features, labels])
model = keras.Model([pictures, labels], keras.layers.Dense(2, activation="softmax")(features))
model.compile(optimizer="adam", loss="categorical_crossentropy")

# ---- the text, its imports changed ----
import plimsoll.tensorflow as tf
from plimsoll.tensorflow.keras.preprocessing.image import ImageDataGenerator

#Data Augmentation reduces the need for a large dataset while increasing data variability
datagen = ImageDataGenerator(
    rotation_range=20,
    width_shift_range=0.2,
    height_shift_range=0.2,
    shear_range=0.2,
    zoom_range=0.2,
    horizontal_flip=True,
    fill_mode='nearest'
)

# Create a tf.data.Dataset from directory with optimized memory usage
train_dataset = tf.keras.utils.image_dataset_from_directory(
    "path/to/train/images",
    labels='inferred',
    label_mode='categorical',
    image_size=(224, 224),
    batch_size=32
)


# Apply data augmentation within the pipeline and prefetch
train_dataset = train_dataset.map(lambda x, y: (datagen.flow(x.numpy(), y.numpy(), batch_size=32).next(),y)) \
                          .prefetch(buffer_size=tf.data.AUTOTUNE)

model.fit(train_dataset, epochs=10)
