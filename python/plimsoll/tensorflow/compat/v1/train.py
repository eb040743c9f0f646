"""tf.compat.v1.train: tf.train."""
from plimsoll.tensorflow import train as _same


def __getattr__(name: str):
    return getattr(_same, name)
