"""keras.initializers: classes and names of initializers."""
from plimsoll.keras import _identifiers
from plimsoll.keras._lazy import lazy_module
from plimsoll.keras.initializers.initializer import Initializer  # noqa: F401


def get(identifier):
    """The initializer of a name, a config, a class, an object or a function; None for None."""
    return _identifiers.get("initializers", identifier)


def serialize(initializer):
    """The config of an initializer."""
    return _identifiers.serialize(initializer)


def deserialize(config, custom_objects=None):
    """The initializer that serialize() wrote."""
    return _identifiers.deserialize("initializers", config, custom_objects)


lazy_module(globals(), "initializers")
