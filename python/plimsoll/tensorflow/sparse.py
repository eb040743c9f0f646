"""Sparse tensors: values at some places, zero elsewhere. The engine computes with dense tensors: to_dense()."""
import numpy as np

from plimsoll import _core, _missing


class SparseTensor:
    """values[i] at the place indices[i] of a tensor of this shape."""

    __hash__ = None

    def __init__(self, indices, values, dense_shape):
        self.indices, self.values = _core.constant(indices, "int64"), _core.constant(values)
        self._sizes = tuple(int(size) for size in np.asarray(dense_shape))

    @property
    def dense_shape(self):
        return _core.constant(np.array(self._sizes, np.int64))

    @property
    def shape(self):
        from plimsoll.tensorflow._specs import TensorShape

        return TensorShape(self._sizes)

    @property
    def dtype(self):
        return self.values.dtype

    def __plimsoll_tensor__(self):
        return to_dense(self)

    def __repr__(self) -> str:
        return f"SparseTensor(indices={self.indices}, values={self.values}, dense_shape={self._sizes})"


def to_dense(sp_input, default_value=None, validate_indices=True, name=None):
    """The tensor itself, with the default value where there is none."""
    values, places = np.asarray(sp_input.values), np.asarray(sp_input.indices)
    if default_value is None:
        default_value = b"" if values.dtype == object else 0
    elif values.dtype == object:
        default_value = np.asarray(_core.constant(default_value)).item()
    found = np.full(sp_input._sizes, default_value, values.dtype)
    found[tuple(places.T)] = values
    return _core.constant(found)


def from_dense(tensor, name=None):
    """The places of a tensor that are not zero, and what is there."""
    array = np.asarray(_core.constant(tensor))
    places = np.argwhere(array != (b"" if array.dtype == object else 0))
    return SparseTensor(places, array[tuple(places.T)], array.shape)


def sparse_dense_matmul(sp_a, b, adjoint_a=False, adjoint_b=False, name=None):
    from plimsoll.tensorflow.math import matmul

    first, second = (to_dense(each) if isinstance(each, SparseTensor) else each for each in (sp_a, b))
    return matmul(first, second, transpose_a=adjoint_a, transpose_b=adjoint_b)


def reorder(sp_input, name=None):
    """The same with its places in the order of rows."""
    order = np.lexsort(np.asarray(sp_input.indices).T[::-1])
    return SparseTensor(np.asarray(sp_input.indices)[order], np.asarray(sp_input.values)[order], sp_input._sizes)


_missing.lazy(globals(), {})
