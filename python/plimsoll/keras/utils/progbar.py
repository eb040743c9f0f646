"""A progress bar in text."""

import os
import re
import sys
import time

import numpy as np

from plimsoll.keras.utils import messages


class Progbar:
    """Shows how far a loop is, how long it will take, and averages of values.

    target: the number of steps, None if unknown. verbose: 0 silent, 1 a bar, 2 one line at the
    end. stateful_metrics are shown as they are, all others as averages over the steps;
    stateless_metrics turns that around.
    """

    def __init__(
        self,
        target,
        width=20,
        verbose=1,
        interval=0.05,
        stateful_metrics=None,
        stateless_metrics=None,
        unit_name="step",
    ):
        if stateful_metrics is not None and stateless_metrics is not None:
            raise ValueError(
                "Only one of `stateful_metrics` or `stateless_metrics` can be provided."
            )
        self.target = target
        self.width = width
        self.verbose = verbose
        self.interval = interval
        self.unit_name = unit_name
        self.stateful_metrics = set(stateful_metrics or ()) if stateless_metrics is None else None
        self.stateless_metrics = None if stateless_metrics is None else set(stateless_metrics)
        self._in_place = _redraws(sys.stdout)
        self._sums = {}
        self._seen = 0
        self._start = time.time()
        self._first_step = None
        self._last_shown = 0.0 if self._in_place else self._start
        self._shown_width = 0

    def update(self, current, values=None, finalize=None):
        """Shows step `current`; values are (name, value) pairs of the steps since the last call."""
        if finalize is None:
            finalize = self.target is not None and current >= self.target
        self._add(current, values or (), finalize)
        now = time.time()
        seconds = self._seconds_per_step(current, now)
        interval = self.interval if self._in_place else max(self.interval, 10)
        if self.verbose == 1 and (finalize or now - self._last_shown >= interval):
            self._show_bar(current, seconds, now, finalize)
            self._last_shown = now
        elif self.verbose == 2 and finalize and self.target:
            counts = f"{current:{len(str(self.target))}d}/{self.target}"
            text = f"{counts} - {now - self._start:.0f}s -{self._pace(seconds)}{self._values()}"
            messages.print_message(text)

    def add(self, n, values=None):
        """Shows n steps more."""
        self.update(self._seen + n, values)

    def _add(self, current, values, finalize):
        steps = max(current - self._seen, 1)
        for name, value in values:
            if finalize or not self._is_averaged(name):
                self._sums[name] = [value, 1]
            else:
                total = self._sums.setdefault(name, [0, 0])
                total[0] = total[0] + value * steps
                total[1] += steps
        self._seen = current

    def _is_averaged(self, name) -> bool:
        if self.stateless_metrics is not None:
            return name in self.stateless_metrics
        return name not in self.stateful_metrics

    def _seconds_per_step(self, current, now) -> float:
        """Leaves the first step out once there are others: it prepares what all of them need."""
        if not current:
            return 0
        if self._first_step is not None and current > 1:
            return (now - self._first_step) / (current - 1)
        if current == 1:
            self._first_step = now
        return (now - self._start) / current

    def _show_bar(self, current, seconds, now, finalize):
        left = None if finalize or not self.target else seconds * (self.target - current)
        clock = f"{now - self._start:.0f}s" if left is None else _duration(left)
        count, bar = self._bar(current)
        rest = self._pace(seconds) + self._values()
        width = len(f"{count} {clock}{rest}") + (self.width + 1 if bar else 0)
        text = f"\x1b[1m{count}\x1b[0m {bar} \x1b[1m{clock}\x1b[0m{rest}"
        if self._in_place:
            blanks = " " * max(0, self._shown_width - width)
            start = "\b" * self._shown_width + "\r"
            messages.print_message(start + text + blanks, line_break=finalize)
        else:
            messages.print_message(re.sub("\x1b\\[\\d+m", "", text))
        self._shown_width = width

    def _bar(self, current):
        if not self.target:
            return f"{current:7d}/Unknown", ""
        full = int(self.width * min(1.0, current / self.target))
        bar = f"\x1b[32m{'━' * full}\x1b[0m" if full else ""
        bar += f"\x1b[37m{'━' * (self.width - full)}\x1b[0m"
        return f"{current:{len(str(self.target))}d}/{self.target}", bar

    def _pace(self, seconds) -> str:
        if seconds >= 1 or seconds == 0:
            return f" {seconds:.0f}s/{self.unit_name}"
        if seconds >= 1e-3:
            return f" {seconds * 1e3:.0f}ms/{self.unit_name}"
        return f" {seconds * 1e6:.0f}us/{self.unit_name}"

    def _values(self) -> str:
        text = ""
        for name, (total, count) in self._sums.items():
            average = float(np.mean(total)) / max(1, count)
            text += f" - {name}: " + (f"{average:.4f}" if abs(average) > 1e-3 else f"{average:.4e}")
        return text


def _redraws(stream) -> bool:
    """True if a line that is written again replaces itself: terminals and notebooks."""
    terminal = hasattr(stream, "isatty") and stream.isatty()
    return terminal or "ipykernel" in sys.modules or "PYCHARM_HOSTED" in os.environ


def _duration(seconds: float) -> str:
    if seconds > 3600:
        return f"{seconds // 3600:.0f}:{seconds % 3600 // 60:02.0f}:{seconds % 60:02.0f}"
    return f"{seconds // 60:.0f}:{seconds % 60:02.0f}" if seconds > 60 else f"{seconds:.0f}s"
