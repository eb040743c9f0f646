"""Callbacks that write what happens."""
import csv
import os

from plimsoll.keras.callbacks.callback import Callback


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


class RemoteMonitor(Callback):
    """Refused: nothing here talks to other machines."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("RemoteMonitor: Plimsoll sends nothing to other machines; write a "
                                  "Callback with on_epoch_end() that does")
