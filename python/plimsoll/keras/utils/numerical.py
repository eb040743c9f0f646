"""Labels as one-hot rows, and rows of length one."""

import numpy as np


def to_categorical(x, num_classes=None):
    """Whole numbers as one-hot rows: an array of shape `x.shape + (num_classes,)`.

    Without num_classes there are as many classes as the largest number says. A last axis of
    length 1 is dropped first. A tensor gives a tensor.
    """
    if _is_tensor(x):
        from plimsoll.keras import ops

        if len(x.shape) > 1 and x.shape[-1] == 1:
            x = ops.squeeze(x, axis=-1)
        return ops.one_hot(x, num_classes or int(np.max(x.numpy())) + 1)
    x = np.asarray(x, dtype="int64")
    shape = x.shape[:-1] if x.ndim > 1 and x.shape[-1] == 1 else x.shape
    x = x.ravel()
    classes = int(num_classes) if num_classes else int(x.max()) + 1
    rows = np.zeros((x.size, classes))
    rows[np.arange(x.size), x] = 1
    return rows.reshape(*shape, classes)


def normalize(x, axis=-1, order=2):
    """Divides by the norm of that order along an axis; what is all zero stays so."""
    if _is_tensor(x):
        from plimsoll.keras import ops

        return ops.normalize(x, axis=axis, order=order)
    x = np.asarray(x)
    norm = np.atleast_1d(np.linalg.norm(x, order, axis))
    norm[norm == 0] = 1
    return x / np.expand_dims(norm, axis)


def _is_tensor(x) -> bool:
    """True for Plimsoll's tensors and variables; NumPy arrays and lists stay with NumPy."""
    return not isinstance(x, np.ndarray) and hasattr(x, "numpy") and hasattr(x, "dtype")
