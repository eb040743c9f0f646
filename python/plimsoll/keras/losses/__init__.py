"""keras.losses: classes, functions and short names of losses."""
from plimsoll.keras import _identifiers
from plimsoll.keras._lazy import lazy_module
from plimsoll.keras.losses.function import LossFunctionWrapper, class_names, function_for
from plimsoll.keras.losses.loss import Loss, Reduction  # noqa: F401


def get(identifier):
    """The loss of a name, a config, a class, an object or a function; None for None."""
    return _identifiers.get("losses", identifier, LossFunctionWrapper)


def serialize(loss):
    """The name of a function or the config of an object."""
    return _identifiers.serialize(loss)


def deserialize(name, custom_objects=None):
    """The loss that serialize() wrote."""
    return _identifiers.deserialize("losses", name, custom_objects)


function_for.names = class_names
lazy_module(globals(), "losses", function_for)
