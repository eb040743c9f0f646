"""tf.compat.v1.nn: tf.nn."""
from plimsoll.tensorflow import nn as _same


def __getattr__(name: str):
    return getattr(_same, name)
