"""keras.ops.nn: functions of keras.ops, by another path."""
from plimsoll.keras import ops as _ops


def __getattr__(name: str):
    return getattr(_ops, name)
