"""Augmentation as layers and as functions: shapes in training, exact values at inference."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import Sequential, layers

from _same import report, report_shape, same_weights

images = (np.arange(4 * 20 * 24 * 3) % 255).reshape(4, 20, 24, 3).astype("float32")

data_augmentation = Sequential([
    layers.RandomFlip("horizontal_and_vertical"),
    layers.RandomRotation(0.2),
    layers.RandomZoom(0.1),
    layers.RandomTranslation(height_factor=0.1, width_factor=0.1),
    layers.RandomContrast(0.2),
])
report_shape("augmented", data_augmentation(images, training=True))
report("inference", data_augmentation(images, training=False))
report_shape("cropped", layers.RandomCrop(16, 16)(images, training=True))
report("center", layers.CenterCrop(16, 12)(images))
report("cropped_off", layers.RandomCrop(16, 16)(images, training=False).shape)
report("resized", layers.Resizing(10, 12)(images))
report("resized_up", layers.Resizing(30, 30, interpolation="nearest")(images)[:, ::10, ::10])
report("rescaled", layers.Rescaling(scale=1 / 127.5, offset=-1)(images)[:, ::10, ::10])

image = images[0]
report_shape("random_crop", tf.image.random_crop(image, size=[12, 12, 3]))
flipped = tf.image.random_flip_left_right(image)
same = np.allclose(flipped, image)
mirrored = np.allclose(flipped, image[:, ::-1])
report("flip_is_one_of_two", bool(same or mirrored))
report_shape("random_brightness", tf.image.random_brightness(image, max_delta=0.3))
report_shape("random_contrast", tf.image.random_contrast(image, 0.5, 1.5))

dataset = tf.data.Dataset.from_tensor_slices((images, [0, 1, 0, 1])).batch(2)
augmented = dataset.map(lambda x, y: (data_augmentation(x, training=True), y),
                        num_parallel_calls=tf.data.AUTOTUNE)
for x, y in augmented:
    report_shape(f"mapped_{int(tf.reduce_sum(y))}_{x.shape[0]}", x)
    break

model = Sequential([
    tf.keras.Input((20, 24, 3)), data_augmentation, layers.Rescaling(1 / 255.0),
    layers.Conv2D(4, 3, activation="relu"), layers.GlobalAveragePooling2D(), layers.Dense(2)])
same_weights(model)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
report("before", model.predict(images, verbose=0))
report_shape("loss", model.fit(dataset, epochs=2, verbose=0).history["loss"])
