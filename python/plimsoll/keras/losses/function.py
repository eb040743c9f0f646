"""Losses as functions: keras.losses.mean_squared_error(y_true, y_pred)."""
import functools

from plimsoll import _core
from plimsoll.keras import _arguments, _signatures
from plimsoll.keras._classes import class_for
from plimsoll.keras._names import snake_case
from plimsoll.keras._rows import rows
from plimsoll.keras.losses.loss import Loss


@functools.cache
def class_names() -> dict:
    """The class of each function: "mean_squared_error" is MeanSquaredError's."""
    return {snake_case(name): name for name in rows("losses")}


class LossFunction:
    """One of Keras's functions of (y_true, y_pred): a value per sample."""

    def __init__(self, name: str):
        self.__name__ = self.__qualname__ = name
        self.__module__ = "plimsoll.keras.losses"
        self.__signature__ = _signatures.signature("losses", name)
        self.__doc__ = f"{name}{self.__signature__}: a value per sample, as Keras computes it."
        self._handle = _core.loss_from_config(name)

    def __call__(self, *args, **kwargs):
        bound = self.__signature__.bind(*args, **kwargs).arguments
        y_true, y_pred = bound.pop("y_true"), bound.pop("y_pred")
        return self._with(bound).values(y_true, y_pred)

    def _with(self, settings: dict):
        """The handle for these settings."""
        if not settings:
            return self._handle
        config = {key: _arguments.plain(value) for key, value in settings.items()}
        return _core.loss_from_config(
            {"class_name": class_names()[self.__name__], "config": config})

    def __repr__(self) -> str:
        return f"<function {self.__name__}>"

    def __reduce__(self):
        return LossFunction, (self.__name__,)


class LossFunctionWrapper(Loss):
    """A function of the user's own, (y_true, y_pred) -> values, as a loss."""

    def __init__(self, fn, reduction="sum_over_batch_size", name=None, dtype=None, **kwargs):
        super().__init__(name or getattr(fn, "__name__", None), reduction, dtype)
        self.fn = fn
        self._settings = kwargs

    @property
    def _runs_in_python(self) -> bool:
        return True

    def call(self, y_true, y_pred):
        return self.fn(y_true, y_pred, **self._settings)


@functools.cache
def function_for(name: str) -> LossFunction | None:
    """The function that Keras calls `name`, or by a short name such as "MSE"; None if none is."""
    if name not in class_names():
        full_name = _function_of_short_name(name)
        return None if full_name in (None, name) else function_for(full_name)
    return LossFunction(name) if name in _signatures.names("losses") else None


def _function_of_short_name(name: str) -> str | None:
    if class_for("losses", name) is not None:
        return None
    try:
        return _core.loss_from_config(name).name
    except ValueError:
        return None
