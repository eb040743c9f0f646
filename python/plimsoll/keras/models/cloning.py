"""clone_model: the same layers with new weights."""
from plimsoll.keras.models import functional


def clone_model(model, input_tensors=None, clone_function=None, call_function=None, recursive=False,
                **kwargs):
    """A new model of the same definition; weights are new."""
    if clone_function is not None or call_function is not None or input_tensors is not None:
        raise NotImplementedError("clone_model: input_tensors, clone_function and call_function are "
                                  "not known here; build the model anew instead")
    if model._network is None:
        return type(model).from_config(model.get_config())
    return functional.from_config(model._model.config(), _own_classes(model))


def _own_classes(model) -> dict:
    """The classes of the user's that the layers have, by their names."""
    found = {}
    for layer in model.layers:
        if not type(layer).__module__.startswith("plimsoll."):
            found[type(layer).__name__] = type(layer)
        if hasattr(layer, "layers"):
            found.update(_own_classes(layer))
    return found
