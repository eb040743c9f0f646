"""Tensors from values, shapes and ranges."""
import builtins

import numpy as np

from plimsoll import _core
from plimsoll._convert import is_tensor as _is_tensor
from plimsoll.tensorflow._dtypes import as_dtype


def _name(dtype):
    return None if dtype is None else as_dtype(dtype).name


def constant(value, dtype=None, shape=None, name="Const"):
    """A tensor of a number, a list, an array or a text."""
    tensor = _core.constant(value, _name(dtype))
    if shape is None:
        return tensor
    shape = _sizes(shape)
    if not tensor.ndim:
        return _core.broadcast_to(tensor, shape)
    return _core.reshape(tensor, shape)


def convert_to_tensor(value, dtype=None, dtype_hint=None, name=None):
    """The value as a tensor; a tensor stays what it is."""
    return _core.constant(value, _name(dtype))


def _sizes(shape) -> tuple:
    if _is_tensor(shape):
        shape = np.asarray(shape)
    return tuple(int(size) for size in (shape if np.iterable(shape) else (shape,)))


def fill(dims, value, name=None):
    """A tensor of one value."""
    value = _core.constant(value)
    if value.dtype == "string":
        return _core.constant(np.full(_sizes(dims), value.numpy(), object))
    return _core.broadcast_to(value, _sizes(dims))


def _full(shape, value, dtype):
    name = _name(dtype) or "float32"
    if name == "string":
        return _core.constant(np.full(_sizes(shape), ""))
    return _core.constant(np.full(_sizes(shape), value), name)


def zeros(shape, dtype="float32", name=None):
    return _full(shape, 0, dtype)


def ones(shape, dtype="float32", name=None):
    return _full(shape, 1, dtype)


def _like(class_name: str):
    def call(input, dtype=None, name=None):
        tensor = _core.constant(input)
        found = _core.operation(class_name, {}, [tensor])
        return found if dtype is None else _core.cast(found, _name(dtype))
    return call


zeros_like, ones_like = _like("ZerosLike"), _like("OnesLike")


def range(start, limit=None, delta=1, dtype=None, name="range"):
    """Numbers from start to limit."""
    start, limit, delta = (value if value is None or not _is_tensor(value) else value.numpy().item()
                           for value in (start, limit, delta))
    if limit is None:
        start, limit = 0, start
    array = np.arange(start, limit, delta)
    if dtype is None:
        dtype = "float32" if array.dtype.kind == "f" else "int32"
    return _core.constant(array, _name(dtype))


def linspace(start, stop, num, name=None, axis=0):
    return _core.constant(np.linspace(np.asarray(start), np.asarray(stop), int(num), axis=axis,
                                      dtype=np.float32))


def eye(num_rows, num_columns=None, batch_shape=None, dtype="float32", name=None):
    one = np.eye(int(num_rows), None if num_columns is None else int(num_columns))
    batch = () if batch_shape is None else _sizes(batch_shape)
    return _core.constant(np.broadcast_to(one, (*batch, *one.shape)), _name(dtype))


def meshgrid(*args, indexing="xy", name=None):
    arrays = [np.asarray(_core.constant(each)) for each in args]
    return [_core.constant(each) for each in np.meshgrid(*arrays, indexing=indexing)]


def identity(input, name=None):
    return _core.constant(input) * 1 if not _is_text(input) else _core.constant(input)


def _is_text(value) -> builtins.bool:
    return _core.constant(value).dtype == "string"


def is_tensor(x) -> builtins.bool:
    return _is_tensor(x)


def shape(input, out_type="int32", name=None):
    """The sizes of the axes, as a tensor."""
    sizes = tuple(_core.constant(input).shape)
    if None in sizes:
        raise ValueError("tf.shape: a size of this symbolic tensor is not known before the model is "
                         "called; compute with it inside of a Layer's call()")
    return _core.constant(np.array(sizes, dtype=np.int64), _name(out_type))


def size(input, out_type="int32", name=None):
    return _core.constant(int(np.prod(tuple(_core.constant(input).shape))), _name(out_type))


def rank(input, name=None):
    return _core.constant(_core.constant(input).ndim)


def one_hot(indices, depth, on_value=None, off_value=None, axis=-1, dtype="float32", name=None):
    """Rows with one element on."""
    found = _core.operation("OneHot", {"num_classes": int(depth), "axis": -1 if axis is None else axis,
                                       "dtype": "float32", "sparse": False}, [indices])
    if on_value is not None or off_value is not None:
        on, off = (1 if on_value is None else on_value), (0 if off_value is None else off_value)
        found = found * (on - off) + off
    return _core.cast(found, _name(dtype) or "float32")


def sequence_mask(lengths, maxlen=None, dtype="bool", name=None):
    lengths = _core.constant(lengths)
    maxlen = int(np.max(np.asarray(lengths))) if maxlen is None else int(maxlen)
    row = _core.constant(np.arange(maxlen, dtype=np.int32))
    return _core.cast(_core.less(row, _core.expand_dims(_core.cast(lengths, "int32"), -1)),
                      _name(dtype))


def get_static_value(tensor, partial=False):
    return None if tensor.is_symbolic or tensor.is_placeholder else tensor.numpy()
