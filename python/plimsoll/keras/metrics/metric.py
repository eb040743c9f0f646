"""Metric: the base of metrics, for those of the engine and for the user's own."""
import functools

import numpy as np

from plimsoll import _core
from plimsoll._tensor import same_variables
from plimsoll.keras._arguments import dtype_name
from plimsoll.keras._base import EngineObject, automatic_name
from plimsoll.keras._variables import dimensions, first_value, is_variable


class Metric(EngineObject):
    """A number about all samples since the last reset.

    A class of your own makes its state with `add_variable` and has `update_state(y_true, y_pred,
    sample_weight=None)` and `result()`.

    Arguments:
        dtype: Computed in float32 whatever is asked for.
        name: str, default None. Shown in logs.
    """

    _own_method = "update_state"

    def __new__(cls, *args, **kwargs):
        self = super().__new__(cls)
        # Before __init__: a class of the user's may set attributes before it calls the base's.
        object.__setattr__(self, "_variables", [])
        object.__setattr__(self, "_metrics", [])
        return self

    def __init__(self, dtype=None, name=None):
        self.name = name or automatic_name(self)
        self.dtype = "float32"

    def _create(self, class_name: str, config: dict) -> None:
        self._created = _core.metric_from_config({"class_name": class_name, "config": config})
        self.name = self._created.name
        self.dtype = "float32"
        # Mean and Sum take values alone.
        self._takes_values = class_name in ("Mean", "Sum")

    @property
    def _runs_in_python(self) -> bool:
        return (self._created is None or self._overrides("update_state")
                or self._overrides("result"))

    @property
    def _handle(self):
        return self._python_handle if self._runs_in_python else self._created

    @functools.cached_property
    def _python_handle(self):
        # The handle borrows this object; a model that keeps the handle keeps both.
        return _core.Metric.from_python(self, self.name)

    def _core_update(self, y_true, y_pred, sample_weight) -> None:
        if sample_weight is None:
            self.update_state(y_true, y_pred)
        else:
            self.update_state(y_true, y_pred, sample_weight=sample_weight)

    def _core_result(self) -> float:
        return float(np.mean(np.asarray(self.result())))

    def __setattr__(self, name, value):
        if is_variable(value):
            self._track(self._variables, value)
        elif isinstance(value, Metric):
            self._track(self._metrics, value)
        object.__setattr__(self, name, value)

    @staticmethod
    def _track(known: list, value) -> None:
        if not any(value is other for other in known):
            known.append(value)

    def add_variable(self, shape=(), initializer="zeros", dtype=None, aggregation=None, name=None):
        """A new variable of the state; reset_state() makes it zero again."""
        if isinstance(shape, str):  # Keras 2 had the name first
            shape, name = (), shape
        shape, dtype = dimensions(shape), dtype_name(dtype or "float32")
        variable, = same_variables(
            [self._python_handle.add_variable(name or "variable", shape, dtype)])
        variable.set_now(first_value(shape, initializer, dtype))
        self._track(self._variables, variable)
        return variable

    def add_weight(self, shape=(), initializer="zeros", dtype=None, name=None, **kwargs):
        """The same as add_variable."""
        if isinstance(shape, str):
            shape, name = kwargs.pop("shape", ()), shape
        return self.add_variable(shape, initializer or "zeros", dtype, name=name)

    def update_state(self, *args, **kwargs):
        """Adds a batch: (y_true, y_pred, sample_weight=None), or the values of a Mean or Sum."""
        if self._created is None:
            raise NotImplementedError(f"{type(self).__name__}: a metric needs a method "
                                      "update_state(self, y_true, y_pred, sample_weight=None)")
        if self._takes_values:
            return self._update_values(*args, **kwargs)
        return self._update_pair(*args, **kwargs)

    def _update_pair(self, y_true, y_pred, sample_weight=None):
        self._created.update_state(y_true, y_pred, sample_weight)

    def _update_values(self, values, sample_weight=None):
        self._created.update_state(values, values, sample_weight)

    def result(self):
        """The number so far; several if there is one per class or per threshold."""
        if self._created is None:
            raise NotImplementedError(
                f"{type(self).__name__}: a metric needs a method result(self)")
        results = self._created.results()
        value = results[0] if len(results) == 1 else results
        return _core.constant(np.asarray(value, dtype=np.float32))

    def reset_state(self) -> None:
        """Forgets all samples."""
        if self._created is not None:
            self._created.reset_state()
        for variable in self._variables:
            variable.set_now(np.zeros(tuple(variable.shape), dtype_name(variable.dtype)))
        for metric in self._metrics:
            metric.reset_state()

    def reset_states(self) -> None:
        """Keras 2's name of reset_state."""
        self.reset_state()

    @property
    def variables(self) -> list:
        """The state."""
        engine = same_variables(self._created.variables()) if self._created is not None else []
        inner = [variable for metric in self._metrics for variable in metric.variables]
        return engine + self._variables + inner

    weights = variables
    non_trainable_variables = variables

    @property
    def trainable_variables(self) -> list:
        """None: a metric learns nothing."""
        return []

    def __call__(self, *args, **kwargs):
        """Adds a batch and returns the result."""
        self.update_state(*args, **kwargs)
        return self.result()

    def get_config(self) -> dict:
        """The settings of the base; a class of your own adds its own."""
        return {"name": self.name, "dtype": self.dtype}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}>"
