"""keras.layers: the layers of the engine, and the base of the user's own."""
import functools
import importlib

from plimsoll.keras import _identifiers, _signatures
from plimsoll.keras._classes import class_for
from plimsoll.keras._lazy import lazy_module

# Names that are written by hand, by the file that has them.
_FILES = {
    "Layer": "layer", "Lambda": "layer", "Wrapper": "layer", "InputSpec": "layer",
    "Input": "input_layer", "InputLayer": "input_layer",
}


def serialize(layer):
    """The config of a layer."""
    return _identifiers.serialize(layer)


def deserialize(config, custom_objects=None):
    """The layer that serialize() wrote."""
    return _identifiers.deserialize("layers", config, custom_objects)


def _by_hand(name: str):
    if name in _FILES:
        module = importlib.import_module("plimsoll.keras.layers." + _FILES[name])
        return getattr(module, name, None)
    if name == "experimental":
        return importlib.import_module("plimsoll.keras.layers.experimental")
    return _merging_function(name)


def _merging_function(name: str):
    """keras.layers.add([a, b]) is Add()([a, b])."""
    merging = class_for("layers", name.capitalize())
    if merging is None or name not in _signatures.names("layers"):
        return None

    def function(inputs, *args, **kwargs):
        return merging(*args, **kwargs)(inputs)

    function.__name__ = function.__qualname__ = name
    function.__module__ = "plimsoll.keras.layers"
    function.__doc__ = f"{merging.__name__}(**kwargs)(inputs)."
    function.__signature__ = _signatures.signature("layers", name)
    return function


@functools.cache
def _names_by_hand() -> set[str]:
    functions = {name for name in _signatures.names("layers")
                 if name.islower() and class_for("layers", name.capitalize())}
    return {*_FILES, *functions}


_by_hand.names = _names_by_hand
lazy_module(globals(), "layers", _by_hand)
