"""Keras's API on Plimsoll's engine."""
from plimsoll import _missing

__version__ = "3.15.1"

_missing.lazy(globals(), {
    "plimsoll.keras.layers.input_layer": ["Input"],
    "plimsoll.keras.layers.layer": ["Layer"],
    "plimsoll.keras.models": ["Model", "Sequential", "Functional"],
    "plimsoll.keras.losses": ["Loss"],
    "plimsoll.keras.metrics": ["Metric"],
    "plimsoll.keras.optimizers": ["Optimizer"],
    "plimsoll.keras.initializers": ["Initializer"],
    "plimsoll.keras.regularizers": ["Regularizer"],
    "plimsoll.keras.layers": ["InputSpec"],
    "plimsoll.keras._variable": ["Variable"],
    "plimsoll.keras._keras_tensor": ["KerasTensor"],
    "plimsoll.keras.mixed_precision": ["DTypePolicy"],
}, modules=(
    "activations", "applications", "backend", "callbacks", "config", "constraints", "datasets",
    "dtype_policies", "initializers", "layers", "losses", "metrics", "mixed_precision", "models", "ops", "optimizers",
    "preprocessing", "random", "regularizers", "saving", "tree", "utils", "wrappers",
))


def version() -> str:
    """The version of Keras whose API this is."""
    return __version__
