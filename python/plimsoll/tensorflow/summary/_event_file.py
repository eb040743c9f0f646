"""TensorBoard's event files: records of events, each with a time, a step and a summary."""
import itertools
import os
import socket
import time

from plimsoll.tensorflow.io import TFRecordWriter
from plimsoll.tensorflow.summary import _values
from plimsoll.tensorflow.train._wire import bytes_field

_numbers = itertools.count()


class EventFile:
    """A file of summaries by name and step, which TensorBoard shows."""

    def __init__(self, folder, suffix: str = ".v2"):
        folder = os.fspath(folder)
        os.makedirs(folder, exist_ok=True)
        # A number tells apart the files that a process begins within a second.
        name = (f"events.out.tfevents.{int(time.time())}.{socket.gethostname()}.{os.getpid()}."
                f"{next(_numbers)}{suffix}")
        self._records = TFRecordWriter(os.path.join(folder, name))
        self._write(0, bytes_field(3, b"brain.Event:2"))

    def _write(self, step: int, contents: bytes) -> None:
        self._records.write(_values.event(time.time(), step, contents))
        self._records.flush()

    def add(self, value: bytes, step: int) -> None:
        """One of the messages of _values."""
        self._write(int(step), bytes_field(5, bytes_field(1, value)))

    def flush(self) -> None:
        self._records.flush()

    def close(self) -> None:
        self._records.close()
