"""Callbacks that change the learning rate."""
from plimsoll.keras.callbacks.callback import Callback
from plimsoll.keras.callbacks.monitor import Monitor


def _rate(model) -> float:
    return float(model.optimizer.learning_rate)


class LearningRateScheduler(Callback):
    """Sets the learning rate to schedule(epoch) or schedule(epoch, rate) before each epoch."""

    def __init__(self, schedule, verbose=0):
        super().__init__()
        self.schedule, self.verbose = schedule, verbose

    def on_epoch_begin(self, epoch, logs=None):
        try:
            rate = self.schedule(epoch, _rate(self.model))
        except TypeError:
            rate = self.schedule(epoch)
        rate = float(rate)
        self.model.optimizer.learning_rate = rate
        if self.verbose > 0:
            print(f"\nEpoch {epoch + 1}: LearningRateScheduler setting learning rate to {rate}.")

    def on_epoch_end(self, epoch, logs=None):
        if logs is not None:
            logs["learning_rate"] = _rate(self.model)


class ReduceLROnPlateau(Callback):
    """Multiplies the learning rate by `factor` when a number has not got better for some epochs.

    `epsilon` is Keras 2's word for min_delta.
    """

    def __init__(self, monitor="val_loss", factor=0.1, patience=10, verbose=0, mode="auto",
                 min_delta=1e-4, cooldown=0, min_lr=0.0, **kwargs):
        super().__init__()
        min_delta = kwargs.pop("epsilon", min_delta)
        if kwargs:
            raise TypeError(f"ReduceLROnPlateau() got an unexpected keyword argument '{next(iter(kwargs))}'")
        if factor >= 1.0:
            raise ValueError(f"ReduceLROnPlateau: the factor must be below 1, found {factor}")
        self.monitor, self.factor, self.patience = monitor, factor, patience
        self.verbose, self.cooldown, self.min_lr = verbose, cooldown, min_lr
        self._monitor = Monitor("ReduceLROnPlateau", monitor, mode, min_delta)
        self.on_train_begin()

    def on_train_begin(self, logs=None):
        self.best, self.wait, self.cooldown_counter = self._monitor.worst, 0, 0

    def in_cooldown(self) -> bool:
        return self.cooldown_counter > 0

    def on_epoch_end(self, epoch, logs=None):
        if logs is not None:
            logs["learning_rate"] = _rate(self.model)
        value = self._monitor.value(logs)
        if value is None:
            return
        if self.in_cooldown():
            self.cooldown_counter -= 1
            self.wait = 0
        if self._monitor.is_better(value, self.best):
            self.best, self.wait = value, 0
        elif not self.in_cooldown():
            self.wait += 1
            if self.wait >= self.patience:
                self._reduce(epoch)

    def _reduce(self, epoch: int) -> None:
        old = _rate(self.model)
        if old <= self.min_lr:
            return
        new = max(old * self.factor, self.min_lr)
        self.model.optimizer.learning_rate = new
        if self.verbose > 0:
            print(f"\nEpoch {epoch + 1}: ReduceLROnPlateau reducing learning rate to {new}.")
        self.cooldown_counter, self.wait = self.cooldown, 0
