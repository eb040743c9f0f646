"""The file of cache(filename): elements one after the other, written whole or not at all.

PLIMSOLL CACHE 1\\n
length and JSON          the structure of an element, each leaf as the number of its place
for each element: length and bytes of each leaf, as .npy or as JSON for texts
length 0                 the end, without which the file is not complete
"""

import base64
import io
import json
import os
import struct

import numpy as np

from plimsoll.errors import CorruptFile, InvalidArgument
from plimsoll.tensorflow.data._structure import flatten, pack

_MAGIC = b"PLIMSOLL CACHE 1\n"
_LENGTH = struct.Struct("<Q")


class CacheFile:
    def __init__(self, filename: str):
        self._name = os.fspath(filename) + ".plimsoll"

    def is_complete(self) -> bool:
        return os.path.exists(self._name)

    def written(self, elements):
        """Gives the elements on and writes them; the file is there once all are written."""
        part = f"{self._name}.{os.getpid()}.part"
        try:
            with open(part, "wb") as file:
                file.write(_MAGIC)
                first = True
                for element in elements:
                    if first:
                        _put(file, json.dumps(_described(element)).encode())
                        first = False
                    for leaf in flatten(element):
                        _put(file, _to_bytes(leaf))
                    yield element
                file.write(_LENGTH.pack(0))
            os.replace(part, self._name)
        finally:
            if os.path.exists(part):
                os.remove(part)

    def read(self):
        with open(self._name, "rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                raise CorruptFile(
                    f"{self._name}: not a cache of Plimsoll; remove it to make it anew"
                )
            described = self._take(file)
            if described is None:
                return
            like = _structure(json.loads(described))
            count = len(flatten(like))
            while (first := self._take(file)) is not None:
                leaves = [first, *(self._take(file) for _ in range(count - 1))]
                yield pack(like, [self._leaf(leaf) for leaf in leaves])

    def _take(self, file) -> bytes | None:
        """The next length and bytes; None at the end."""
        head = file.read(_LENGTH.size)
        length = _LENGTH.unpack(head)[0] if len(head) == _LENGTH.size else -1
        if length == 0:
            return None
        left = os.fstat(file.fileno()).st_size - file.tell()
        if length < 0 or length > left:
            raise CorruptFile(f"{self._name}: the file is cut off; remove it to make it anew")
        return file.read(length)

    def _leaf(self, data: bytes | None) -> np.ndarray:
        if data is None:
            raise CorruptFile(
                f"{self._name}: an element is cut off; remove the file to make it anew"
            )
        if data[:1] == b"{":
            texts = json.loads(data)
            array = np.empty(len(texts["values"]), object)
            array[:] = [base64.b64decode(text) for text in texts["values"]]
            return array.reshape(texts["shape"])
        return np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)


def _put(file, data: bytes) -> None:
    file.write(_LENGTH.pack(len(data)))
    file.write(data)


def _to_bytes(leaf) -> bytes:
    if not isinstance(leaf, np.ndarray):
        raise InvalidArgument(f"cache: elements that hold {type(leaf).__name__} cannot be written")
    if leaf.dtype == object:
        values = [base64.b64encode(text).decode() for text in leaf.ravel()]
        return json.dumps({"shape": leaf.shape, "values": values}).encode()
    data = io.BytesIO()
    np.lib.format.write_array(data, leaf, allow_pickle=False)
    return data.getvalue()


def _described(element):
    """The structure as JSON. A named tuple is read back as a tuple."""
    if isinstance(element, tuple):
        return {"tuple": [_described(item) for item in element]}
    if hasattr(element, "keys"):
        return {"dict": [[key, _described(element[key])] for key in element]}
    return 0


def _structure(described):
    if described == 0:
        return 0
    if "tuple" in described:
        return tuple(_structure(item) for item in described["tuple"])
    return {key: _structure(item) for key, item in described["dict"]}
