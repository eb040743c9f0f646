"""tf.initializers: what keras.initializers has, and the names of initializers in tf itself."""
from plimsoll.keras import initializers as _keras
from plimsoll.tensorflow import _same_as


def zeros_initializer():
    """tf.zeros_initializer()."""
    return _keras.Zeros()


def ones_initializer():
    """tf.ones_initializer()."""
    return _keras.Ones()


def constant_initializer(value=0, support_partition=False):
    """tf.constant_initializer(value)."""
    return _keras.Constant(value)


def random_normal_initializer(mean=0.0, stddev=0.05, seed=None):
    """tf.random_normal_initializer(mean, stddev)."""
    return _keras.RandomNormal(mean, stddev, seed)


def random_uniform_initializer(minval=-0.05, maxval=0.05, seed=None):
    """tf.random_uniform_initializer(minval, maxval)."""
    return _keras.RandomUniform(minval, maxval, seed)


def __getattr__(name: str):
    return _same_as.attribute(_keras, __name__, name)


def __dir__() -> list:
    return dir(_keras)
