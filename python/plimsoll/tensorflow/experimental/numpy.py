"""tf.experimental.numpy: NumPy's names; those of keras.ops, which are NumPy's too."""
import numpy as _np

from plimsoll import _missing

pi, e, inf, nan, newaxis = _np.pi, _np.e, _np.inf, _np.nan, None
float32, float64, int32, int64, bool_ = _np.float32, _np.float64, _np.int32, _np.int64, _np.bool_


def experimental_enable_numpy_behavior(prefer_float32=False, dtype_conversion_mode=None) -> None:
    """Accepted: tensors take NumPy's indices and mix element types anyway."""


def asarray(a, dtype=None):
    from plimsoll.keras import ops

    return ops.convert_to_tensor(a, dtype)


def __getattr__(name: str):
    from plimsoll.keras import ops

    found = None if name.startswith("_") else getattr(ops, name, None)
    if found is None:
        raise _missing.missing(__name__, name, dir(ops))
    return found
