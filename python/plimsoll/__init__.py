"""Plimsoll trains neural networks and does not crash.

`import plimsoll.tensorflow as tf` and `from plimsoll import keras` stand in for TensorFlow and
Keras; `python -m plimsoll script.py` runs a script without a change.
"""
import os as _os

from plimsoll import _core, errors

_core.set_package_folder(_os.path.dirname(_os.path.abspath(__file__)) + _os.sep)

from plimsoll import _findings, _fork, _tensor  # noqa: E402,F401
from plimsoll._memory import (  # noqa: E402
    live_tensors, memory_limit, process_memory, set_memory_limit)
from plimsoll._reduce import reduce  # noqa: E402
from plimsoll._report import compare, report  # noqa: E402
from plimsoll._tensor import Tensor, Variable  # noqa: E402
from plimsoll._stand_in import install_aliases as _install_aliases  # noqa: E402
from plimsoll.errors import (  # noqa: E402
    CorruptFile, DoesNotFit, Error, InvalidArgument, IoError, NotFinite, OutOfTime, Stopped)

_install_aliases()

__version__ = "0.1.0"
__all__ = [
    "CorruptFile", "DoesNotFit", "Error", "InvalidArgument", "IoError", "NotFinite", "OutOfTime",
    "Stopped", "Tensor", "Variable", "compare", "doctor", "errors", "find_learning_rate", "keras", "live_tensors", "memory_limit", "process_memory",
    "reduce", "report", "runs", "serve", "set_memory_limit", "tensorflow",
]


def __getattr__(name: str):
    if name in ("doctor", "find_learning_rate"):
        from plimsoll import _doctor

        return getattr(_doctor, name)
    if name == "serve":
        from plimsoll._serve import serve

        return serve
    if name in ("keras", "tensorflow"):
        import importlib

        return importlib.import_module(f"plimsoll.{name}")
    raise AttributeError(f"module 'plimsoll' has no attribute '{name}'")


def runs(folder=".") -> list:
    """The runs of `plimsoll train` and of fit(run=…) in a folder, the newest first: a dict for each,
    as of `plimsoll runs --json`.
    """
    return _core.list_runs(_os.fspath(folder))


def load_ipython_extension(ipython) -> None:
    """`%load_ext plimsoll`: from then on `import tensorflow` and `import keras` are answered here."""
    from plimsoll import _notebook

    _notebook.load_ipython_extension(ipython)


def unload_ipython_extension(ipython) -> None:
    """`%unload_ext plimsoll`."""
    from plimsoll import _notebook

    _notebook.unload_ipython_extension(ipython)
