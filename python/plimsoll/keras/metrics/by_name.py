"""Metrics that compile() is given by name: "accuracy" chooses its kind by the shapes it sees."""
from plimsoll import _core
from plimsoll.keras import _serialization
from plimsoll.keras.metrics.metric import Metric


def is_metric_name(name: str) -> bool:
    """True if the engine knows the name, and the user has no metric of that name."""
    if name in _serialization.custom_objects or name in _serialization.registered:
        return False
    try:
        _core.metric_from_config(name)
    except ValueError:
        return False
    return True


class MetricByName(Metric):
    """A metric that has the name by which it was asked for: "acc" stays "acc" in the logs."""

    def __init__(self, name: str):
        super().__init__(name=name)
        self._created = _core.metric_from_config(name)
        self._takes_values = False

    def get_config(self) -> dict:
        return {"name": self.name}
