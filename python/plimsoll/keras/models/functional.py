"""Functional: a model between symbolic inputs and outputs."""
import weakref

from plimsoll import _convert, _core
from plimsoll.keras.layers.layer import _wrappers, wrapper_of
from plimsoll.keras.models.model import Model


class Functional(Model):
    """keras.Model(inputs=…, outputs=…)."""

    def __init__(self, inputs, outputs=None, name=None, **kwargs):
        self._init_functional(inputs, outputs, name=name, **kwargs)


def _kind_of(structure) -> tuple:
    if isinstance(structure, dict):
        return "names", list(structure)
    return ("list", []) if isinstance(structure, (list, tuple)) else ("one", [])


def _in_order_of_names(structure):
    """Keras takes a dict in the order of its keys, which decides the order of layers and weights."""
    return dict(sorted(structure.items())) if isinstance(structure, dict) else structure


def define(model: Model, inputs, outputs, name=None) -> None:
    """Makes the engine's network between these tensors the model's."""
    inputs, outputs = _in_order_of_names(inputs), _in_order_of_names(outputs)
    flat_inputs, flat_outputs = _convert.flatten(inputs), _convert.flatten(outputs)
    for tensor in [*flat_inputs, *flat_outputs]:
        if not isinstance(tensor, _core.Tensor) or not tensor.is_symbolic:
            raise ValueError("Model: inputs and outputs must be tensors that begin with keras.Input, "
                             f"found {type(tensor).__name__}")
    inner = _core.Model.functional(flat_inputs, flat_outputs, name or "")
    inner.set_structure(*_kind_of(inputs), *_kind_of(outputs))
    _take(model, inner)
    model._inputs, model._outputs = inputs, outputs
    _keep_only_layers(inner)


def _keep_only_layers(inner) -> None:
    """A definition keeps its layers. One with Python code must not keep the definition too: nothing would free them."""
    for handle in inner.layers():
        layer = handle.python_object
        if layer is not None and layer._last_call is not None:
            object.__setattr__(layer, "_last_call", None)
            object.__setattr__(layer, "_defining_model", weakref.ref(inner))


def _take(model: Model, inner) -> None:
    model._model = inner
    model._network = inner.layer
    model._built = True
    _wrappers[model._network.key] = model
    if not str(type(model).call.__module__).startswith("plimsoll."):
        model._python_handle = model._make_handle(model._network.name)


def network_of_handle(handle):
    """A Python model for a network that the engine has."""
    from plimsoll.keras.models.sequential import Sequential

    kind = Sequential if handle.class_name == "Sequential" else Functional
    model = kind.__new__(kind)
    model._model = _core.Model(handle)
    model._network = handle
    model._built = True
    _wrappers[handle.key] = model
    return model


def of_engine(inner) -> Model:
    """A Python model of an engine's model."""
    found = _wrappers.get(inner.layer.key)
    if found is not None:
        return found
    from plimsoll.keras.models.sequential import Sequential

    handle = inner.layer
    kind = Sequential if handle.class_name == "Sequential" else Functional
    model = kind.__new__(kind)
    model._model, model._network = inner, handle
    _wrappers[handle.key] = model
    return model


def from_config(config: dict, custom_objects=None) -> Model:
    """A model of {"class_name": "Functional", "config": …}."""
    from plimsoll.keras import _foreign
    from plimsoll.keras.saving import custom_object_scope

    with custom_object_scope(custom_objects or {}):
        model = of_engine(_core.Model.from_json(config))
    model._held_layers = [wrapper_of(handle) for handle in model._model.layers()]
    _foreign.forget_made_layers()
    return model
