"""Callbacks as classes: what is called when, early stops, and the model's own members."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.callbacks import Callback

from _same import report, same_weights


class Recorder(Callback):
    def __init__(self):
        super().__init__()
        self.calls = []
        self.losses = []

    def on_train_begin(self, logs=None):
        self.calls.append("train begins")

    def on_train_end(self, logs=None):
        self.calls.append("train ends")

    def on_epoch_begin(self, epoch, logs=None):
        self.calls.append(f"epoch {epoch} begins")

    def on_epoch_end(self, epoch, logs=None):
        self.calls.append(f"epoch {epoch} ends with " + " ".join(sorted(logs)))

    def on_train_batch_end(self, batch, logs=None):
        self.losses.append(logs["loss"])

    def on_test_begin(self, logs=None):
        self.calls.append("test begins")

    def on_test_batch_end(self, batch, logs=None):
        self.calls.append(f"test batch {batch}")

    def on_predict_batch_begin(self, batch, logs=None):
        self.calls.append(f"predict batch {batch}")

    def on_predict_end(self, logs=None):
        self.calls.append("predict ends")


class StopAtLoss(Callback):
    def __init__(self, limit):
        super().__init__()
        self.limit = limit

    def on_epoch_end(self, epoch, logs={}):
        if logs.get("loss") < self.limit:
            print("\nThe loss is low enough, training ends.")
            self.model.stop_training = True


class HalveLearningRate(Callback):
    def on_epoch_begin(self, epoch, logs=None):
        rate = float(self.model.optimizer.learning_rate)
        self.model.optimizer.learning_rate = rate / 2


x = np.linspace(-1, 1, 48, dtype="float32").reshape(-1, 1)
y = 2 * x - 1
model = keras.Sequential([keras.layers.Dense(1, input_dim=1)])
same_weights(model)
model.compile(optimizer=keras.optimizers.SGD(learning_rate=0.8), loss="mse")
recorder = Recorder()
history = model.fit(x, y, epochs=50, batch_size=16, validation_split=0.25, shuffle=False, verbose=0,
                    callbacks=[StopAtLoss(0.05), HalveLearningRate(), recorder])
model.evaluate(x, y, batch_size=24, verbose=0, callbacks=[recorder])
model.predict(x, batch_size=24, verbose=0, callbacks=[recorder])
report("calls", recorder.calls)
report("batch_losses", recorder.losses)
report("epochs", history.epoch)
report("loss", history.history["loss"])
report("rate", model.optimizer.learning_rate.numpy())
report("weights", model.get_weights())
