"""Callbacks of one's own: every hook in order, best weights, a stop by accuracy, timing, one over learning rates."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

from _same import report, same_weights

rng = np.random.default_rng(1)
x = rng.normal(size=(96, 10)).astype("float32")
y = (x[:, :3].sum(axis=1) > 0).astype("float32")


def get_model(lr=0.1):
    model = keras.Sequential()
    model.add(keras.layers.Input((10,)))
    model.add(keras.layers.Dense(8, activation="tanh"))
    model.add(keras.layers.Dense(1, activation="sigmoid"))
    same_weights(model)
    model.compile(optimizer=keras.optimizers.SGD(learning_rate=lr), loss="binary_crossentropy",
                  metrics=["accuracy"])
    return model


class CustomCallback(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.calls = []

    def note(self, what, logs):
        self.calls.append(f"{what} {','.join(list((logs or {}).keys()))}")

    def on_train_begin(self, logs=None): self.note("train_begin", logs)
    def on_train_end(self, logs=None): self.note("train_end", logs)
    def on_epoch_begin(self, epoch, logs=None): self.note(f"epoch_begin{epoch}", logs)
    def on_epoch_end(self, epoch, logs=None): self.note(f"epoch_end{epoch}", logs)
    def on_test_begin(self, logs=None): self.note("test_begin", logs)
    def on_test_end(self, logs=None): self.note("test_end", logs)
    def on_predict_begin(self, logs=None): self.note("predict_begin", logs)
    def on_predict_end(self, logs=None): self.note("predict_end", logs)
    def on_train_batch_begin(self, batch, logs=None): self.note(f"batch_begin{batch}", logs)
    def on_train_batch_end(self, batch, logs=None): self.note(f"batch_end{batch}", logs)
    def on_test_batch_begin(self, batch, logs=None): self.note(f"test_batch_begin{batch}", logs)
    def on_test_batch_end(self, batch, logs=None): self.note(f"test_batch_end{batch}", logs)
    def on_predict_batch_begin(self, batch, logs=None): self.note(f"predict_batch_begin{batch}", logs)
    def on_predict_batch_end(self, batch, logs=None): self.note(f"predict_batch_end{batch}", None)


model = get_model()
callback = CustomCallback()
model.fit(x, y, batch_size=32, epochs=2, verbose=0, validation_split=0.5, callbacks=[callback])
model.evaluate(x, y, batch_size=48, verbose=0, callbacks=[callback])
model.predict(x, batch_size=48, callbacks=[callback], verbose=0)
report("calls", callback.calls)


class EarlyStoppingAtMinLoss(keras.callbacks.Callback):
    def __init__(self, patience=0):
        super().__init__()
        self.patience = patience
        self.best_weights = None

    def on_train_begin(self, logs=None):
        self.wait = 0
        self.stopped_epoch = 0
        self.best = np.inf

    def on_epoch_end(self, epoch, logs=None):
        current = logs.get("loss")
        if np.less(current, self.best - 0.02):
            self.best = current
            self.wait = 0
            self.best_weights = self.model.get_weights()
        else:
            self.wait += 1
            if self.wait >= self.patience:
                self.stopped_epoch = epoch
                self.model.stop_training = True
                print("Restoring model weights from the end of the best epoch.")
                self.model.set_weights(self.best_weights)

    def on_train_end(self, logs=None):
        if self.stopped_epoch > 0:
            print(f"Epoch {self.stopped_epoch + 1}: early stopping")


model = get_model()
stopper = EarlyStoppingAtMinLoss()
history = model.fit(x, y, batch_size=32, epochs=30, shuffle=False, verbose=0, callbacks=[stopper])
report("stopped", stopper.stopped_epoch)
report("losses", history.history["loss"])
report("restored", model.get_weights()[0])


class CustomLearningRateScheduler(keras.callbacks.Callback):
    def __init__(self, schedule):
        super().__init__()
        self.schedule = schedule
        self.seen = []

    def on_epoch_begin(self, epoch, logs=None):
        if not hasattr(self.model.optimizer, "learning_rate"):
            raise ValueError('Optimizer must have a "learning_rate" attribute.')
        lr = self.model.optimizer.learning_rate
        lr = float(lr.numpy()) if hasattr(lr, "numpy") else float(lr)
        scheduled_lr = self.schedule(epoch, lr)
        self.model.optimizer.learning_rate = scheduled_lr
        self.seen.append(scheduled_lr)
        print(f"\nEpoch {epoch}: Learning rate is {float(np.array(scheduled_lr))}.")


LR_SCHEDULE = [(1, 0.05), (2, 0.01), (3, 0.005)]


def lr_schedule(epoch, lr):
    if epoch < LR_SCHEDULE[0][0] or epoch > LR_SCHEDULE[-1][0]:
        return lr
    for i in range(len(LR_SCHEDULE)):
        if epoch == LR_SCHEDULE[i][0]:
            return LR_SCHEDULE[i][1]
    return lr


model = get_model()
scheduler = CustomLearningRateScheduler(lr_schedule)
history = model.fit(x, y, batch_size=32, epochs=5, shuffle=False, verbose=0, callbacks=[scheduler])
report("rates", scheduler.seen)
report("scheduled", history.history["loss"])


class LearningRateFinder(keras.callbacks.Callback):
    """Raises the rate with each batch and stops when the loss explodes."""

    def __init__(self, factor=1.5):
        self.factor = factor
        self.rates, self.losses = [], []

    def on_train_batch_end(self, batch, logs):
        rate = self.model.optimizer.learning_rate.numpy()
        self.rates.append(float(rate))
        self.losses.append(logs["loss"])
        self.model.optimizer.learning_rate.assign(rate * self.factor)


model = get_model(0.001)
finder = LearningRateFinder()
model.fit(x, y, epochs=2, batch_size=16, shuffle=False, verbose=0, callbacks=[finder])
report("finder", [finder.rates, finder.losses])

weights_dict, printed = {}, []
weight_callback = keras.callbacks.LambdaCallback(
    on_epoch_end=lambda epoch, logs: weights_dict.update({epoch: model.get_weights()}),
    on_train_begin=lambda logs: printed.append("begin"))
model = get_model()


class Stop(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs={}):
        if logs.get("accuracy") > 0.85:
            print("\nReached 85% accuracy so cancelling training!")
            self.model.stop_training = True


history = model.fit(x, y, epochs=20, batch_size=8, shuffle=False, verbose=2, callbacks=[weight_callback, Stop()])
report("weights_by_epoch", sorted(weights_dict))
report("accuracy", history.history["accuracy"])
report("params", [str(history.params["epochs"]), str(history.params["steps"])])
report("same", history is model.history)
