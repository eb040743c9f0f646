"""EarlyStopping."""
from plimsoll import _core
from plimsoll.keras.callbacks.callback import Callback
from plimsoll.keras.callbacks.monitor import Monitor


class EarlyStopping(Callback):
    """Stops when a number has not got better for `patience` epochs."""

    def __init__(self, monitor="val_loss", min_delta=0, patience=0, verbose=0, mode="auto",
                 baseline=None, restore_best_weights=False, start_from_epoch=0):
        super().__init__()
        self.monitor, self.patience, self.verbose = monitor, patience, verbose
        self.baseline, self.restore_best_weights = baseline, restore_best_weights
        self.start_from_epoch = start_from_epoch
        self._monitor = Monitor("EarlyStopping", monitor, mode, min_delta)
        self._kept, self._copy = _core.KeptWeights(), None
        self._has_room = False  # made by the engine; a loop in Python keeps arrays, which are its state
        self.on_train_begin()

    def __getstate__(self) -> dict:
        """For copies: scikit-learn clones the callbacks of its models."""
        return {name: value for name, value in self.__dict__.items() if name != "_kept"}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        self._kept = _core.KeptWeights()

    def engine_callbacks(self) -> list:
        """What makes room for the weights: the plan of a run counts it, and its checkpoints hold them."""
        self._has_room = self.restore_best_weights
        return [self._kept.callback()] if self._has_room else []

    @property
    def best_weights(self) -> list | None:
        """The weights of the best epoch so far, as arrays; None before there is one and after training."""
        return self._kept.arrays() if self._kept.has_weights else self._copy

    def on_train_begin(self, logs=None):
        self.wait = self.stopped_epoch = self.best_epoch = 0
        self._kept.forget()
        self._copy = None
        self.best = self._monitor.worst

    def on_epoch_end(self, epoch, logs=None):
        value = self._monitor.value(logs)
        if value is None or epoch < self.start_from_epoch:
            return
        if self.restore_best_weights and not self._has_weights():
            self._keep()
            self.best_epoch = epoch
        self.wait += 1
        if self._monitor.is_better(value, self.best):
            self.best, self.best_epoch = value, epoch
            if self.restore_best_weights:
                self._keep()
            if self.baseline is None or self._monitor.is_better(value, self.baseline):
                self.wait = 0
            return
        if self.wait >= self.patience and epoch > 0:
            self.stopped_epoch = epoch
            self.model.stop_training = True

    def on_train_end(self, logs=None):
        if self.stopped_epoch > 0 and self.verbose > 0:
            print(f"Epoch {self.stopped_epoch + 1}: early stopping")
        if self.restore_best_weights and self._has_weights():
            if self.verbose > 0:
                print(f"Restoring model weights from the end of the best epoch: {self.best_epoch + 1}.")
            self._restore()

    def _has_weights(self) -> bool:
        return self._kept.has_weights or self._copy is not None

    def _keep(self) -> None:
        if self._has_room:
            self._kept.keep(self.model._model)
        else:
            self._copy = self.model.get_weights()

    def _restore(self) -> None:
        if self._kept.has_weights:
            self._kept.restore(self.model._model)
        else:
            self.model.set_weights(self._copy)
        self._kept.forget()
        self._copy, self._has_room = None, False
