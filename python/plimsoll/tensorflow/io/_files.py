"""Whole files, and files of records."""
import glob
import gzip
import os
import pathlib
import struct
import zlib

import numpy as np

from plimsoll import _core
from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow.errors import NotFoundError


def path_of(name) -> str:
    """A file's name, which may be a tensor."""
    found = np.asarray(name).item() if hasattr(name, "numpy") else name
    return os.fsdecode(found)


def read_file(filename, name=None):
    """The bytes of a file, as one text."""
    path = path_of(filename)
    try:
        return _core.constant(pathlib.Path(path).read_bytes())
    except FileNotFoundError:
        raise NotFoundError(f"{path}; No such file or directory") from None


def write_file(filename, contents, name=None) -> None:
    """Writes a text; folders on the way are made."""
    path = pathlib.Path(path_of(filename))
    path.parent.mkdir(parents=True, exist_ok=True)
    data = contents.numpy() if hasattr(contents, "numpy") else contents
    path.write_bytes(data.encode() if isinstance(data, str) else data)


def matching_files(pattern, name=None):
    patterns = np.atleast_1d(np.asarray(pattern if hasattr(pattern, "numpy") else pattern)).ravel()
    found = sorted(name for each in patterns for name in glob.glob(path_of(each)))
    return _core.constant(np.array([name.encode() for name in found], object))


class TFRecordOptions:
    """How a file of records is compressed."""

    def __init__(self, compression_type="", **kwargs):
        self.compression_type = compression_type or ""


class TFRecordWriter:
    """Writes records that tf.data.TFRecordDataset reads, here and in TensorFlow."""

    def __init__(self, path, options=None):
        kind = getattr(options, "compression_type", options) or ""
        if kind not in ("", "GZIP", "ZLIB"):
            raise InvalidArgument(f"compression_type must be '', 'GZIP' or 'ZLIB', found {kind!r}")
        name = path_of(path)
        self._file = gzip.open(name, "wb") if kind == "GZIP" else open(name, "wb")
        self._deflate = zlib.compressobj() if kind == "ZLIB" else None

    def write(self, record) -> None:
        record = record.numpy() if hasattr(record, "numpy") else record
        record = record.encode() if isinstance(record, str) else bytes(record)
        size = struct.pack("<Q", len(record))
        data = (size + struct.pack("<I", _core.masked_crc(size)) + record
                + struct.pack("<I", _core.masked_crc(record)))
        self._file.write(self._deflate.compress(data) if self._deflate else data)

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        if self._file.closed:
            return
        if self._deflate:
            self._file.write(self._deflate.flush())
        self._file.close()

    def __enter__(self) -> "TFRecordWriter":
        return self

    def __exit__(self, *error) -> None:
        self.close()
