"""Functions, variables, loops and conditions: with an engine that records, Python's own."""
import builtins
import contextlib
import enum
import functools
import inspect
import logging
import time

import numpy as np

from plimsoll import _convert, _core, _tensor
from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow._dtypes import as_dtype


class _VariableMeta(type):
    """Every variable of the engine is a tf.Variable."""

    def __instancecheck__(cls, value) -> bool:
        return isinstance(value, _core.Variable)

    def __subclasscheck__(cls, other) -> bool:
        return issubclass(other, _core.Variable) or type.__subclasscheck__(cls, other)


class Variable(metaclass=_VariableMeta):
    """tf.Variable(initial_value): state that assign() changes."""

    def __new__(cls, initial_value=None, trainable=None, validate_shape=True, caching_device=None,
                name=None, variable_def=None, dtype=None, import_scope=None, constraint=None,
                synchronization=None, aggregation=None, shape=None, **kwargs):
        if callable(initial_value):
            initial_value = initial_value()
        if initial_value is None:
            raise ValueError("tf.Variable: initial_value must be given")
        value = _core.constant(initial_value, None if dtype is None else as_dtype(dtype).name)
        trains = value.dtype.is_floating if trainable is None else builtins.bool(trainable)
        return _core.Variable(value, name=name or "Variable", trainable=trains)


def function(func=None, input_signature=None, autograph=True, jit_compile=None, reduce_retracing=False,
             **kwargs):
    """Accepted as it is: what the function records is compiled anyway, and Python's if and for work."""
    if func is None:
        return lambda each: function(each)

    @functools.wraps(func)
    def call(*args, **kwargs):
        return func(*args, **kwargs)

    call.python_function = func
    call.get_concrete_function = lambda *args, **kwargs: call
    call.experimental_get_tracing_count = lambda: 1
    return _Function(call, func)


class _Function:
    """A function that can be called and, in a class, is a method."""

    def __init__(self, call, python_function):
        functools.update_wrapper(self, python_function)
        self._call, self.python_function = call, python_function

    def __call__(self, *args, **kwargs):
        return self._call(*args, **kwargs)

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self._call, instance)

    def get_concrete_function(self, *args, **kwargs):
        return self

    def experimental_get_tracing_count(self) -> int:
        return 1


class Module:
    """Holds variables as attributes."""

    def __init__(self, name=None):
        self._module_name = name or type(self).__name__.lower()

    @property
    def name(self) -> str:
        return self._module_name

    @property
    def variables(self) -> tuple:
        return tuple(_variables_in(self.__dict__.values(), set()))

    @property
    def trainable_variables(self) -> tuple:
        return tuple(each for each in self.variables if each.trainable)

    @property
    def submodules(self) -> tuple:
        found = [each for each in _convert.flatten(list(self.__dict__.values()))
                 if isinstance(each, Module)]
        return tuple(found) + tuple(inner for each in found for inner in each.submodules)

    @classmethod
    def with_name_scope(cls, method):
        return method


def _variables_in(values, seen: set):
    for value in values:
        for each in _convert.flatten(value):
            if isinstance(each, _core.Variable) and each.key not in seen:
                seen.add(each.key)
                yield each
            elif isinstance(each, Module):
                yield from _variables_in(each.__dict__.values(), seen)
            elif hasattr(each, "weights") and hasattr(each, "trainable_weights"):
                yield from _variables_in(each.weights, seen)


class UnconnectedGradients(enum.Enum):
    NONE = "none"
    ZERO = "zero"


class VariableAggregation(enum.Enum):
    NONE, SUM, MEAN, ONLY_FIRST_REPLICA = range(4)


class VariableSynchronization(enum.Enum):
    AUTO, NONE, ON_WRITE, ON_READ = range(4)


