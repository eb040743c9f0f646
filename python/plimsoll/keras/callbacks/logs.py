"""Callbacks that write what happens."""
import csv
import os

from plimsoll.keras.callbacks.callback import Callback


class CSVLogger(Callback):
    """Writes a row for each epoch."""

    def __init__(self, filename, separator=",", append=False):
        super().__init__()
        self.filename, self.sep, self.append = os.fspath(filename), separator, append
        self._forget()

    def _forget(self) -> None:
        self._file = self._writer = self._keys = self._place = None

    def on_train_begin(self, logs=None):
        self._forget()
        self._has_header = self.append and os.path.exists(self.filename) and os.path.getsize(
            self.filename) > 0
        self._place = os.path.getsize(self.filename) if self._has_header else None

    def _keep_place(self) -> None:
        """A checkpoint counts what is in the file, so it is on the disk before the checkpoint is."""
        if self._file is not None:
            os.fsync(self._file.fileno())
            self._place = os.path.getsize(self.filename)

    def _go_to_place(self) -> None:
        """What was written after the checkpoint will be written again."""
        if self._file is not None:
            self._file.close()
        self._file = self._writer = None

    def _open(self):
        """Not before there is a row: a run that goes on learns only then how much of the file is its own."""
        if self._place is None:
            return open(self.filename, "a" if self.append else "w", newline="")
        file = open(self.filename, "r+", newline="")
        file.truncate(self._place)
        file.seek(0, os.SEEK_END)
        return file

    def on_epoch_end(self, epoch, logs=None):
        logs = logs or {}
        if self._keys is None:
            self._keys = sorted(logs)
            # A later epoch may be the first that validates, so its numbers have columns.
            if not any(key.startswith("val_") for key in logs):
                self._keys += [f"val_{key}" for key in self._keys]
        if self._file is None:
            self._file = self._open()
            self._writer = csv.DictWriter(self._file, ["epoch", *self._keys], delimiter=self.sep)
            if not self._has_header and self._place is None:
                self._writer.writeheader()
        self._writer.writerow({"epoch": epoch, **{key: logs.get(key, "NA") for key in self._keys}})
        self._file.flush()

    def on_train_end(self, logs=None):
        if self._file is not None:
            self._file.close()
        self._file = self._writer = None


class ProgbarLogger(Callback):
    """Accepted and without effect: fit shows its progress by itself."""


class RemoteMonitor(Callback):
    """Refused: nothing here talks to other machines."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("RemoteMonitor: Plimsoll sends nothing to other machines; write a "
                                  "Callback with on_epoch_end() that does")
