"""How fit(run=…) ends when a signal or max_time asks it to."""
import contextlib
import threading

from plimsoll import _findings
from plimsoll.errors import Stopped


def engine_options(options: dict) -> dict:
    """What the engine is told of signals and time."""
    has_run, max_time = options["run"] is not None, options["max_time"]
    if max_time is not None and not has_run:
        raise ValueError("fit: max_time ends a run that goes on later from its checkpoints; name its folder with `run`")
    # In another thread, Stopped would end that thread alone, and the program would go on as if the run were done.
    is_main = threading.current_thread() is threading.main_thread()
    if max_time is not None and not is_main:
        raise ValueError("fit: max_time ends the program, which only a run in its main thread can; leave max_time out "
                         "in other threads")
    return {"max_time": max_time, "takes_signals": has_run and is_main}


@contextlib.contextmanager
def last_line(model, options: dict):
    """If the run is stopped, says so when all else is said; Python itself says nothing of a SystemExit."""
    try:
        yield
    except Stopped as stopped:
        done = options["initial_epoch"] + len(model.history.epoch)
        _findings.say(f"{options['run']}: {stopped}; {done} of {options['epochs']} epochs are done; the same script "
                      "goes on from the last checkpoint")
        raise
