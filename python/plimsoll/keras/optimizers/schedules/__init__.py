"""keras.optimizers.schedules: learning rates that change from step to step."""
from plimsoll.keras import _identifiers
from plimsoll.keras._lazy import lazy_module
from plimsoll.keras.optimizers.schedules.schedule import LearningRateSchedule  # noqa: F401


def serialize(learning_rate_schedule):
    """The config of a schedule."""
    return _identifiers.serialize(learning_rate_schedule)


def deserialize(config, custom_objects=None):
    """The schedule that serialize() wrote."""
    return _identifiers.deserialize("optimizers.schedules", config, custom_objects)


lazy_module(globals(), "schedules")
