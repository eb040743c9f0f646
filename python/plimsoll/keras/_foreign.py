"""Layers that a config names: those that are there already, and classes of the user's own."""
import weakref

from plimsoll import _core
from plimsoll.errors import InvalidArgument
from plimsoll.keras import _arguments, _classes, _serialization

_LIVE = "__layer__"
_live: weakref.WeakValueDictionary = weakref.WeakValueDictionary()


def reference(layer) -> dict:
    """A config that stands for this very layer."""
    _live[id(layer)] = layer
    return {"class_name": _LIVE, "config": {"id": id(layer)}}


def layer_of(json: dict):
    """The engine's handle of a layer that the engine itself does not know; None: it does."""
    name = json.get("class_name")
    if name == _LIVE:
        return _live[json["config"]["id"]]._graph_handle
    if not isinstance(name, str):
        return None
    registered = json.get("registered_name") or name
    found = _serialization.find_custom(registered) or _serialization.find_custom(name)
    if found is None and _is_foreign(json, registered):
        raise InvalidArgument(
            f"the layer class '{registered}' is not known: pass it in custom_objects, or register it "
            "with keras.saving.register_keras_serializable before the model is read")
    if found is None and _names_own_code(json.get("config")):
        found = _classes.class_for("layers", name)
    if found is None or not hasattr(found, "from_config"):
        return None
    layer = found.from_config(json.get("config", {}))
    _keep_while_loading.append(layer)
    return layer._graph_handle


def _names_own_code(config) -> bool:
    """True if a setting of one of Keras's layers is a function or an object of the user's."""
    return isinstance(config, dict) and any(
        name.endswith(_arguments.OWN_CODE) and _serialization.own_object(value) is not None
        for name, value in config.items())


def _is_foreign(json: dict, registered: str) -> bool:
    """True for a class of a program: "package>Name", or a module that is not Keras's."""
    module = json.get("module")
    if module:
        return module.partition(".")[0] not in ("keras", "keras_core", "tf_keras", "tensorflow",
                                                "builtins")
    return ">" in registered


# Layers that were made for a model that is being read: the model keeps them once it is there.
_keep_while_loading: list = []


def forget_made_layers() -> None:
    _keep_while_loading.clear()


_core.use_python_layers()
