"""A model as a class: layers made in the constructor, used in call."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import Model
from tensorflow.keras.layers import Conv2D, Dense, Dropout, Flatten

from _same import report, same_weights


class MyModel(Model):
    def __init__(self, units=10):
        super().__init__()
        self.conv1 = Conv2D(8, 3, activation="relu")
        self.flatten = Flatten()
        self.d1 = Dense(16, activation="relu")
        self.dropout = Dropout(0.5)
        self.d2 = Dense(units)

    def call(self, x, training=False):
        x = self.conv1(x)
        x = self.flatten(x)
        x = self.d1(x)
        x = self.dropout(x, training=training)
        return self.d2(x)


class Block(Model):
    def __init__(self, width):
        super(Block, self).__init__()
        self.first = Dense(width, activation="relu")
        self.second = Dense(width)

    def call(self, inputs):
        return tf.nn.relu(self.second(self.first(inputs)) + inputs)


class Tower(Model):
    def __init__(self, blocks=2, width=12):
        super().__init__()
        self.blocks = [Block(width) for _ in range(blocks)]
        self.head = Dense(3, activation="softmax")

    def call(self, inputs):
        x = inputs
        for block in self.blocks:
            x = block(x)
        return self.head(x)


random = np.random.default_rng(0)
images = random.uniform(size=(32, 10, 10, 1)).astype("float32")
model = MyModel()
logits = model(images)
same_weights(model)
report("logits", model(images))
report("logits_off", model(images, training=False))
report("logits_on.shape", model(images, training=True).shape)
report("variables", len(model.trainable_variables))

rows = random.normal(size=(60, 12)).astype("float32")
labels = np.argmax(rows[:, :3], axis=1)
tower = Tower()
tower(rows[:1])
same_weights(tower)
tower.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
history = tower.fit(rows, labels, epochs=4, batch_size=20, shuffle=False, verbose=0)
report("history", history.history)
report("shapes", [tuple(weight.shape) for weight in tower.weights])
report("weights", tower.get_weights())
