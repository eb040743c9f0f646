"""clone_model: the same layers with new weights."""
from plimsoll.keras import _serialization
from plimsoll.keras.models import functional


def clone_model(model, input_tensors=None, clone_function=None, call_function=None, recursive=False,
                **kwargs):
    """A new model of the same definition; weights are new.

    clone_function(layer) gives the layer that takes a layer's place; it is called for all but inputs.
    """
    if call_function is not None or input_tensors is not None:
        raise NotImplementedError("clone_model: input_tensors and call_function are not known here; "
                                  "build the model anew instead")
    if model._network is None:
        if clone_function is not None:
            raise ValueError("clone_model: clone_function is for functional and sequential models, "
                             f"found the class {type(model).__name__}")
        return type(model).from_config(model.get_config())
    config, own = model._model.config(), _own_classes(model)
    if clone_function is not None:
        own |= _replace(config, model, clone_function)
    return functional.from_config(config, own)


def _replace(config: dict, model, clone_function) -> dict:
    """Puts the function's layers into a model's config; returns the classes of those that are not Keras's."""
    own, new_names = {}, {}
    for entry in config["config"]["layers"]:
        if entry["class_name"] == "InputLayer":
            continue
        layer = model.get_layer(entry["config"]["name"])
        copy = clone_function(layer)
        if copy is layer:
            raise NotImplementedError(f"clone_model: clone_function returned the layer {layer.name} itself, and "
                                      "layers cannot be shared with the clone; return a new layer, such as "
                                      "layer.__class__.from_config(layer.get_config())")
        new_names[layer.name] = copy.name
        entry.update(_serialization.serialize_object(copy))
        if "name" in entry:
            entry["name"] = copy.name
        if not type(copy).__module__.startswith("plimsoll."):
            own[type(copy).__name__] = type(copy)
    config["config"] = _renamed(config["config"], new_names)
    return own


def _renamed(part, names: dict):
    """A model's config with other names of layers where calls of them are: [name, call, output]."""
    if isinstance(part, dict):
        return {key: _renamed(value, names) for key, value in part.items()}
    if isinstance(part, (list, tuple)) and len(part) == 3 and isinstance(part[0], str) and isinstance(part[1], int):
        return [names.get(part[0], part[0]), *part[1:]]
    return [_renamed(value, names) for value in part] if isinstance(part, (list, tuple)) else part


def _own_classes(model) -> dict:
    """The classes of the user's that the layers have, by their names."""
    found = {}
    for layer in model.layers:
        if not type(layer).__module__.startswith("plimsoll."):
            found[type(layer).__name__] = type(layer)
        if hasattr(layer, "layers"):
            found.update(_own_classes(layer))
    return found
