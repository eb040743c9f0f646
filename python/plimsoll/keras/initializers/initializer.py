"""Initializer: the base of initializers, for those of the engine and for the user's own."""
import random

import numpy as np

from plimsoll import _core
from plimsoll.keras._arguments import dtype_name
from plimsoll.keras._base import EngineObject


class Initializer(EngineObject):
    """First values of a weight. A class of your own has `__call__(self, shape, dtype=None)`."""

    def _create(self, class_name: str, config: dict) -> None:
        # Keras fills whole arrays with Constant; the engine knows a number alone.
        self._array = None
        if isinstance(config.get("value"), list):
            self._array = np.asarray(config.pop("value"))
        self._created = _core.initializer_from_config(
            {"class_name": class_name, "config": config})
        self._drawn_seed = None

    @property
    def _runs_in_python(self) -> bool:
        return self._created is None or self._array is not None or self._overrides("__call__")

    @property
    def _handle(self):
        return self._created

    def __call__(self, shape, dtype=None, **kwargs):
        """A tensor of this shape. The same object gives the same numbers each time."""
        if self._created is None:
            raise NotImplementedError(f"{type(self).__name__}: an initializer needs a method "
                                      "__call__(self, shape, dtype=None)")
        shape = tuple(shape) if np.iterable(shape) else (shape,)
        dtype = dtype_name(dtype) or "float32"
        if self._array is not None:
            values = np.broadcast_to(self._array, shape)
        else:
            values = np.reshape(self._created.values(shape, self._seed(), "initializer"), shape)
        return _core.constant(np.array(values, dtype=dtype))

    def _seed(self) -> int:
        if self._drawn_seed is None:
            # Keras draws seeds from Python's generator too, which set_random_seed() seeds.
            self._drawn_seed = random.randint(1, 10**9)
        return self._drawn_seed

    def _row_config(self) -> dict:
        config = super()._row_config()
        return config if self._array is None else {**config, "value": self._array.tolist()}

    def clone(self):
        """A new object with the same settings."""
        return type(self).from_config(self.get_config())
