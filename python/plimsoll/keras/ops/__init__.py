"""keras.ops: functions of tensors, also in the definition of a model."""
import importlib as _importlib

from plimsoll.keras.ops import composed as _composed
from plimsoll.keras.ops import table as _table

_PARTS = ("image", "linalg", "nn", "numpy")


def _names() -> set:
    return _table.names() | _composed.names() | set(_PARTS)


def __getattr__(name: str):
    if name == "__all__":
        return sorted(_names())
    if name in _PARTS:
        return _importlib.import_module(f"{__name__}.{name}")
    found = _composed.find(name) or _table.function_for(name)
    if found is None:
        from plimsoll import _missing

        raise _missing.missing(__name__, name, _names())
    globals()[name] = found
    return found


def __dir__() -> list:
    return sorted(_names())
