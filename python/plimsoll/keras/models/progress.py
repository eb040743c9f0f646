"""Progress of a run on sys.stdout: a terminal, a notebook or a pipe."""
import sys

from plimsoll import _core


def progress_for(verbose: int) -> list:
    """The engine's callback that shows the progress; none if it is silent."""
    if not verbose:
        return []
    return [_core.python_progress(verbose == 1 and is_live())]


def is_live() -> bool:
    """True if a line can be drawn again: on a terminal and in a notebook."""
    out = sys.stdout
    if getattr(out, "isatty", lambda: False)():
        return True
    return type(out).__module__.startswith(("ipykernel", "google.colab"))
