"""The progress of loops in Python, shown as the engine shows its own: a line that moves and a table, or plain lines."""
import contextlib
import time

from plimsoll import _core
from plimsoll.keras.models.progress import style


class LoopLine(contextlib.AbstractContextManager):
    """One for all epochs of a run; leaving it ends a line that is not finished."""

    def __init__(self, verbose: int):
        is_live, *rest = style(verbose)
        self._console = _core.LoopProgress(is_live, *rest) if verbose else None
        self._is_live = bool(verbose) and is_live
        self._done = self._samples = 0

    def __exit__(self, *_) -> None:
        self._console = None

    def begin(self, work: str, batches, epoch: int = 0, epochs: int = 0) -> None:
        """The work is "epoch", "evaluate" or "predict"."""
        self._begun = self._drawn = time.monotonic()
        self._done = self._samples = 0
        if self._console is not None:
            self._console.begin(work, epoch, epochs, batches or 0)

    def count(self, samples: int) -> bool:
        """A batch is done; True if it is time to draw the line again, for which its numbers are needed."""
        self._done += 1
        self._samples += samples
        return self._is_live and time.monotonic() - self._drawn >= 0.1

    def draw(self, logs: dict) -> None:
        self._drawn = time.monotonic()
        self._console.end_batch(self._done, self._samples, self._drawn - self._begun, _ordered(logs))

    def end(self, logs: dict) -> None:
        if self._console is not None:
            self._console.end(self._done, self._samples, time.monotonic() - self._begun, _ordered(logs))


def _ordered(logs: dict) -> list:
    """The loss, the others, then the same of the validation."""
    return sorted(((name, value) for name, value in logs.items() if isinstance(value, (int, float))),
                  key=lambda item: (item[0].startswith("val_"), item[0].removeprefix("val_") != "loss"))
