"""tf.dtypes: element types, and casts between them."""
from plimsoll import _missing
from plimsoll.tensorflow._dtypes import (  # noqa: F401
    DType, as_dtype, bfloat16, bool, complex64, complex128, double, float16, float32, float64, half, int8,
    int16, int32, int64, string, uint8, uint16, uint32, uint64)
from plimsoll.tensorflow.math import cast, saturate_cast  # noqa: F401

_missing.told(globals())
