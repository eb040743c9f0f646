"""Constraint: the base of constraints, for those of the engine and for the user's own."""
from plimsoll import _core
from plimsoll.keras._base import EngineObject


class Constraint(EngineObject):
    """What a weight must satisfy after each step. A class of your own has `__call__(self, w)`."""

    def _create(self, class_name: str, config: dict) -> None:
        self._created = _core.constraint_from_config(
            {"class_name": class_name, "config": config})

    @property
    def _handle(self):
        return self._created

    def __call__(self, w):
        """The weight that satisfies it."""
        if self._created is None:
            raise NotImplementedError(f"{type(self).__name__}: a constraint needs a method "
                                      "__call__(self, w)")
        return self._created(w)
