"""keras.constraints: classes and names of constraints."""
from plimsoll.keras import _identifiers
from plimsoll.keras._lazy import lazy_module
from plimsoll.keras.constraints.constraint import Constraint  # noqa: F401


def get(identifier):
    """The constraint of a name, a config, a class, an object or a function; None for None."""
    return _identifiers.get("constraints", identifier)


def serialize(constraint):
    """The config of a constraint."""
    return _identifiers.serialize(constraint)


def deserialize(config, custom_objects=None):
    """The constraint that serialize() wrote."""
    return _identifiers.deserialize("constraints", config, custom_objects)


lazy_module(globals(), "constraints")
