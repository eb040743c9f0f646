"""Callbacks that write what happens."""
import csv
import os

from plimsoll.keras.callbacks.callback import Callback
from plimsoll.tensorflow.summary import _values
from plimsoll.tensorflow.summary._event_file import EventFile


class CSVLogger(Callback):
    """Writes a row for each epoch."""

    def __init__(self, filename, separator=",", append=False):
        super().__init__()
        self.filename, self.sep, self.append = os.fspath(filename), separator, append
        self._file = self._writer = self._keys = None

    def on_train_begin(self, logs=None):
        self._has_header = self.append and os.path.exists(self.filename) and os.path.getsize(
            self.filename) > 0
        self._file = open(self.filename, "a" if self.append else "w", newline="")

    def on_epoch_end(self, epoch, logs=None):
        logs = logs or {}
        if self._writer is None:
            self._keys = sorted(logs)
            # A later epoch may be the first that validates, so its numbers have columns.
            if not any(key.startswith("val_") for key in logs):
                self._keys += [f"val_{key}" for key in self._keys]
            self._writer = csv.DictWriter(self._file, ["epoch", *self._keys], delimiter=self.sep)
            if not self._has_header:
                self._writer.writeheader()
        self._writer.writerow({"epoch": epoch, **{key: logs.get(key, "NA") for key in self._keys}})
        self._file.flush()

    def on_train_end(self, logs=None):
        self._file.close()
        self._writer = None


class ProgbarLogger(Callback):
    """Accepted and without effect: fit shows its progress by itself."""


class TensorBoard(Callback):
    """Writes the numbers of epochs, and of batches if update_freq says so, for TensorBoard.

    With histogram_freq it writes histograms of the weights too. Images, graphs, embeddings and
    profiles are accepted as arguments and not written.
    """

    def __init__(self, log_dir="logs", histogram_freq=0, write_graph=True, write_images=False,
                 write_steps_per_second=False, update_freq="epoch", profile_batch=0,
                 embeddings_freq=0, embeddings_metadata=None):
        super().__init__()
        self.log_dir, self.update_freq = os.fspath(log_dir), update_freq
        self.histogram_freq = histogram_freq
        self._files: dict = {}
        self._steps = 0

    def _add(self, name: str, value: bytes, step: int) -> None:
        if name not in self._files:
            self._files[name] = EventFile(os.path.join(self.log_dir, name))
        self._files[name].add(value, step)

    def on_train_batch_end(self, batch, logs=None):
        self._steps += 1
        if self.update_freq == "epoch" or self._steps % _every(self.update_freq):
            return
        for name, value in (logs or {}).items():
            self._add("train", _values.scalar(f"batch_{name}", value), self._steps)

    def on_epoch_end(self, epoch, logs=None):
        rate = getattr(self.model.optimizer, "learning_rate", None)
        rates = {} if rate is None else {"learning_rate": float(rate)}
        for name, value in {**(logs or {}), **rates}.items():
            folder = "validation" if name.startswith("val_") else "train"
            self._add(folder, _values.scalar("epoch_" + name.removeprefix("val_"), value), epoch)
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            for weight in self.model.weights:
                value = _values.histogram(weight.path.replace(":", "_") + "/histogram", weight)
                self._add("train", value, epoch)

    def on_train_end(self, logs=None):
        for file in self._files.values():
            file.close()
        self._files = {}


def _every(update_freq) -> int:
    return 1 if update_freq == "batch" else int(update_freq)


class RemoteMonitor(Callback):
    """Refused: nothing here talks to other machines."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("RemoteMonitor: Plimsoll sends nothing to other machines; write a "
                                  "Callback with on_epoch_end() that does")
