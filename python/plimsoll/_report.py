"""Pages about runs, of `plimsoll train` and of fit(run=…)."""
import os
from collections.abc import Iterable

from plimsoll import _core


def _dataset(data):
    """Arrays (x, y) or a Dataset as records; None stays None."""
    if data is None:
        return None
    if hasattr(data, "_for_fit"):
        from plimsoll.keras.models.data import of_batches

        return of_batches(data, "report").dataset
    x, y = data
    columns = [*x] if isinstance(x, (list, tuple)) else [x]
    targets = [*y] if isinstance(y, (list, tuple)) else [y]
    return _core.Dataset(_core.from_arrays(columns + targets), targets=len(targets))


def report(run, out=None, *, training_data=None, validation_data=None, class_names=(), model=None) -> str:
    """Writes one HTML file about the run in a folder, and returns its path: RUN/report.html unless `out` names another.

    `training_data` and `validation_data` are (x, y) arrays or a tf.data.Dataset of (x, y), for the classes, the predictions
    and what the doctor finds in data; without them the page says that these are missing. A Dataset that only comes batch
    by batch, as that of a generator, is not read for it: pass arrays. The command `plimsoll report RUN`
    opens the data of a run of `plimsoll train` itself. `model` is what was trained; the doctor looks at the one in the
    folder unless it is given, as one must be whose classes no file holds.
    """
    path = os.path.join(os.fspath(run), "report.html") if out is None else os.fspath(out)
    if model is not None:
        model._require_compiled("report()")
    _core.write_report(os.fspath(run), path, _dataset(training_data), _dataset(validation_data), list(class_names),
                       None if model is None else model._model)
    return path


def compare(runs: Iterable, out="compare.html") -> str:
    """Writes one HTML file that shows several runs and what differs between them, and returns its path."""
    _core.write_comparison([os.fspath(run) for run in runs], os.fspath(out))
    return os.fspath(out)
