"""tf.summary: numbers, texts, histograms and images for TensorBoard."""
import contextlib
import warnings

import numpy as np

from plimsoll import _core, _missing
from plimsoll.tensorflow.summary import _values

_state = {"writer": None, "step": None, "records": True, "said": False}


@contextlib.contextmanager
def _with(**settings):
    before = {name: _state[name] for name in settings}
    _state.update(settings)
    try:
        yield settings.get("writer")
    finally:
        _state.update(before)


class SummaryWriter:
    """Writes summaries into an event file; one without a file takes them and writes none."""

    def __init__(self, file=None):
        self._file = file

    def as_default(self, step=None):
        """Takes the summaries inside of `with`."""
        return _with(writer=self, step=_state["step"] if step is None else step)

    def set_as_default(self, step=None) -> None:
        _state["writer"] = self
        _state["step"] = _state["step"] if step is None else step

    def init(self) -> None:
        """Nothing to do: the file is there."""

    def flush(self) -> None:
        if self._file is not None:
            self._file.sync()

    def close(self) -> None:
        self.flush()
        self._file = None

    def _add(self, value: bytes, step: int) -> bool:
        if self._file is None:
            return False
        self._file.add(value, step)
        return True


def create_file_writer(logdir, max_queue=None, flush_millis=None, filename_suffix=None, name=None,
                       experimental_trackable=False, experimental_mesh=None) -> SummaryWriter:
    """A writer of a new event file in the folder."""
    from plimsoll.tensorflow.io._files import path_of

    return SummaryWriter(_core.EventFile(path_of(logdir), filename_suffix or ".v2"))


def create_noop_writer() -> SummaryWriter:
    return SummaryWriter()


def should_record_summaries() -> bool:
    records = _state["records"]
    return _state["writer"] is not None and bool(records() if callable(records) else records)


def record_if(condition):
    """Summaries inside of `with` are written if the condition, or what it returns, is true."""
    return _with(records=condition)


def _write(make, step) -> bool:
    """Writes what make() gives; False if there is no writer for it."""
    if not should_record_summaries():
        return False
    step = _state["step"] if step is None else step
    if step is None:
        raise ValueError("No step set. Please specify one either through the `step` argument or "
                         "through tf.summary.experimental.set_step()")
    return _state["writer"]._add(make(), int(np.asarray(step)))


def scalar(name, data, step=None, description=None) -> bool:
    """One number."""
    return _write(lambda: _values.scalar(name, data, description), step)


def text(name, data, step=None, description=None) -> bool:
    """A text, or several in a list or a table."""
    return _write(lambda: _values.text(name, data, description), step)


def histogram(name, data, step=None, buckets=None, description=None) -> bool:
    """How many of the values are in each of some equal ranges."""
    return _write(lambda: _values.histogram(name, data, buckets, description), step)


def image(name, data, step=None, max_outputs=3, description=None) -> bool:
    """The first images of a batch; fractions are from 0 to 1, bytes from 0 to 255."""
    return _write(lambda: _values.image(name, data, max_outputs, description), step)


def write(tag, tensor, step=None, metadata=None, name=None) -> bool:
    """Any tensor; without metadata TensorBoard shows it nowhere."""
    about = b"" if metadata is None else metadata.SerializeToString()
    return _write(lambda: _values.any_tensor(tag, tensor, about), step)


def flush(writer=None, name=None) -> None:
    writer = writer or _state["writer"]
    if writer is not None:
        writer.flush()


def _not_written(name: str):
    def call(*args, **kwargs) -> bool:
        """Accepted; False, for it is not written, which is said once."""
        if not _state["said"]:
            _state["said"] = True
            warnings.warn(f"tf.summary.{name}: Plimsoll writes numbers, texts, histograms and images for "
                          "TensorBoard, and neither sounds nor graphs nor traces", stacklevel=2)
        return False
    call.__name__ = name
    return call


audio, graph, trace_on, trace_export, trace_off = map(
    _not_written, ("audio", "graph", "trace_on", "trace_export", "trace_off"))

_missing.lazy(globals(), {}, ("experimental",))