def cond(pred, true_fn=None, false_fn=None, name=None):
    """Calls one of the functions; both, and selects, where the condition has no value yet."""
    known = _value_of(pred)
    if known is not None:
        return true_fn() if known else false_fn()
    with _tensor.without_assignments("tf.cond"):
        found, otherwise = true_fn(), false_fn()
    flat, other = _convert.flatten(found), _convert.flatten(otherwise)
    if builtins.len(flat) != builtins.len(other):
        raise InvalidArgument(f"tf.cond: true_fn gives {builtins.len(flat)} tensors and false_fn "
                              f"{builtins.len(other)}, expected as many")
    selected = iter([_core.select(pred, one, two) for one, two in zip(flat, other)])
    return _convert.map_structure(lambda each: None if each is None else next(selected), found)


def _value_of(condition):
    """A condition as True or False; None if it is not known before the step that is recorded runs."""
    return None if _tensor.is_not_known_yet(condition) else builtins.bool(condition)


def case(pred_fn_pairs, default=None, exclusive=False, strict=False, name=None):
    for condition, run in dict(pred_fn_pairs).items() if isinstance(
            pred_fn_pairs, dict) else pred_fn_pairs:
        if builtins.bool(condition):
            return run()
    return default()


def while_loop(cond, body, loop_vars, shape_invariants=None, parallel_iterations=10,
               back_prop=True, swap_memory=False, maximum_iterations=None, name=None):
    """A loop of Python; its condition is evaluated each time."""
    done = 0
    while builtins.bool(cond(*loop_vars)) and (maximum_iterations is None or done < int(
            maximum_iterations)):
        found = body(*loop_vars)
        loop_vars = found if isinstance(found, (list, tuple)) else [found]
        done += 1
    return loop_vars


def map_fn(fn, elems, dtype=None, parallel_iterations=None, back_prop=True, swap_memory=False,
           infer_shape=True, name=None, fn_output_signature=None):
    """The function of each element along axis 0, stacked."""
    leaves = _convert.flatten(elems)
    results = []
    for i in range(leaves[0].shape[0]):
        results.append(fn(_convert.map_structure(lambda leaf: _core.constant(leaf)[i], elems)))
    return _stacked(results)


def _stacked(results: list):
    columns = zip(*[_convert.flatten(each) for each in results])
    joined = iter([_core.operation("Stack", {"axis": 0}, [[_core.constant(each) for each in column]])
                   for column in columns])
    return _convert.map_structure(lambda _: next(joined), results[0])


vectorized_map = map_fn


def foldl(fn, elems, initializer=None, **kwargs):
    items = list(_core.constant(elems))
    value = items.pop(0) if initializer is None else initializer
    for item in items:
        value = fn(value, item)
    return value


def foldr(fn, elems, initializer=None, **kwargs):
    return foldl(fn, _core.constant(elems)[::-1], initializer)


def switch_case(branch_index, branch_fns, default=None, name="switch_case"):
    """Calls the function of this number; another number calls the default, or the last."""
    pairs = branch_fns.items() if isinstance(branch_fns, dict) else (
        branch_fns if isinstance(branch_fns[0], tuple) else enumerate(branch_fns))
    functions = {int(number): function for number, function in pairs}
    return functions.get(int(branch_index), default or functions[max(functions)])()


def timestamp(name=None):
    """The seconds since 1970."""
    return _core.constant(time.time())


def Assert(condition, data, summarize=None, name=None):
    """InvalidArgument with the data if the condition does not hold."""
    if not builtins.bool(np.all(np.asarray(condition))):
        shown = ", ".join(str(np.asarray(each)) for each in data)
        raise InvalidArgument(f"tf.Assert: the condition does not hold; the data is {shown}")


def scan(fn, elems, initializer=None, **kwargs):
    items = list(_core.constant(elems))
    value = items[0] if initializer is None else initializer
    found = [value] if initializer is None else []
    for item in items[1:] if initializer is None else items:
        value = fn(value, item)
        found.append(value)
    return _stacked(found)


@contextlib.contextmanager
def _values_needed(what: str):
    """A sentence for tensors that have no values, because a step is being recorded."""
    try:
        yield
    except InvalidArgument as error:
        if "placeholder" not in str(error):
            raise
        raise NotImplementedError(f"{what}: needs values, and a step that is being recorded has none; compile the "
                                  "model with run_eagerly=True, which runs it batch by batch in Python") from None


