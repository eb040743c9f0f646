"""Small questions about models and tensors."""

import math

import numpy as np


def count_params(weights):
    """The number of values in a list of weights."""
    return int(sum(math.prod(weight.shape) for weight in weights))


def is_keras_tensor(x):
    """True for a symbolic tensor, such as keras.Input() gives."""
    return bool(getattr(x, "is_symbolic", False))


def get_source_inputs(tensor):
    """The inputs of a model that a symbolic tensor depends on."""
    history = getattr(tensor, "_keras_history", None)
    if history is None:
        return tensor
    layer = history[0]
    inputs = getattr(layer, "_inbound_tensors", lambda output: [])(tensor)
    if not inputs:
        return [tensor]
    found = []
    for value in inputs:
        found += [t for t in get_source_inputs(value) if not any(t is other for other in found)]
    return found


def standardize_dtype(dtype):
    """The name of an element type that is given as a name, a NumPy type or TensorFlow's."""
    if dtype is None:
        from plimsoll.keras import config

        return config.floatx()
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or str(dtype)
    name = {"bool_": "bool", "int": "int64", "float": "float32", "str": "string"}.get(name, name)
    if name != "string" and name != "bfloat16":
        try:
            np.dtype(name)
        except TypeError:
            raise ValueError(f"Invalid dtype: {dtype}") from None
    return name
