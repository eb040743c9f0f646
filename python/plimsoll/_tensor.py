"""What tensors and variables have in Python beside the engine's methods."""
import contextlib
import weakref

import numpy as np

from plimsoll import _core
from plimsoll._indexing import get_item, part_of_variable
from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow import _of_texts, _scatter
from plimsoll.tensorflow._dtypes import as_dtype
from plimsoll.tensorflow._specs import TensorShape

Tensor, Variable = _core.Tensor, _core.Variable

_shape_of = {kind: kind.shape.fget for kind in (Tensor, Variable)}
_dtype_of = {kind: kind.dtype.fget for kind in (Tensor, Variable)}
_path_of, _set_path = Variable.name.fget, Variable.name.fset


class Reference:
    """A key for dicts and sets: tensors themselves compare element by element."""

    __slots__ = ("_value", "__weakref__")

    def __init__(self, value):
        self._value = value

    def deref(self):
        return self._value

    def __hash__(self) -> int:
        return hash(self._value.key)

    def __eq__(self, other) -> bool:
        return isinstance(other, Reference) and self._value.key == other._value.key


def _tensor(value) -> Tensor:
    return value if isinstance(value, Tensor) else value.read_value()


def _numpy(self):
    """A copy of the values: an array, or a NumPy number of a scalar."""
    if _is_unknown(self):
        raise NotImplementedError(
            "numpy() is not available here: this tensor belongs to a model's definition or to a "
            "step that is being recorded, and has no value")
    array = _tensor(self).numpy_array()
    return array if array.ndim else array[()]


def _is_unknown(value) -> bool:
    return isinstance(value, Tensor) and (value.is_symbolic or value.is_placeholder)


def _array(self, dtype=None, copy=None):
    array = _lasting_array(_tensor(self))
    if copy or (dtype is not None and array.dtype != dtype):
        return np.array(array, dtype=dtype)
    return array


def _lasting_array(tensor):
    """The tensor's own memory if it stays as it is; a copy if a variable's, which later steps write."""
    array = tensor.shared_array()
    return array if tensor.has_value else np.array(array)


def _dlpack(self, **words):
    array = _lasting_array(_tensor(self))
    try:
        return array.__dlpack__(**words)
    except (BufferError, TypeError):  # who asks cannot be told that it must not write
        return np.array(array).__dlpack__()


def _scalar(self):
    tensor = _tensor(self)
    if tensor.is_symbolic:
        raise TypeError("a tensor of a model's definition has no value; it cannot be a number or a "
                        "condition of an if")
    return tensor.item()


def _bool(self) -> bool:
    return bool(_scalar(self))


def _len(self) -> int:
    if not self.ndim:
        raise TypeError("a scalar has no length")
    return self.shape[0]


def _iterate(self):
    if not self.ndim:
        raise TypeError("a scalar cannot be iterated over")
    tensor = _tensor(self)
    return (tensor[i] for i in range(tensor.shape[0]))


def _format(self, spec: str) -> str:
    if not self.ndim and not _is_unknown(self):
        return format(_numpy(self).item() if spec else _numpy(self), spec)
    return format(str(self), spec)


def _text(self) -> str:
    if _is_unknown(self):
        return repr(self)
    return f"tf.Tensor({_shown(self)}, shape={tuple(self.shape)}, dtype={self.dtype.name})"


def _shown(self) -> str:
    value = _numpy(self)
    return str(value) if isinstance(value, np.ndarray) else str(value.item() if hasattr(
        value, "item") and not isinstance(value, bytes) else value)


def _tensor_repr(self) -> str:
    if _is_unknown(self):
        return f"<KerasTensor shape={tuple(self.shape)}, dtype={self.dtype.name}>"
    return f"<tf.Tensor: shape={tuple(self.shape)}, dtype={self.dtype.name}, numpy={_shown_array(self)}>"


def _shown_array(self) -> str:
    """The value as TensorFlow shows it: an array that takes several lines begins on one of its own."""
    value = np.asarray(self)
    value = value.view("int64") if value.dtype.char == "q" else value
    text = repr(value) if value.ndim else repr(value.item())
    return "\n" + text if "\n" in text else text


def _variable_repr(self) -> str:
    return (f"<tf.Variable '{self.name}' shape={tuple(self.shape)} dtype={self.dtype.name}, "
            f"numpy={_shown_array(self)}>")


def _equal(self, other):
    if other is None:
        return False
    return _of_texts.equal(self, other)


def _not_equal(self, other):
    if other is None:
        return True
    return _of_texts.not_equal(self, other)


def _matmul(self, other):
    from plimsoll.tensorflow.math import matmul

    return matmul(self, other)


def _operation(name: str, reflected: bool = False):
    def call(self, other):
        pair = [other, self] if reflected else [self, other]
        return _core.operation(name, {}, pair)
    return call


def _power(self, exponent, _power_of_fractions=Tensor.__pow__):
    """self ** exponent; the engine's are of fractions, those of integers are products."""
    try:
        return _power_of_fractions(self, exponent)
    except InvalidArgument:
        if not self.dtype.is_integer or not isinstance(exponent, int) or exponent < 0:
            raise
    product = _core.operation("OnesLike", {}, [self])
    for _ in range(exponent):
        product = product * self
    return product


def _logical(name: str):
    def call(self, other):
        if self.dtype != "bool":
            return NotImplemented
        return getattr(_core, name)(self, other)
    return call


def _delegate(name: str):
    """An operator of variables: that of their values."""
    function = getattr(Tensor, name)

    def call(self, *others):
        return function(self.read_value(), *others)
    return call


