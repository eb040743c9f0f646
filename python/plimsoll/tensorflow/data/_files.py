"""Stages that read files: lines of text and TFRecords."""

import gzip
import io
import struct
import zlib

from plimsoll import _core
from plimsoll.errors import CorruptFile, InvalidArgument
from plimsoll.tensorflow._dtypes import string
from plimsoll.tensorflow._specs import TensorSpec
from plimsoll.tensorflow.data._stage import Stage
from plimsoll.tensorflow.data._values import to_array
from plimsoll.tensorflow.errors import NotFoundError


class _Inflated(io.RawIOBase):
    """The bytes of a file that was compressed by zlib."""

    def __init__(self, path: str):
        self._file = open(path, "rb")
        self._inflate = zlib.decompressobj()
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        while not self._left:
            data = self._file.read(1 << 16)
            self._left = self._inflate.decompress(data) if data else self._inflate.flush()
            if not data:
                break
        given = self._left[: len(buffer)]
        buffer[: len(given)] = given
        self._left = self._left[len(given) :]
        return len(given)

    def close(self) -> None:
        self._file.close()
        super().close()


def opened(path: str, compression: str):
    """The file, to be read as it was before it was compressed."""
    try:
        return _opened(path, compression)
    except FileNotFoundError:
        raise NotFoundError(f"{path}: No such file or directory") from None


def _opened(path: str, compression: str):
    if compression == "GZIP":
        return gzip.open(path, "rb")
    if compression == "ZLIB":
        return io.BufferedReader(_Inflated(path))
    if compression:
        raise InvalidArgument(
            f"compression_type must be '', 'GZIP' or 'ZLIB', found {compression!r}"
        )
    return open(path, "rb", buffering=1 << 18)


class FilesStage(Stage):
    """The records of files. `names` is a stage of file names, or a list of them."""

    works = True

    def __init__(self, names, read):
        super().__init__(*([names] if isinstance(names, Stage) else []))
        self._names, self._read = names, read

    def spec(self):
        return TensorSpec((), string)

    def sequence(self):
        names = self._names
        if isinstance(names, Stage):
            names = (path for element in names.open() for path in element.ravel())
        for name in names:
            for record in self._read(name.decode() if isinstance(name, bytes) else name):
                yield to_array(record)


def file_names(filenames):
    """What a reader is given: a name, a list, a tensor of names, or a data set of them."""
    if hasattr(filenames, "_stage"):
        return filenames._stage
    if hasattr(filenames, "__fspath__"):
        filenames = str(filenames)
    elif isinstance(filenames, (list, tuple)):
        filenames = [str(n) if hasattr(n, "__fspath__") else n for n in filenames]
    return [name for name in to_array(filenames).ravel()]


def lines(path: str, compression: str):
    with opened(path, compression) as file:
        for line in file:
            yield line.rstrip(b"\n").removesuffix(b"\r")


_HEAD = struct.Struct("<QI")


def tf_records(path: str, compression: str):
    """The payloads of a TFRecord file, whose checksums are looked at."""
    with opened(path, compression) as file:
        number = 0
        while head := file.read(_HEAD.size):
            payload = None
            if len(head) == _HEAD.size:
                length, checksum = _HEAD.unpack(head)
                if _core.masked_crc(head[:8]) != checksum:
                    raise CorruptFile(f"{path}: record {number} has a damaged length")
                payload = file.read(length + 4)
            if payload is None or len(payload) < length + 4:
                raise CorruptFile(f"{path}: record {number} is cut off")
            if _core.masked_crc(payload[:-4]) != int.from_bytes(payload[-4:], "little"):
                raise CorruptFile(f"{path}: record {number} is damaged")
            yield payload[:-4]
            number += 1
