"""How networks of the engine are called, and what they say of their inputs and outputs."""
import numpy as np

from plimsoll import _convert
from plimsoll.keras.layers import _calls


def flat_inputs(model, inputs) -> list:
    """The tensors in the order of the network's inputs; a dict is matched by name."""
    if isinstance(inputs, dict):
        names = [name for name, _, _ in model._model.inputs()]
        missing = [name for name in names if name not in inputs]
        if missing and len(names) == len(inputs) and not set(names) & set(inputs):
            return list(inputs.values())
        if missing:
            raise ValueError(f"{model.name}: there is no input called {missing[0]!r} in the dict "
                             f"(it has {', '.join(map(str, inputs))})")
        return [inputs[name] for name in names]
    if isinstance(inputs, (list, tuple)):
        ports = model._model.inputs()
        if len(ports) <= 1 and not any(map(_convert.is_tensor, inputs)):
            is_batch = len(inputs) == 1 and ports and np.ndim(inputs[0]) == len(ports[0][2])
            return [np.asarray(inputs[0] if is_batch else inputs)]
        return _convert.flatten(list(inputs))
    return [inputs]


def call(model, args: tuple, kwargs: dict):
    """Records the network on these inputs."""
    inputs = args[0] if args else kwargs.get("inputs")
    training = kwargs.get("training", args[1] if len(args) > 1 else None)
    training = _calls.training_or_surrounding(training)
    options = {} if training is None else {"training": bool(training)}
    if kwargs.get("mask") is not None:
        options["mask"] = kwargs["mask"]
    outputs = model._recorded(model._network, flat_inputs(model, inputs), options)
    return packed(model, outputs)


def packed(model, outputs: list):
    """The outputs as the program passed them to Model(): one, a list or a dict."""
    structure = model.__dict__.get("_outputs")
    if structure is None:
        kind, keys = model._model.structure().get("outputs", ("one", []))
    else:
        kind = "names" if isinstance(structure, dict) else (
            "list" if isinstance(structure, (list, tuple)) else "one")
        keys = list(structure) if kind == "names" else []
    if kind == "names":
        return dict(zip(keys, outputs))
    return list(outputs) if len(outputs) > 1 else outputs[0]
