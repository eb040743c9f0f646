"""Functions of tensors that NumPy computes where the tensors are texts."""
import functools
import inspect

import numpy as np

from plimsoll import _convert, _core


def is_text(value) -> bool:
    return isinstance(value, _core.Tensor) and value.dtype == "string"


def texts(value) -> np.ndarray:
    """Texts as NumPy has them: objects of bytes."""
    return np.asarray(value if isinstance(value, _core.Tensor) else _core.constant(value))


def of_texts(numpy_function):
    """Makes a function call this one with arrays where its first argument is texts, or a list with some.

    The engine keeps the bytes of a text in an axis of their own, which its operations would take
    for one of the tensor's.
    """
    def decorate(function):
        signature = inspect.signature(function)

        @functools.wraps(function)
        def call(*args, **kwargs):
            if not any(map(is_text, _convert.flatten(args[:1]))):
                return function(*args, **kwargs)
            given = signature.bind(*args, **kwargs).arguments
            given.pop("name", None)
            first, *others = given.values()
            first = list(map(texts, first)) if isinstance(first, (list, tuple)) else texts(first)
            others = [np.asarray(each).tolist() if _convert.is_tensor(each) else each for each in others]
            return _core.constant(numpy_function(first, *others))
        return call
    return decorate


def compared(name: str):
    """equal or not_equal; of texts, as NumPy compares them."""
    of_numbers, of_arrays = getattr(_core, name), getattr(np, name)

    def call(x, y):
        if is_text(x) or is_text(y):
            return _core.constant(of_arrays(texts(x), texts(y)).astype(bool))
        return of_numbers(x, y)
    return call


equal, not_equal = compared("equal"), compared("not_equal")
