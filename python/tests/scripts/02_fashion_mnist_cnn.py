"""Fashion pictures with a small CNN, one-hot labels and a validation split."""

import numpy as np
from tensorflow.keras.datasets import fashion_mnist
from tensorflow.keras.layers import Conv2D, Dense, Dropout, Flatten, MaxPooling2D
from tensorflow.keras.models import Sequential
from tensorflow.keras.utils import to_categorical

from _same import report, report_shape, same_weights

(train_images, train_labels), (test_images, test_labels) = fashion_mnist.load_data()
class_names = ["T-shirt", "Trouser", "Pullover", "Dress", "Coat",
               "Sandal", "Shirt", "Sneaker", "Bag", "Boot"]

train_images = train_images.reshape((-1, 28, 28, 1)).astype("float32") / 255
test_images = test_images.reshape((-1, 28, 28, 1)).astype("float32") / 255
train_labels = to_categorical(train_labels, 10)
test_labels = to_categorical(test_labels, num_classes=10)

model = Sequential()
model.add(Conv2D(16, (3, 3), activation="relu", input_shape=(28, 28, 1)))
model.add(MaxPooling2D((2, 2)))
model.add(Conv2D(16, kernel_size=3, activation="relu", padding="same"))
model.add(MaxPooling2D(pool_size=(2, 2), strides=2))
model.add(Flatten())
model.add(Dense(32, activation="relu"))
model.add(Dropout(0.25))
model.add(Dense(10, activation="softmax"))
same_weights(model)
model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])

report("before", model.evaluate(test_images, test_labels, verbose=0))
history = model.fit(train_images, train_labels, epochs=2, batch_size=32, validation_split=0.25)
report("epochs", history.epoch)
report("keys", sorted(history.history))

predictions = model.predict(test_images)
report_shape("predictions", predictions)
report("sums", predictions.sum(axis=1))
print("the first is a", class_names[np.argmax(predictions[0])])
