"""tf.losses: what keras.losses has."""
from plimsoll.keras import losses as _keras
from plimsoll.tensorflow import _same_as


def __getattr__(name: str):
    return _same_as.attribute(_keras, __name__, name)


def __dir__() -> list:
    return dir(_keras)
