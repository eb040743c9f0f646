"""ImageDataGenerator, flow, flow_from_directory and fit, as in most student projects."""

import os

import numpy as np
from tensorflow.keras.layers import Activation, Conv2D, Dense, Flatten, MaxPooling2D
from tensorflow.keras.models import Sequential
from tensorflow.keras.optimizers import RMSprop
from tensorflow.keras.preprocessing.image import ImageDataGenerator, array_to_img

from _same import report, report_shape, same_weights

for label, name in enumerate(["horses", "humans"]):
    for part, count in (("train", 10), ("validation", 4)):
        os.makedirs(f"{part}/{name}")
        for number in range(count):
            y, x = np.mgrid[0:32, 0:32]
            image = np.stack([x * (8 - 3 * label), y * 7, x * 0 + number * 9], axis=-1)
            picture = array_to_img(image.astype("float32"), scale=False)
            picture.save(f"{part}/{name}/{number:02d}.png")

train_datagen = ImageDataGenerator(rescale=1.0 / 255)
train_generator = train_datagen.flow_from_directory(
    "train", target_size=(32, 32), batch_size=5, class_mode="binary", shuffle=False)
validation_generator = ImageDataGenerator(rescale=1 / 255).flow_from_directory(
    "validation", target_size=(32, 32), batch_size=4, class_mode="binary", shuffle=False)
report("classes", train_generator.classes)
report("indices", train_generator.class_indices)
report("samples", train_generator.samples)
images, labels = next(train_generator)
report("images", images[:, ::16, ::16])
report("labels", labels)
train_generator.reset()

model = Sequential()
model.add(Conv2D(6, (3, 3), input_shape=(32, 32, 3)))
model.add(Activation("relu"))
model.add(MaxPooling2D(2, 2))
model.add(Flatten())
model.add(Dense(1, activation="sigmoid"))
same_weights(model)
model.compile(loss="binary_crossentropy", optimizer=RMSprop(learning_rate=0.001),
              metrics=["accuracy"])
history = model.fit(train_generator, steps_per_epoch=len(train_generator), epochs=2, shuffle=False,
                    validation_data=validation_generator, verbose=2)
report("history", history.history)
report("predictions", model.predict(validation_generator, verbose=0))

augmenting = ImageDataGenerator(
    rescale=1.0 / 255, rotation_range=40, width_shift_range=0.2, height_shift_range=0.2,
    shear_range=0.2, zoom_range=0.2, horizontal_flip=True, fill_mode="nearest",
    validation_split=0.2)
flow = augmenting.flow_from_directory("train", target_size=(24, 24), batch_size=8,
                                      class_mode="categorical", subset="training")
batch, codes = next(flow)
report_shape("augmented", batch)
report("code_sums", codes.sum(axis=1))
x = np.arange(6 * 8 * 8 * 1, dtype="float32").reshape(6, 8, 8, 1)
plain = ImageDataGenerator(featurewise_center=True, featurewise_std_normalization=True)
plain.fit(x)
report("mean", plain.mean)
standardized, _ = next(plain.flow(x, np.arange(6), batch_size=3, shuffle=False))
report("standardized", standardized[:, ::4, ::4])
