"""Progress of a run on sys.stdout: a terminal, a notebook or a pipe."""
import os
import sys

from plimsoll import _core


def progress_for(verbose: int) -> list:
    """The engine's callback that shows the progress; none if it is silent."""
    if not verbose:
        return []
    return [_core.python_progress(*style(verbose))]


def style(verbose: int) -> tuple[bool, bool, bool, int]:
    """How sys.stdout is drawn on: live, with UTF-8, in colours, and the number of its terminal."""
    live = verbose == 1 and is_live()
    terminal = terminal_number() if live else -1
    return live, is_utf8(), terminal >= 0, terminal


def is_live() -> bool:
    """True if a line can be drawn again: on a terminal and in a notebook, unless plain lines are asked for."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" and not is_notebook():
        return False
    return _is_terminal() or is_notebook()


def is_notebook() -> bool:
    """True if sys.stdout is the output of a cell."""
    return type(sys.stdout).__module__.startswith(("ipykernel", "google.colab"))


def is_utf8() -> bool:
    """True if sys.stdout takes the characters that bars are drawn with."""
    encoding = getattr(sys.stdout, "encoding", None) or ""
    return encoding.lower().replace("-", "") == "utf8" or is_notebook()


def terminal_number() -> int:
    """The file number of sys.stdout if that is a terminal; else -1."""
    try:
        return sys.stdout.fileno() if _is_terminal() else -1
    except (AttributeError, OSError, ValueError):
        return -1


def _is_terminal() -> bool:
    return bool(getattr(sys.stdout, "isatty", lambda: False)())
