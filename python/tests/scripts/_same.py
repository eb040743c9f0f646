"""Gives a model the same weights on every system, and collects what a script computes."""

import atexit
import json
import os

import numpy as np

results = {}
tolerances = {}


def same_weights(model):
    """Fills all weights with values that depend on their shape and position alone.

    What a layer learns from data by adapt() stays, and variances and scales stay near 1.
    """
    assert model.built and len(model.weights) > 0, "a model has weights when its inputs are known"
    values = [same_values(weight, position) for position, weight in enumerate(model.weights)]
    model.set_weights(values)
    return model


def same_values(weight, position):
    shape = tuple(weight.shape)
    name = weight.name.split("/")[-1].split(":")[0]
    if name in ("mean", "variance", "count"):
        return np.asarray(weight.numpy())
    random = np.random.default_rng([position, *shape])
    if name in ("gamma", "moving_variance"):
        return random.uniform(0.9, 1.1, shape).astype("float32")
    inputs = int(np.prod(shape[:-1])) if len(shape) > 1 else 300
    limit = np.sqrt(3.0 / max(inputs, 1))
    return random.uniform(-limit, limit, shape).astype("float32")


def report(name, value, atol=None):
    """Keeps one named result: an array, tensor, number or text, a list or a dictionary of these.

    The runner compares it with a tolerance of its own; atol is for values that need another one.
    """
    if isinstance(value, dict):
        for key in sorted(value):
            report(f"{name}.{key}", value[key], atol)
        return
    if isinstance(value, (list, tuple)) and any(np.ndim(item) > 0 for item in value):
        for index, item in enumerate(value):
            report(f"{name}.{index}", item, atol)
        return
    assert name not in results, f"'{name}' is reported twice"
    array = np.asarray(value)
    results[name] = array.astype("U") if array.dtype.kind in "SO" else array
    if atol is not None:
        tolerances[name] = atol


def report_shape(name, value):
    """Keeps the shape of a value that random numbers went into, after a look that it is finite."""
    array = np.asarray(value)
    assert np.all(np.isfinite(array)), f"'{name}' is not finite"
    report(name + ".shape", np.array(array.shape, dtype="int64"))


def write(path):
    """Writes what was reported and forgets it."""
    np.savez(path, **results, **{"/tolerances": np.array(json.dumps(tolerances))})
    results.clear()
    tolerances.clear()


if os.environ.get("PLIMSOLL_SCRIPT_RESULTS"):
    atexit.register(lambda: results and write(os.environ["PLIMSOLL_SCRIPT_RESULTS"]))