def numpy_function(func=None, inp=None, Tout=None, stateful=True, name=None):
    """Calls a function of arrays."""
    with _values_needed("tf.numpy_function"):
        arrays = [np.asarray(_core.constant(each)) for each in inp]
    found = func(*arrays)
    return _convert.map_structure(_core.constant, found)


def py_function(func=None, inp=None, Tout=None, name=None):
    """Calls a function of tensors."""
    found = func(*[_core.constant(each) for each in inp])
    return None if found is None else _convert.map_structure(_core.constant, found)


def stop_gradient(input, name=None):
    return _core.stop_gradient(input)


def custom_gradient(f=None):
    """A function that returns its values and a function of their gradients, which says the gradients
    of its arguments. Gradients flow to the arguments alone, not to variables that it reads."""
    if f is None:
        return custom_gradient

    @functools.wraps(f)
    def call(*args, **kwargs):
        args = _convert.map_structure(_core.constant, args)
        sources = _convert.flatten(args)
        values, gradient = f(*args, **kwargs)
        outputs = iter(_core.custom_gradient(_convert.flatten(values), sources,
                                             _gradients_of(gradient, len(sources))))
        return _convert.map_structure(lambda _: next(outputs), values)

    return call


def _gradients_of(gradient, count: int):
    """The user's function as one of a list that gives a list."""
    if "variables" in inspect.signature(gradient).parameters:
        raise NotImplementedError("tf.custom_gradient: gradients of variables that the function reads "
                                  "are not asked for here; pass the variables as arguments")

    def gradients(upstream: list) -> list:
        found = gradient(*upstream)
        found = list(found) if isinstance(found, (list, tuple)) else [found]
        if len(found) != count:
            raise ValueError(f"tf.custom_gradient: expected {count} gradients, one for each argument; "
                             f"found {len(found)}")
        return found

    return gradients


def recompute_grad(f):
    """The function itself: the plan decides what is computed again."""
    return f


def gradients(*args, **kwargs):
    raise NotImplementedError("tf.gradients is of TensorFlow 1; use tf.GradientTape")


@contextlib.contextmanager
def _nothing(*args, **kwargs):
    yield None


device = name_scope = control_dependencies = _nothing


def init_scope():
    return _nothing()


def executing_eagerly() -> builtins.bool:
    return True


def no_op(name=None):
    return None


def group(*inputs, **kwargs):
    return None


def ensure_shape(x, shape, name=None):
    from plimsoll.tensorflow._specs import TensorShape

    TensorShape(shape).assert_is_compatible_with(_core.constant(x).shape)
    return x


def print(*inputs, output_stream=None, summarize=None, sep=" ", end="\n", name=None):
    """Prints tensors as their values."""
    import sys

    shown = sep.join(str(each.numpy()) if _convert.is_tensor(each) else str(each) for each in inputs)
    stream = output_stream if hasattr(output_stream, "write") else sys.stderr
    stream.write(shown + end)


debug_print = print


def get_logger():
    return logging.getLogger("tensorflow")


def assert_equal(x, y, message=None, summarize=None, name=None):
    if not np.array_equal(np.asarray(x), np.asarray(y)):
        raise InvalidArgument(message or "assert_equal: the tensors differ")


def assert_greater(x, y, message=None, summarize=None, name=None):
    if not (np.asarray(x) > np.asarray(y)).all():
        from plimsoll.errors import InvalidArgument

        raise InvalidArgument(message or "assert_greater: not every element is greater")


def no_gradient(*args):
    return None


class Graph:
    """Refused: there are no graphs to enter."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("tf.Graph: Plimsoll has the API of TensorFlow 2, without graphs and "
                                  "sessions; call the functions directly")


class RegisterGradient:
    def __init__(self, *args, **kwargs):
        raise NotImplementedError("tf.RegisterGradient: gradients of operations cannot be replaced")
