"""Activations as functions: keras.activations.relu(x)."""
import functools

from plimsoll import _core
from plimsoll.keras import _arguments, _signatures
from plimsoll.keras._rows import rows


@functools.cache
def _operations() -> dict:
    """The operation that takes the settings of an activation: "leakyrelu" is LeakyRelu's."""
    # Of Relu and ReLU the second takes settings; it is the first in this order.
    names = sorted(_core.rows()["operations"], reverse=True)
    return {name.lower(): name for name in names}


class ActivationFunction:
    """One of Keras's functions of a tensor, which layers know by its name."""

    def __init__(self, name: str):
        self.__name__ = self.__qualname__ = name
        self.__module__ = "plimsoll.keras.activations"
        self.__signature__ = _signatures.signature("activations", name)
        self.__doc__ = f"{name}{self.__signature__}: as keras.activations.{name} computes it."
        self._settings = [p for p in self.__signature__.parameters if p != "x"]

    def __call__(self, x, *args, **kwargs):
        if not args and not kwargs:
            return _core.activation(self.__name__, x)
        settings = self.__signature__.bind(x, *args, **kwargs).arguments
        del settings["x"]
        config = {key: _arguments.plain(value) for key, value in settings.items()}
        name = _operations()[self.__name__.replace("_", "")]
        return _core.operation(name, config, [x], {})

    def __repr__(self) -> str:
        return f"<function {self.__name__}>"

    def __reduce__(self):
        return ActivationFunction, (self.__name__,)


@functools.cache
def function_for(name: str) -> ActivationFunction | None:
    """The function that Keras calls `name`; None if it is not here."""
    is_known = name in rows("activations") and name in _signatures.names("activations")
    return ActivationFunction(name) if is_known else None
