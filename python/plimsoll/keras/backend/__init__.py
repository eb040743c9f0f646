"""keras.backend: Keras 2's functions, which scripts still call K."""
import numpy as np

from plimsoll import _core
from plimsoll.keras.backend import old_functions
from plimsoll.keras.config import (  # noqa: F401
    backend, clear_session, epsilon, floatx, image_data_format, set_epsilon, set_floatx,
    set_image_data_format)
from plimsoll.keras.utils.models import standardize_dtype  # noqa: F401


def is_float_dtype(dtype) -> bool:
    return "float" in standardize_dtype(dtype)


def is_int_dtype(dtype) -> bool:
    return standardize_dtype(dtype).startswith(("int", "uint"))


def is_keras_tensor(x) -> bool:
    return isinstance(x, _core.Tensor) and x.is_symbolic


def is_tensor(x) -> bool:
    return isinstance(x, (_core.Tensor, _core.Variable))


def int_shape(x) -> tuple:
    return tuple(x.shape)


def get_value(x):
    return x.numpy() if hasattr(x, "numpy") else np.asarray(x)


def set_value(x, value) -> None:
    x.assign(value)


eval = get_value


def batch_get_value(xs) -> list:
    return [get_value(x) for x in xs]


def variable(value, dtype=None, name=None, constraint=None):
    return _core.Variable(value, name=name or "Variable",
                          dtype=None if dtype is None else _core.dtype_name(dtype))


def constant(value, dtype=None, shape=None, name=None):
    from plimsoll.tensorflow import constant as of_tf

    return of_tf(value, dtype or "float32", shape)


def dot(x, y):
    return _core.operation("Dot", {}, [x, y])


def learning_phase() -> int:
    return 0


def set_learning_phase(value) -> None:
    """Accepted: training is an argument of calls."""


def get_uid(prefix="") -> int:
    name = _core.unique_name(prefix)
    return int(name.rpartition("_")[2]) + 1 if name[-1:].isdigit() else 1


def result_type(*dtypes) -> str:
    return str(np.result_type(*[np.dtype(_core.dtype_name(d)) for d in dtypes if d is not None]))


# Keras 2's names of functions that have another one now.
_RENAMED = {"pow": "power", "permute_dimensions": "transpose", "switch": "where"}


def __getattr__(name: str):
    from plimsoll import _missing
    from plimsoll.keras import activations, losses, ops

    if name in ("relu", "sigmoid", "softmax", "tanh", "elu", "softplus", "hard_sigmoid", "softsign"):
        return getattr(activations, name)
    if name in ("binary_crossentropy", "categorical_crossentropy", "sparse_categorical_crossentropy"):
        return getattr(ops, name)
    if name == "name_scope":
        from plimsoll.tensorflow import name_scope

        return name_scope
    if name in ("random_normal", "random_uniform"):
        from plimsoll.keras import random

        return getattr(random, name.removeprefix("random_"))
    if hasattr(old_functions, name):
        return getattr(old_functions, name)
    found = getattr(ops, _RENAMED.get(name, name), None)
    if found is None:
        raise _missing.missing(__name__, name, dir(losses))
    return found
