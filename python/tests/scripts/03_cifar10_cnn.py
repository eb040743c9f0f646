"""The CNN of many courses on small colour pictures, trained from arrays with validation data."""

import tensorflow as tf
from tensorflow.keras import datasets, layers, models

from _same import report, same_weights

(train_images, train_labels), (test_images, test_labels) = datasets.cifar10.load_data()
train_images, train_labels = train_images[:200] / 255.0, train_labels[:200]
test_images, test_labels = test_images[:80] / 255.0, test_labels[:80]
report("labels", train_labels[:8])
report("pixels", train_images[3, 5:7, 5:7])

model = models.Sequential()
model.add(layers.Conv2D(16, (3, 3), activation="relu", input_shape=(32, 32, 3)))
model.add(layers.MaxPooling2D((2, 2)))
model.add(layers.Conv2D(32, (3, 3), activation="relu"))
model.add(layers.MaxPooling2D((2, 2)))
model.add(layers.Conv2D(32, (3, 3), activation="relu"))
model.add(layers.Flatten())
model.add(layers.Dense(32, activation="relu"))
model.add(layers.Dense(10))
model.summary()
same_weights(model)

model.compile(optimizer="adam",
              loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
              metrics=["accuracy"])
history = model.fit(train_images, train_labels, epochs=2, batch_size=40, shuffle=False,
                    validation_data=(test_images, test_labels))
report("history", history.history)
test_loss, test_accuracy = model.evaluate(test_images, test_labels, verbose=2)
report("test", [test_loss, test_accuracy])
report("weights", model.get_weights())
