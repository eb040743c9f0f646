"""Memory in Python's terms."""
import contextlib

from plimsoll import _core


def set_memory_limit(limit: str | int | None) -> None:
    """Limits all memory of this process: "2GiB", "75%", a number of bytes; None lifts the limit.

    fit() keeps to it unless it is given another, and so do loops written by hand.
    """
    _core.set_memory_limit("" if limit is None else str(limit))


def memory_limit() -> int | None:
    """The limit in bytes; None if none was set."""
    return _core.memory_limit()


@contextlib.contextmanager
def limited_memory(limit: str | int | None):
    """Within it, this is the limit of the process; None changes nothing."""
    before = memory_limit()
    if limit is not None:
        set_memory_limit(limit)
    try:
        yield
    finally:
        if limit is not None:
            set_memory_limit(before)


def process_memory() -> dict:
    """What the process holds now, and the most it ever held, in bytes."""
    resident, peak = _core.process_memory()
    return {"resident_bytes": resident, "peak_resident_bytes": peak}


def live_tensors() -> list[dict]:
    """The tensors that this thread's program holds, by the line that made them, most bytes first."""
    return _core.live_tensors()
