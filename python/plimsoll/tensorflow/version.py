"""tf.version: the version of TensorFlow whose API this is."""
from plimsoll import _missing
from plimsoll.tensorflow import __version__ as VERSION  # noqa: F401

GIT_VERSION = "plimsoll"

_missing.told(globals())
