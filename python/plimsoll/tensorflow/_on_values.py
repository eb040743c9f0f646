"""What NumPy computes from the values of tensors; it has no gradient, so a tape is refused."""
import functools

import numpy as np

from plimsoll import _convert, _core


def _has_gradient(value) -> bool:
    return _convert.is_tensor(value) and value.dtype.is_floating


def values(who: str, *given) -> list:
    """Arrays of the values. Fractions are refused under a tape, whose gradient would be wrong."""
    for each in given:
        if isinstance(each, _core.Tensor) and each.is_symbolic:
            raise NotImplementedError(
                f"{who}: is computed from values, which a model's definition does not have; do it "
                "in the data or in a Layer of your own")
        if _has_gradient(each) and _core.is_recording_tape():
            raise NotImplementedError(f"{who}: has no gradient here; compute it outside of the "
                                      "GradientTape")
    return [np.asarray(each if _convert.is_tensor(each) else _core.constant(each))
            for each in given]


def value(who: str, given) -> np.ndarray:
    return values(who, given)[0]


def of_values(who: str, count: int = 1):
    """Makes a function of arrays one of tensors: its first `count` arguments are converted."""
    def decorate(function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            arrays = values(who, *args[:count])
            return _core.constant(function(*arrays, *args[count:], **kwargs))
        return call
    return decorate


def integers(value) -> list:
    """A shape or a list of integers, which may be a tensor or hold some, as Python's numbers."""
    if _convert.is_tensor(value):
        value = np.asarray(value)
    return [int(each) for each in value] if np.iterable(value) else [int(value)]
