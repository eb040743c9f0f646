"""Makes fuzz/corpus/safetensors_fuzz by the format's own library (pip install safetensors)."""

import pathlib

import ml_dtypes
import numpy as np
from safetensors.numpy import save_file

reals = {"F64": "f8", "F32": "f4", "F16": "f2", "BF16": ml_dtypes.bfloat16}
signed = {"I64": "i8", "I32": "i4", "I16": "i2", "I8": "i1"}
unsigned = {"U64": "u8", "U32": "u4", "U16": "u2", "U8": "u1"}
tensors = {name: np.array([1.5, -2, 0, 96], dtype) for name, dtype in reals.items()}
tensors |= {name: np.array([1, -2, 0, 96], dtype) for name, dtype in signed.items()}
tensors |= {name: np.array([1, 2, 0, 96], dtype) for name, dtype in unsigned.items()}
tensors["BOOL"] = np.array([True, False])

folder = pathlib.Path(__file__).parent / "corpus" / "safetensors_fuzz"
folder.mkdir(parents=True, exist_ok=True)
save_file(tensors, folder / "types.safetensors", metadata={"format": "np"})
