"""tf.compat.v2: tf itself."""
import plimsoll.tensorflow as _tf


def enable_v2_behavior() -> None:
    """Nothing to do."""


def __getattr__(name: str):
    return getattr(_tf, name)


def __dir__() -> list:
    return dir(_tf)
