"""tf.compat.v1.keras: tf.keras."""
from plimsoll.tensorflow import keras as _same


def __getattr__(name: str):
    return getattr(_same, name)
