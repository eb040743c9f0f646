"""Metrics as functions: keras.metrics.binary_accuracy(y_true, y_pred)."""
import functools

from plimsoll import _core
from plimsoll.keras import _signatures
from plimsoll.keras.losses import function as loss_function
from plimsoll.keras.metrics import accuracies
from plimsoll.keras.metrics.metric import Metric

_NO_NAMES = frozenset(("get", "serialize", "deserialize"))


def names() -> set[str]:
    """The functions that keras.metrics has and that are here."""
    published = {name for name in _signatures.names("metrics") if name.islower()} - _NO_NAMES
    return {name for name in published
            if hasattr(accuracies, name) or name in loss_function.class_names()}


@functools.cache
def function_for(name: str):
    """The function that Keras calls `name`, or by a short name such as "mae"; None if none is."""
    if name in _signatures.names("metrics") and hasattr(accuracies, name):
        return getattr(accuracies, name)
    return loss_function.function_for(name)


class MeanMetricWrapper(Metric):
    """The mean of a function (y_true, y_pred) -> values.

    Arguments:
        fn: function, required.
        name: str, default None. The function's name if it is None.
        dtype: Computed in float32 whatever is asked for.
        kwargs: given to the function.
    """

    def __init__(self, fn, name=None, dtype=None, **kwargs):
        super().__init__(dtype, name or getattr(fn, "__name__", None))
        self._fn = fn
        self._fn_kwargs = kwargs
        self._takes_values = False
        function = functools.partial(fn, **kwargs) if kwargs else fn
        self._created = _core.Metric(self.name, function)

    def get_config(self) -> dict:
        return {"name": self.name, "dtype": self.dtype, "fn": self._fn, **self._fn_kwargs}
