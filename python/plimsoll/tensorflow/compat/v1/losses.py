"""tf.compat.v1.losses: tf.losses."""
from plimsoll.tensorflow import losses as _same


def __getattr__(name: str):
    return getattr(_same, name)
