"""Settings of layers as the engine and files take them."""
import inspect

from plimsoll.keras import _foreign, _serialization
from plimsoll.keras.layers._weights import LayerWeights


def with_references(config: dict, owner) -> dict:
    """Layers among the arguments of a layer are used as they are, not copied."""
    from plimsoll.keras._classes import RowObject

    given = getattr(owner, "_given", {}) if isinstance(owner, RowObject) else {}
    for name, value in given.items():
        if isinstance(value, LayerWeights):
            config = {**config, name: _foreign.reference(value)}
        elif isinstance(value, (list, tuple)) and value and isinstance(value[0], LayerWeights):
            config = {**config, name: [_foreign.reference(each) for each in value]}
    return config


def plain_arguments(layer) -> dict:
    """The arguments of __init__, for a class that has no get_config of its own."""
    args, kwargs = layer._arguments
    names = list(inspect.signature(type(layer).__init__).parameters)[1:]
    return {**dict(zip(names, args)), **kwargs}


def json_value(value):
    if hasattr(value, "get_config"):
        return _serialization.serialize_object(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    if callable(value):
        return value.__name__
    raise TypeError(f"a setting of the type {type(value).__name__} cannot be saved")
