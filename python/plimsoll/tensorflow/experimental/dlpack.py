"""tf.experimental.dlpack: tensors to and from other packages as capsules of DLPack."""
import numpy as np

from plimsoll import _core, _missing
from plimsoll._tensor import Tensor


def to_dlpack(tf_tensor):
    """A capsule with the tensor's own memory, which must not be written; of what reads a variable, with a copy."""
    tensor = tf_tensor if isinstance(tf_tensor, Tensor) else tf_tensor.read_value()
    array = tensor.writable_array()
    return (array if tensor.has_value else np.array(array)).__dlpack__()


class _Capsule:
    """What NumPy asks, for a capsule that is there already."""

    def __init__(self, capsule):
        self._capsule = capsule

    def __dlpack__(self, **words):
        return self._capsule

    def __dlpack_device__(self):
        return 1, 0


def from_dlpack(dlcapsule):
    """A tensor with a copy of what a capsule, or an object with __dlpack__, holds."""
    holder = dlcapsule if hasattr(dlcapsule, "__dlpack__") else _Capsule(dlcapsule)
    return _core.constant(np.from_dlpack(holder))


_missing.lazy(globals(), {})
