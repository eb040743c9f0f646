"""Findings of the engine go to sys.stderr, which may be a cell of a notebook or a file of the program's choice."""
import atexit
import sys
import weakref

from plimsoll import _core


def say(text: str) -> None:
    """A line on sys.stderr."""
    try:
        sys.stderr.write(f"plimsoll: {text}\n")
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):
        pass  # a console that is gone does not end a run


# Each has hear_finding(severity, where, what, remedy), which is called for what is found while it lives.
listeners = weakref.WeakSet()


def _write(severity: str, where: str, what: str, remedy: str, text: str) -> None:
    say(text)
    for each in list(listeners):
        each.hear_finding(severity, where, what, remedy)


_core.set_finding_handler(_write)
# The engine's threads may have a finding when Python is no longer there.
atexit.register(_core.set_finding_handler, None)
