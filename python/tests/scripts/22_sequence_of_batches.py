"""keras.utils.Sequence and PyDataset: batches by number."""

import math

import keras
import numpy as np
from tensorflow.keras.utils import Sequence

from _same import report, same_weights


class CosineSequence(Sequence):
    def __init__(self, x, y, batch_size, **kwargs):
        super().__init__(**kwargs)
        self.x, self.y = x, y
        self.batch_size = batch_size
        self.epochs_seen = 0

    def __len__(self):
        return math.ceil(len(self.x) / self.batch_size)

    def __getitem__(self, idx):
        low = idx * self.batch_size
        high = min(low + self.batch_size, len(self.x))
        return self.x[low:high], self.y[low:high]

    def on_epoch_end(self):
        self.epochs_seen += 1


class Weighted(keras.utils.PyDataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        x = np.full((6, 3), index, dtype="float32") + np.arange(3, dtype="float32")
        return x, x.sum(axis=1), np.linspace(0, 1, 6)


x = np.cos(np.arange(150)).reshape(50, 3)
y = x.sum(axis=1)
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(5, activation="elu"),
                          keras.layers.Dense(1)])
same_weights(model)
model.compile(optimizer=keras.optimizers.SGD(0.05), loss="mse", metrics=["mae"])

batches = CosineSequence(x, y, 8)
history = model.fit(batches, epochs=3, shuffle=False, verbose=0,
                    validation_data=CosineSequence(x[:20], y[:20], 10))
report("history", history.history)
report("epochs_seen", batches.epochs_seen >= 3)
report("evaluate", model.evaluate(CosineSequence(x, y, 16, workers=2), verbose=0))
report("predict", model.predict(batches, verbose=0))
history = model.fit(Weighted(), epochs=1, shuffle=False, verbose=0)
report("weighted", history.history["loss"])
report("weights", model.get_weights())
