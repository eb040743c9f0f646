"""A folder of pictures per class: image_dataset_from_directory, rescaling, a small CNN."""

import os

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.keras.utils import array_to_img, img_to_array, load_img

from _same import report, same_weights

for label, name in enumerate(["cats", "dogs", "owls"]):
    os.makedirs(os.path.join("photos", name))
    for number in range(8):
        y, x = np.mgrid[0:36, 0:48]
        image = np.stack([(x * (label + 1) + number) % 256, y * 5, (x + y) % 256], axis=-1)
        array_to_img(image.astype("float32"), scale=False).save(f"photos/{name}/{number}.png")

first = load_img("photos/cats/0.png")
report("size", first.size)
report("pixels", img_to_array(first)[:2, :3])
small = load_img("photos/cats/3.png", target_size=(18, 24), color_mode="grayscale")
report("small", img_to_array(small)[::6, ::6])

arguments = dict(validation_split=0.25, seed=123, image_size=(24, 24), batch_size=6)
train_ds = keras.utils.image_dataset_from_directory("photos", subset="training", **arguments)
val_ds = keras.utils.image_dataset_from_directory("photos", subset="validation", **arguments)
class_names = train_ds.class_names
report("class_names", class_names)
report("counts", [sum(len(y) for _, y in train_ds), sum(len(y) for _, y in val_ds)])
for image_batch, labels_batch in train_ds.take(1):
    report("batch", [image_batch.shape[0], image_batch.shape[1], labels_batch.shape[0]])

ordered = keras.utils.image_dataset_from_directory(
    "photos", shuffle=False, label_mode="categorical", image_size=(24, 24), batch_size=8)
images, labels = next(iter(ordered))
report("images", images.numpy()[0, ::8, ::8], atol=0.01)  # of 255, after a resize
report("labels", labels)

normalized = ordered.map(lambda x, y: (layers.Rescaling(1.0 / 255)(x), y))
report("largest", float(tf.reduce_max(next(iter(normalized))[0])))
model = keras.Sequential([
    layers.Rescaling(1.0 / 255, input_shape=(24, 24, 3)),
    layers.Conv2D(6, 3, padding="same", activation="relu"),
    layers.MaxPooling2D(),
    layers.Flatten(),
    layers.Dense(len(class_names)),
])
same_weights(model)
model.compile(optimizer="adam", metrics=["accuracy"],
              loss=keras.losses.CategoricalCrossentropy(from_logits=True))
history = model.fit(ordered.cache().prefetch(buffer_size=tf.data.AUTOTUNE), epochs=2, verbose=0)
report("history", history.history)
img_array = tf.expand_dims(img_to_array(load_img("photos/owls/1.png", target_size=(24, 24))), 0)
score = tf.nn.softmax(model.predict(img_array, verbose=0)[0])
report("score", score)
