"""keras.optimizers: classes and names of optimizers."""
from plimsoll.keras import _identifiers
from plimsoll.keras._lazy import lazy_module
from plimsoll.keras.optimizers import schedules  # noqa: F401
from plimsoll.keras.optimizers.loss_scale import LossScaleOptimizer  # noqa: F401
from plimsoll.keras.optimizers.optimizer import Optimizer  # noqa: F401


def get(identifier):
    """The optimizer of a name, a config, a class or an object."""
    found = _identifiers.get("optimizers", identifier)
    if found is None:
        raise ValueError("keras.optimizers: an optimizer is needed, found None")
    return found


def serialize(optimizer):
    """The config of an optimizer."""
    return _identifiers.serialize(optimizer)


def deserialize(config, custom_objects=None):
    """The optimizer that serialize() wrote."""
    return _identifiers.deserialize("optimizers", config, custom_objects)


def _old_module(name: str):
    """Keras 2's sub-packages."""
    if name in ("legacy", "experimental"):
        import importlib

        return importlib.import_module(f"plimsoll.keras.optimizers.{name}")
    return None


lazy_module(globals(), "optimizers", _old_module)
