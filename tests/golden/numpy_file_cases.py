"""NumPy's files: their bytes, and the numbers that are in them."""

import io

import numpy as np

from golden_file import Case, generator


def file_tensor(save, *arguments, **arrays):
    file = io.BytesIO()
    save(file, *arguments, **arrays)
    return np.frombuffer(file.getvalue(), np.uint8).astype(np.int32)


def values(name, dtype, *shape):
    rng = generator(name)
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if kind == "f":
        return rng.standard_normal(shape).astype(dtype)
    return rng.integers(0 if kind == "u" else -100, 100, shape).astype(dtype)


def npy_case(name, array, version=None):
    case = Case(name, {"dtype": array.dtype.str})
    case.add("file", file_tensor(lambda f, a: np.lib.format.write_array(f, a, version), array))
    case.add("array", array)
    return case


def npz_case(name, save, **arrays):
    case = Case(name, {"names": list(arrays)})
    case.add("file", file_tensor(save, **arrays))
    for key, array in arrays.items():
        case.add(key, array)
    return case


def cases():
    for dtype in ["<f2", "<f4", "<f8", "<i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "|b1"]:
        yield npy_case(f"npy_{dtype[1:]}", values(dtype, dtype, 4, 3))
    for dtype in [">f2", ">f4", ">f8", ">i2", ">i4", ">i8", ">u4"]:
        yield npy_case(f"npy_big_{dtype[1:]}", values(dtype, dtype, 4, 3))
    yield npy_case("npy_version_2", values("version_2", "<f4", 2, 3), (2, 0))
    yield npy_case("npy_version_3", values("version_3", "<f4", 2, 3), (3, 0))
    yield npy_case("npy_scalar", np.float32(2.5).reshape(()))
    yield npy_case("npy_vector", values("vector", "<f4", 5))
    yield npy_case("npy_empty", values("empty", "<f4", 0, 3))
    yield npy_case("npy_fortran", np.asfortranarray(values("fortran", "<f4", 4, 3)))
    yield npy_case("npy_fortran_3d", np.asfortranarray(values("fortran_3d", "<i2", 3, 2, 4)))
    x, y = values("x", "<f4", 6, 2), values("y", "<i8", 6)
    yield npz_case("npz_stored", np.savez, x=x, y=y)
    yield npz_case("npz_compressed", np.savez_compressed, x=x, y=y)
