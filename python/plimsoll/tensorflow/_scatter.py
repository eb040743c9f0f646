"""Variables that are changed at some indices: variable.scatter_nd_update and its like, IndexedSlices."""
from plimsoll import _core


class IndexedSlices:
    """Rows of a larger tensor: row i of `values` belongs at place `indices[i]`."""

    def __init__(self, values, indices, dense_shape=None):
        self.values, self.indices = _core.constant(values), _core.constant(indices)
        self.dense_shape = dense_shape

    @property
    def dtype(self):
        return self.values.dtype

    @property
    def shape(self):
        return None if self.dense_shape is None else tuple(int(size) for size in self.dense_shape)

    def __plimsoll_tensor__(self):
        """All rows, zero where there is none: so it is a gradient like any other."""
        from plimsoll.tensorflow import _movement

        if self.dense_shape is None:
            raise ValueError("IndexedSlices: dense_shape must be given to make a tensor of it")
        places = _core.reshape(self.indices, (-1, 1))
        return _movement.scatter_nd(places, self.values, self.shape)

    def __repr__(self) -> str:
        return f"IndexedSlices(indices={self.indices}, values={self.values}, dense_shape={self.dense_shape})"


def _changed_at(function_name: str):
    def change(self, indices, updates, name=None):
        from plimsoll.tensorflow import _movement

        function = getattr(_movement, function_name)
        return self.assign(function(self.read_value(), indices, updates))
    return change


def _changed_by_slices(function_name: str):
    at = _changed_at(function_name)

    def change(self, sparse_delta, use_locking=False, name=None):
        if not isinstance(sparse_delta, IndexedSlices):
            raise TypeError(f"{self.name}: expected tf.IndexedSlices, found {type(sparse_delta).__name__}")
        return at(self, _core.reshape(sparse_delta.indices, (-1, 1)), sparse_delta.values)
    return change


def install(variable_class) -> None:
    """Gives the class of variables these methods."""
    for kind in ("update", "add", "sub", "max", "min"):
        setattr(variable_class, f"scatter_nd_{kind}", _changed_at(f"tensor_scatter_nd_{kind}"))
        setattr(variable_class, f"scatter_{kind}", _changed_by_slices(f"tensor_scatter_nd_{kind}"))
