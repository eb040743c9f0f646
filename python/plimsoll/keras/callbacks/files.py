"""Callbacks that save models."""
import os
import shutil

from plimsoll.keras.callbacks.callback import Callback
from plimsoll.keras.callbacks.monitor import Monitor


class ModelCheckpoint(Callback):
    """Saves the model or its weights after each epoch, or after each number of batches.

    `period` is Keras 2's word: every so many epochs.
    """

    def __init__(self, filepath, monitor="val_loss", verbose=0, save_best_only=False,
                 save_weights_only=False, mode="auto", save_freq="epoch",
                 initial_value_threshold=None, *, period=1):
        super().__init__()
        if save_freq != "epoch" and not isinstance(save_freq, int):
            raise ValueError("ModelCheckpoint: save_freq must be 'epoch' or a number of batches, found "
                             f"{save_freq!r}")
        self.period, self._epochs_since_saved = period, 0
        self.filepath = os.fspath(filepath)
        self.verbose, self.save_best_only = verbose, save_best_only
        self.save_weights_only, self.save_freq = save_weights_only, save_freq
        self._monitor = Monitor("ModelCheckpoint", monitor, mode)
        self.monitor = monitor
        self.best = self._monitor.worst if initial_value_threshold is None else initial_value_threshold
        self._batches, self._epoch = 0, 0
        self._check_name()

    def _check_name(self) -> None:
        ending = ".weights.h5" if self.save_weights_only else ".keras"
        known = (".weights.h5", ".h5", ".hdf5", ".safetensors") if self.save_weights_only else (
            ".keras", ".h5", ".hdf5")
        if not self.filepath.endswith(known):
            raise ValueError(f"ModelCheckpoint: the file name must end in {ending}, found "
                             f"'{self.filepath}'")

    def on_epoch_begin(self, epoch, logs=None):
        self._epoch = epoch

    def on_train_batch_end(self, batch, logs=None):
        if self.save_freq == "epoch":
            return
        self._batches += 1
        if self._batches % int(self.save_freq) == 0:
            self._save(self._epoch, batch, logs or {})

    def on_epoch_end(self, epoch, logs=None):
        self._epochs_since_saved += 1
        if self.save_freq == "epoch" and self._epochs_since_saved >= self.period:
            self._epochs_since_saved = 0
            self._save(epoch, None, logs or {})

    def _save(self, epoch: int, batch, logs: dict) -> None:
        path = self._path(epoch, batch, logs)
        if self.save_best_only:
            value = self._monitor.value(logs)
            if value is None or not self._monitor.is_better(value, self.best):
                return
            if self.verbose > 0:
                print(f"\nEpoch {epoch + 1}: {self.monitor} improved from {self.best:.5f} to "
                      f"{value:.5f}, saving model to {path}")
            self.best = value
        elif self.verbose > 0:
            print(f"\nEpoch {epoch + 1}: saving model to {path}")
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        if self.save_weights_only:
            self.model.save_weights(path)
        else:
            self.model.save(path)

    def _path(self, epoch: int, batch, logs: dict) -> str:
        try:
            numbers = {"epoch": epoch + 1, **logs}
            if batch is not None:
                numbers["batch"] = batch + 1
            return self.filepath.format(**numbers)
        except KeyError as error:
            raise KeyError(f"ModelCheckpoint: the file name asks for {error}, which is not among the "
                           f"numbers of this epoch ({', '.join(logs)})") from None


class BackupAndRestore(Callback):
    """Keeps checkpoints of the run in a folder. A run that was killed goes on from them, bit for bit."""

    def __init__(self, backup_dir, save_freq="epoch", double_checkpoint=False,
                 delete_checkpoint=True):
        super().__init__()
        if save_freq != "epoch" and not (isinstance(save_freq, int) and save_freq > 0):
            raise ValueError("BackupAndRestore: save_freq must be 'epoch' or a number of batches, found "
                             f"{save_freq!r}")
        self.folder = os.fspath(backup_dir)
        self.steps = None if save_freq == "epoch" else save_freq
        self._deletes = delete_checkpoint

    def end(self) -> None:
        """The run is done: as in Keras, nothing is left to go on from."""
        if self._deletes:
            shutil.rmtree(os.path.join(self.folder, "checkpoints"), ignore_errors=True)


class SwapEMAWeights(Callback):
    """Refused: the optimizer's use_ema puts the means into the weights when training ends."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("SwapEMAWeights: use the optimizer's use_ema=True; its means become "
                                  "the weights when training ends")
