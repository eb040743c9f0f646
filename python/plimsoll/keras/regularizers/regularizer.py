"""Regularizer: the base of regularizers, for those of the engine and for the user's own."""
from plimsoll import _core
from plimsoll.keras._base import EngineObject


class Regularizer(EngineObject):
    """A penalty that is added to the loss. A class of your own has `__call__(self, x)`."""

    def _create(self, class_name: str, config: dict) -> None:
        self._created = _core.regularizer_from_config(
            {"class_name": class_name, "config": config})

    @property
    def _handle(self):
        return self._created

    def __call__(self, x):
        """The penalty, a number."""
        if self._created is None:
            raise NotImplementedError(f"{type(self).__name__}: a regularizer needs a method "
                                      "__call__(self, x)")
        return self._created(x)
