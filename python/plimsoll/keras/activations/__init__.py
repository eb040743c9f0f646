"""keras.activations: the functions that layers apply to their outputs."""
from plimsoll.keras import _identifiers
from plimsoll.keras._lazy import lazy_module
from plimsoll.keras.activations.function import function_for


def get(identifier):
    """The function of a name or a config, or the function itself; linear for None."""
    if identifier is None:
        return function_for("linear")
    return _identifiers.get("activations", identifier)


def serialize(activation):
    """The name of a function, or the config of a layer."""
    return _identifiers.serialize(activation)


def deserialize(config, custom_objects=None):
    """The function of a name, or the layer of a config."""
    return _identifiers.deserialize("activations", config, custom_objects)


lazy_module(globals(), "activations", function_for)
