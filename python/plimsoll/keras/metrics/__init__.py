"""keras.metrics: classes, functions and short names of metrics."""
from plimsoll.keras import _identifiers
from plimsoll.keras._lazy import lazy_module
from plimsoll.keras.losses.function import LossFunction
from plimsoll.keras.metrics.by_name import MetricByName, is_metric_name
from plimsoll.keras.metrics.function import MeanMetricWrapper, function_for, names
from plimsoll.keras.metrics.metric import Metric  # noqa: F401


def get(identifier):
    """The metric of a name, a config, a class, an object or a function; None for None."""
    name = identifier.__name__ if isinstance(identifier, LossFunction) else identifier
    if isinstance(name, str) and is_metric_name(name):
        return MetricByName(name)
    return _identifiers.get("metrics", identifier, MeanMetricWrapper)


def serialize(metric):
    """The name of a function or the config of an object."""
    return _identifiers.serialize(metric)


def deserialize(config, custom_objects=None):
    """The metric that serialize() wrote."""
    return _identifiers.deserialize("metrics", config, custom_objects)


function_for.names = names
lazy_module(globals(), "metrics", function_for)
