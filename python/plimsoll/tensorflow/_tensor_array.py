"""tf.TensorArray: tensors that a loop writes one by one."""
from plimsoll import _core
from plimsoll.errors import InvalidArgument


class TensorArray:
    """A list of tensors; write() gives the array back, as TensorFlow wants it to be used."""

    def __init__(self, dtype, size=0, dynamic_size=None, clear_after_read=None, tensor_array_name=None,
                 handle=None, flow=None, infer_shape=True, element_shape=None, name=None, **kwargs):
        self._dtype = _core.dtype_name(dtype)
        self._is_dynamic = bool(dynamic_size)
        self._items: list = [None] * int(size)

    dtype = property(lambda self: self._dtype)

    def write(self, index, value, name=None) -> "TensorArray":
        index = int(index)
        if index >= len(self._items) and self._is_dynamic:
            self._items += [None] * (index + 1 - len(self._items))
        if not 0 <= index < len(self._items):
            raise InvalidArgument(f"TensorArray: there is no place {index}, it has {len(self._items)}; make it "
                                  "larger or with dynamic_size=True")
        self._items[index] = _core.constant(value, self._dtype)
        return self

    def read(self, index, name=None):
        found = self._items[int(index)] if 0 <= int(index) < len(self._items) else None
        if found is None:
            raise InvalidArgument(f"TensorArray: nothing was written at {int(index)}")
        return found

    def size(self, name=None):
        return _core.constant(len(self._items), "int32")

    def gather(self, indices, name=None):
        return _core.operation("Stack", {"axis": 0}, [[self.read(index) for index in indices]])

    def stack(self, name=None):
        return self.gather(range(len(self._items)))

    def concat(self, name=None):
        return _core.concatenate([self.read(index) for index in range(len(self._items))], 0)

    def unstack(self, value, name=None) -> "TensorArray":
        self._items = list(_core.constant(value, self._dtype))
        return self

    def identity(self) -> "TensorArray":
        return self
