"""Pickles of data sets, of which only arrays, numbers, texts, lists and dictionaries are read."""

import io
import pickle
import zipfile

import numpy as np

from plimsoll.errors import CorruptFile

_ARRAY_PARTS = {
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    ("numpy.core.multiarray", "_reconstruct"): np.zeros(0).__reduce__()[0],
    ("numpy._core.multiarray", "_reconstruct"): np.zeros(0).__reduce__()[0],
}


class _ArraysOnly(pickle.Unpickler):
    """An unpickler that knows the parts of NumPy arrays and no other class or function."""

    def find_class(self, module, name):
        try:
            return _ARRAY_PARTS[module, name]
        except KeyError:
            raise pickle.UnpicklingError(
                f"it would run {module}.{name}, which no data set does"
            ) from None


def load_pickle(file, path, encoding="ASCII"):
    """One pickled object of an open file; `path` names the file in errors."""
    try:
        return _ArraysOnly(file, encoding=encoding).load()
    except Exception as error:
        # A damaged pickle can raise almost anything.
        raise CorruptFile(f"{path}: the pickle in it is not read: {error}") from None


def load_npz(path) -> dict:
    """The arrays of a .npz file by their names, also arrays of lists."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.endswith(".npy")]
            return {n.removesuffix(".npy"): _load_npy(archive.read(n), path) for n in names}
    except (zipfile.BadZipFile, EOFError) as error:
        raise CorruptFile(f"{path}: it is not a whole .npz file: {error}") from None


def _load_npy(data: bytes, path):
    file = io.BytesIO(data)
    try:
        version = np.lib.format.read_magic(file)
        # Version 3 differs from 2 only in the encoding of names of fields.
        header = np.lib.format.read_array_header_1_0
        if version[0] > 1:
            header = np.lib.format.read_array_header_2_0
        shape, _, dtype = header(file)
        if dtype.hasobject:
            return load_pickle(file, path).reshape(shape)
        return np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
    except ValueError as error:
        raise CorruptFile(f"{path}: an array in it is not whole: {error}") from None
