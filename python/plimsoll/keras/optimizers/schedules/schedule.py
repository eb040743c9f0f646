"""LearningRateSchedule: the base of schedules, for those of the engine and for the user's own."""
from plimsoll import _core, _tensor
from plimsoll.keras._base import EngineObject


class LearningRateSchedule(EngineObject):
    """A learning rate that depends on the step. A class of your own has `__call__(self, step)`.

    The method is recorded once; it computes the rate of every step from the tensor `step`.
    """

    def _create(self, class_name: str, config: dict) -> None:
        self._created = _core.schedule_from_config({"class_name": class_name, "config": config})

    @property
    def _handle(self):
        if self._runs_in_python:
            return _core.Schedule.from_python(self._rate_of_steps)
        return self._created

    def _rate_of_steps(self, step):
        with _tensor.recorded_once():
            return self(step)

    def __call__(self, step):
        """The rate of the step after `step` steps."""
        if self._created is None:
            raise NotImplementedError(f"{type(self).__name__}: a schedule needs a method "
                                      "__call__(self, step)")
        return self._created(step)
