"""Training: a model as a list of layers, its data and the options of plimsoll train."""
import dataclasses
import numpy as np


@dataclasses.dataclass
class Training:
    layers: list
    x: np.ndarray
    y: np.ndarray  # of several outputs, by their names
    loss: str
    metrics: str = ""
    optimizer: str = "adam"
    rate: float = 1e-3
    epochs: int = 20
    batch: int = 32
    split: float = 0.0
    more: tuple = ()
    from_logits: bool = False
    base: object = None  # a Training whose model this one goes on with
    script: str = ""  # which of user_programs.py trains it; empty: the command does


def dense(units, activation="relu", **settings):
    return {"class_name": "Dense", "config": {"units": units, "activation": activation, **settings}}


def layer(kind, **config):
    return {"class_name": kind, "config": config}


def of(kind, inputs, name, **config):
    """A layer of a graph: `inputs` are names of layers, "in" is the input."""
    return {"class_name": kind, "config": {"name": name, **config}, "from": inputs}


def weighted(it):
    """The layers that multiply by a kernel."""
    return [one for one in it.layers if "units" in one["config"] or "filters" in one["config"]]


def hidden(it):
    return weighted(it)[:-1]


def last(it):
    return it.layers[-1]["config"]


# name of a mistake -> (cause, models, function that makes it)
FAULTS = {}


def fault(cause, *models):
    """Registers a mistake; `models` are those that people make it with."""
    def keep(function):
        FAULTS[function.__name__] = (cause, models, function)
        return function
    return keep
