"""The line of an epoch, for loops in Python; the engine's own loop has a bar and a table besides."""
import shutil
import sys
import time

from plimsoll import _core
from plimsoll.keras.models.progress import is_live


class EpochLine:
    """Draws "epoch 2/5  320/938  loss 0.4312 …" several times per second, and once at the end."""

    def __init__(self, verbose: int, epoch: int, epochs: int, batches):
        self._on = bool(verbose)
        self.is_live = self._on and verbose == 1 and is_live()
        self._head = f"epoch {epoch + 1}/{epochs}"
        self._batches = batches
        self._begun = self._drawn = time.monotonic()
        self._done = 0
        self._width = 0

    def _text(self, logs: dict) -> str:
        total = "?" if self._batches is None else self._batches
        numbers = "  ".join(f"{name} {value:.4f}" for name, value in logs.items())
        return f"{self._head}  {self._done}/{total}  {numbers}"

    def draw(self, done: int, logs: dict) -> None:
        self._done = done
        if not self.is_live or time.monotonic() - self._drawn < 0.1:
            return
        self._drawn = time.monotonic()
        room = shutil.get_terminal_size().columns - 1  # a line that moves must not be wrapped
        text = self._text(logs)[:room]
        self._write("\r" + text.ljust(min(self._width, room)))
        self._width = len(text)

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    def end(self, logs: dict) -> None:
        if not self._on:
            return
        if self._batches is not None:
            self._done = self._batches
        seconds = round(time.monotonic() - self._begun)
        memory = _core.format_bytes(_core.process_memory()[0])
        line = f"{self._text(logs)}  time {seconds // 60}:{seconds % 60:02d}  memory {memory}"
        self._write(("\r" if self.is_live else "") + line.ljust(self._width) + "\n")