_COMMON = {
    "numpy": _numpy,
    "__array__": _array,
    "__array_priority__": 100,
    "__bool__": _bool,
    "__float__": lambda self: float(_scalar(self)),
    "__int__": lambda self: int(_scalar(self)),
    "__complex__": lambda self: complex(_scalar(self)),
    "__round__": lambda self, digits=None: round(float(_scalar(self)), digits),
    "__len__": _len,
    "__iter__": _iterate,
    "__format__": _format,
    "__getitem__": lambda self, key: get_item(_tensor(self), key),
    "__eq__": _equal,
    "__ne__": _not_equal,
    "__hash__": None,
    "__matmul__": _matmul,
    "__rmatmul__": lambda self, other: _matmul(other, self),
    "__floordiv__": _operation("FloorDivide"),
    "__rfloordiv__": _operation("FloorDivide", True),
    "__mod__": _operation("Mod"),
    "__rmod__": _operation("Mod", True),
    "__and__": _logical("logical_and"),
    "__rand__": _logical("logical_and"),
    "__or__": _logical("logical_or"),
    "__ror__": _logical("logical_or"),
    "__xor__": _operation("LogicalXor"),
    "__invert__": lambda self: _core.logical_not(self),
    "__dlpack__": _dlpack,
    "__dlpack_device__": lambda self: (1, 0),
    "get_shape": lambda self: self.shape,
    "ref": lambda self: Reference(self),
    "device": "/job:localhost/replica:0/task:0/device:CPU:0",
    "rank": property(lambda self: self.ndim),
}


def _index(self) -> int:
    if str(self.dtype.name).startswith(("int", "uint")) and not self.ndim:
        return int(_scalar(self))
    raise TypeError("only integer tensors of a single element can be used as an index")


def _set_shape(self, shape) -> None:
    TensorShape(shape).assert_is_compatible_with(self.shape)


_recorded_once = []


@contextlib.contextmanager
def recorded_once():
    """What is recorded meanwhile runs in every step, so variables have no value that counts."""
    _recorded_once.append(True)
    try:
        yield
    finally:
        _recorded_once.pop()


def is_not_known_yet(value) -> bool:
    """True for a tensor whose value the step that is being recorded will compute."""
    return isinstance(value, (Tensor, Variable)) and (
        _is_unknown(value) or _tensor(value).waits_for_step(bool(_recorded_once)))


_no_assignments_in = []


@contextlib.contextmanager
def without_assignments(what: str):
    """Refuses assign() where both branches of a condition are recorded."""
    _no_assignments_in.append(what)
    try:
        yield
    finally:
        _no_assignments_in.pop()


def _assign(record: str):
    def assign(self, value, use_locking=None, name=None, read_value=True):
        if _no_assignments_in:
            raise InvalidArgument(f"{_no_assignments_in[-1]}: variable {self.name} cannot be assigned in a branch "
                                  "whose condition is not known yet; assign a tf.where of both values")
        # A call that only finds out shapes leaves variables as they are.
        if not _core.ShapesOnly.is_open():
            getattr(self, record)(value)
        return self
    return assign


class VariableValue:
    """The value of a variable: variable.value of Keras, and variable.value() of TensorFlow."""

    __slots__ = ("_tensor",)
    __hash__ = None

    def __init__(self, tensor):
        self._tensor = tensor

    def __call__(self):
        return self._tensor

    def __plimsoll_tensor__(self):
        return self._tensor

    def __getattr__(self, name: str):
        return getattr(self._tensor, name)


def _on_value(name: str):
    return lambda self, *others: getattr(self._tensor, name)(*others)


def _install() -> None:
    for kind in (Tensor, Variable):
        for name, value in _COMMON.items():
            setattr(kind, name, value)
        kind.__index__ = _index
        kind.shape = property(lambda self, get=_shape_of[kind]: TensorShape(get(self)))
        kind.dtype = property(lambda self, get=_dtype_of[kind]: as_dtype(get(self)))
    Tensor.set_shape = _set_shape
    Tensor.sparse = Tensor.ragged = False
    Tensor.__repr__ = _tensor_repr
    Tensor.__str__ = _text
    Tensor.__pow__ = _power
    Tensor.T = property(_core.transpose)
    Variable.__repr__ = _variable_repr
    Variable.__str__ = _variable_repr
    Variable.assign = _assign("record_assign")
    Variable.assign_add = _assign("record_assign_add")
    Variable.assign_sub = _assign("record_assign_sub")
    Variable.value = property(lambda self: VariableValue(self.read_value()))
    Variable.__getitem__ = part_of_variable
    _scatter.install(Variable)
    # As in Keras: the name is the last part of the path.
    Variable.path = property(_path_of)
    Variable.name = property(lambda self: _path_of(self).rpartition("/")[2], _set_path)
    for name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow", "rpow",
                 "lt", "le", "gt", "ge", "neg", "abs"):
        setattr(Variable, f"__{name}__", _delegate(f"__{name}__"))
        setattr(VariableValue, f"__{name}__", _on_value(f"__{name}__"))
    for name in ("__repr__", "__str__"):
        setattr(VariableValue, name, _on_value(name))
    for name, function in _COMMON.items():
        if name.startswith("__") and callable(function):
            setattr(VariableValue, name, _on_value(name))


_install()

# The same Python object for the same variable, as long as somebody holds it.
_known_variables: weakref.WeakValueDictionary = weakref.WeakValueDictionary()


def same_variables(variables) -> list:
    """The Python objects that these variables of Keras have already."""
    from plimsoll.keras._variable import Variable

    found = []
    for variable in variables:
        known = _known_variables.get(variable.key)
        if known is None or not known.is_same(variable):
            _known_variables[variable.key] = known = Variable.of(variable)
        found.append(known)
    return found
