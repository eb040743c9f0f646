"""Functions of keras.ops that are made of other ones, or need no operation."""
import builtins
import importlib

import numpy as np

from plimsoll import _core
from plimsoll import _convert as _structures


def convert_to_tensor(x, dtype=None, sparse=None, ragged=None):
    return _core.constant(x, None if dtype is None else _core.dtype_name(dtype))


array = convert_to_tensor


def convert_to_numpy(x):
    return np.asarray(x)


def is_tensor(x) -> builtins.bool:
    return _structures.is_tensor(x)


def shape(x) -> tuple:
    return tuple(_core.constant(x).shape)


def size(x):
    return _core.constant(int(np.prod(shape(x))))


def ndim(x) -> int:
    return _core.constant(x).ndim


def _name(dtype) -> str:
    return _core.dtype_name(dtype or "float32")


def zeros(shape, dtype=None):
    return _core.constant(np.zeros(shape), _name(dtype))


def ones(shape, dtype=None):
    return _core.constant(np.ones(shape), _name(dtype))


def full(shape, fill_value, dtype=None):
    return _core.broadcast_to(_core.constant(fill_value, _name(dtype) if dtype else None), shape)


def eye(N, M=None, k=0, dtype=None):
    return _core.constant(np.eye(N, M, k), _name(dtype))


def identity(n, dtype=None):
    return eye(n, dtype=dtype)


def arange(start, stop=None, step=None, dtype=None):
    found = np.arange(start, stop, step) if stop is not None else np.arange(0, start, step)
    default = "float32" if found.dtype.kind == "f" else "int32"
    return _core.constant(found, _core.dtype_name(dtype or default))


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    return _core.constant(np.linspace(np.asarray(start), np.asarray(stop), num, endpoint, axis=axis),
                          _name(dtype))


def stop_gradient(variable):
    return _core.stop_gradient(variable)


def custom_gradient(f):
    from plimsoll.tensorflow._control import custom_gradient

    return custom_gradient(f)


def tanh(x):
    return _core.tanh(x)


def tan(x):
    return _core.divide(_core.sin(x), _core.cos(x))


def sinh(x):
    return (_core.exp(x) - _core.exp(_core.negative(x))) / 2.0


def cosh(x):
    return (_core.exp(x) + _core.exp(_core.negative(x))) / 2.0


def cast(x, dtype):
    if isinstance(x, _core.Tensor) and x.is_symbolic:
        return _core.operation("Cast", {"dtype": _core.dtype_name(dtype)}, [x], {}, "keras.src.ops.core")
    return _core.cast(x, _core.dtype_name(dtype))


def subtract(x1, x2):
    return _core.subtract(x1, x2)


def true_divide(x1, x2):
    return _core.divide(x1, x2)


def isnan(x):
    return _core.not_equal(x, x)


def isinf(x):
    return _core.equal(_core.abs(x), float("inf"))


def isfinite(x):
    return _core.logical_not(_core.logical_or(isnan(x), isinf(x)))


def hstack(xs):
    return _core.concatenate(list(xs), 1 if ndim(xs[0]) > 1 else 0)


def vstack(xs):
    return _core.concatenate([x if ndim(x) > 1 else _core.expand_dims(x, 0) for x in xs], 0)


def tensordot(x1, x2, axes=2):
    from plimsoll.tensorflow.math import tensordot as of_tf

    return of_tf(x1, x2, axes)


def fori_loop(lower, upper, body_fun, init_val):
    init_val = _structures.map_structure(_core.constant, init_val)
    for i in range(int(lower), int(upper)):
        init_val = body_fun(i, init_val)
    return init_val


def cond(pred, true_fn, false_fn):
    return true_fn() if builtins.bool(pred) else false_fn()


def while_loop(cond, body, loop_vars, maximum_iterations=None):
    from plimsoll.tensorflow._control import while_loop as of_tf

    loop_vars = _structures.map_structure(_core.constant, loop_vars)
    return of_tf(cond, body, loop_vars, maximum_iterations=maximum_iterations)


def map(f, xs):
    from plimsoll.tensorflow._control import map_fn

    return map_fn(f, xs)


def vectorized_map(function, elements):
    """The function of each part along the first axis, stacked."""
    return map(function, elements)


def _loss(name: str):
    def call(target, output, from_logits=False, axis=-1):
        from plimsoll.keras import losses

        function = getattr(losses, name)
        return function(target, output, from_logits=from_logits) if axis == -1 else function(
            target, output, from_logits=from_logits, axis=axis)
    return call


categorical_crossentropy = _loss("categorical_crossentropy")
sparse_categorical_crossentropy = _loss("sparse_categorical_crossentropy")


def binary_crossentropy(target, output, from_logits=False):
    """Element by element."""
    target, output = _core.constant(target), _core.constant(output)
    if from_logits:
        return _core.maximum(output, 0.0) - output * target + _core.log1p(
            _core.exp(_core.negative(_core.abs(output))))
    output = _core.clip(output, 1e-7, 1 - 1e-7)
    return _core.negative(target * _core.log(output) + (1.0 - target) * _core.log(1.0 - output))


def scan(f, init, xs=None, length=None, reverse=False, unroll=1):
    """The last state, and what the function gave for each element, stacked."""
    rows = [None] * int(length) if xs is None else list(_core.constant(xs))
    state, found = init, []
    for row in rows[::-1] if reverse else rows:
        state, given = f(state, row)
        found.append(_core.constant(given))
    return state, _core.operation("Stack", {"axis": 0}, [found[::-1] if reverse else found])


def switch(index, branches, *operands):
    return branches[min(max(int(index), 0), len(branches) - 1)](*operands)


def vectorize(pyfunc, *, excluded=None, signature=None):
    raise NotImplementedError("keras.ops.vectorize is not here; use keras.ops.vectorized_map")


# The neighbours of this file; `from … import` would ask the package for them as functions.
_FILES = ("arrangement", "elementwise", "convolution", "composed")
_HELPERS = ("flat_places", "names", "find")


def _module(name: str):
    return importlib.import_module(f"plimsoll.keras.ops.{name}")


def _own(module) -> dict:
    """The functions that a module defines for users."""
    return {name: value for name, value in vars(module).items()
            if callable(value) and not name.startswith("_") and name not in _HELPERS
            and getattr(value, "__module__", "").startswith("plimsoll.keras.ops")}


def names() -> set:
    found = {name for file in _FILES for name in _own(_module(file))}
    return found | _module("on_values").names()


def find(name: str):
    """A function of this file or of its neighbours, or one of NumPy's that works on values."""
    if name.startswith("_"):
        return None
    for file in _FILES:
        found = _own(_module(file)).get(name)
        if found is not None:
            return found
    return _module("on_values").find(name)
