"""A folder of pictures, turned and zoomed at random while a model is trained."""

# ---- prelude ----
# The text leaves open the model and the folder of pictures.
import os

import numpy as np

from plimsoll.tensorflow import keras

for label in ("cats", "dogs"):
    os.makedirs(f"train_data/{label}", exist_ok=True)
    for number in range(20):
        y, x = np.mgrid[0:60, 0:80]
        pixels = np.stack([x * 3, y * 4, x * 0 + 10 * number], axis=-1)
        keras.utils.save_img(f"train_data/{label}/{number}.png", pixels, scale=False)
model = keras.Sequential([
    keras.Input((224, 224, 3)),
    keras.layers.Conv2D(4, 8, strides=8, activation="relu"),
    keras.layers.GlobalAveragePooling2D(),
    keras.layers.Dense(2, activation="softmax"),
])
model.compile(optimizer="adam", loss="categorical_crossentropy")

# ---- the text, its imports changed ----
import plimsoll.tensorflow as tf
from plimsoll.tensorflow.keras.preprocessing.image import ImageDataGenerator

# ... model definition ...

datagen = ImageDataGenerator(
    rescale=1./255,
    shear_range=0.2,
    zoom_range=0.2,
    rotation_range=30,
    fill_mode='nearest'
)

train_generator = datagen.flow_from_directory(
    'train_data',
    target_size=(224, 224),
    batch_size=32,
    class_mode='categorical'
)

model.fit(train_generator, epochs=10)
