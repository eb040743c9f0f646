"""keras.regularizers: classes and names of regularizers."""
from plimsoll.keras import _identifiers
from plimsoll.keras._lazy import lazy_module
from plimsoll.keras.regularizers.regularizer import Regularizer  # noqa: F401


def get(identifier):
    """The regularizer of a name, a config, a class, an object or a function; None for None."""
    return _identifiers.get("regularizers", identifier)


def serialize(regularizer):
    """The config of a regularizer."""
    return _identifiers.serialize(regularizer)


def deserialize(config, custom_objects=None):
    """The regularizer that serialize() wrote."""
    return _identifiers.deserialize("regularizers", config, custom_objects)


lazy_module(globals(), "regularizers")
