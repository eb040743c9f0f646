"""Arguments of generated layers that only Python can run and that belong to one weight."""
import numpy as np

from plimsoll._tensor import same_variables
from plimsoll.keras._arguments import dtype_name


def set_up_weights(layer) -> None:
    """Gives the weights of a layer that was built its own initial values and constraints.

    The argument "kernel_initializer" belongs to the weight whose name ends in "kernel".
    """
    for argument, function in (layer._python_arguments or {}).items():
        name, _, kind = argument.rpartition("_")
        for weight in same_variables(layer._created.weights()):
            if weight.name.rpartition("/")[2] != name:
                continue
            if kind == "initializer":
                value = function(tuple(weight.shape), dtype=dtype_name(weight.dtype))
                weight.set_now(np.asarray(value))
            elif kind == "constraint":
                weight.set_constraint(function)
