"""Settings as attributes: Keras keeps every argument of __init__ as one."""
import importlib

from plimsoll.keras import _serialization

# Where an argument's object comes from, by the end of its name.
_PACKAGES = {"activation": "activations", "initializer": "initializers",
             "regularizer": "regularizers", "constraint": "constraints"}


class NotThere(Exception):
    """The object has no such setting."""


def attribute(owner, name: str):
    """The setting `name` of a generated object, or a layer inside it."""
    row = type(owner)._row
    if row.kind == "layers":
        inner = _inner_layer(owner, name)
        if inner is not None:
            return inner
    if name in owner._parts:
        return owner._parts[name]
    if name in row.own_settings:
        return owner._given.get(name)
    if name not in row.named and name not in row.default_config:
        raise NotThere(name)
    config = owner._row_config()
    if name not in config:
        return owner._given.get(name, getattr(row.named.get(name), "default", None))
    found = _as_object(name, config[name])
    return tuple(found) if isinstance(found, list) and row.kind == "layers" else found


def _inner_layer(owner, name: str):
    from plimsoll.keras.layers.layer import Layer, wrapper_of

    given = owner._given.get(name)
    if isinstance(given, Layer):
        return given
    for path, handle in owner._created.children():
        if path == name:
            return wrapper_of(handle)
    return None


def _as_object(name: str, value):
    package = next((p for end, p in _PACKAGES.items() if name.endswith(end)), None)
    if package is not None and value is not None:
        return importlib.import_module("plimsoll.keras." + package).get(value)
    if isinstance(value, dict) and "class_name" in value:
        return _serialization.deserialize_object(value, "layers")
    return value
