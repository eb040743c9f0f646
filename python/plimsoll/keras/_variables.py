"""Variables that objects of Keras keep."""
import numpy as np

from plimsoll import _core
from plimsoll.keras._arguments import dtype_name


def is_variable(value) -> bool:
    return isinstance(value, _core.Variable)


def first_value(shape, initializer, dtype) -> np.ndarray:
    """What an initializer, a name of one, a function or a number gives."""
    from plimsoll.keras import initializers

    dtype = dtype_name(dtype)
    if isinstance(initializer, (int, float)):
        return np.full(shape, initializer, dtype=dtype)
    return np.asarray(initializers.get(initializer or "zeros")(shape, dtype=dtype))


def dimensions(shape) -> tuple:
    """A shape as people write it: a number, a list or a tuple."""
    return tuple(shape) if np.iterable(shape) else (shape,)
