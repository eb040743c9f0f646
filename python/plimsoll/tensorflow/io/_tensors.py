"""Tensors as bytes, numbers in bytes and in lines of text."""
import base64
import csv
import gzip
import zlib

import numpy as np

from plimsoll import _core
from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow._dtypes import DType, as_dtype
from plimsoll.tensorflow.train import _wire

# The numbers of element types in TensorFlow's messages.
_TYPES = {"float32": 1, "float64": 2, "int32": 3, "uint8": 4, "int16": 5, "int8": 6, "string": 7,
          "int64": 9, "bool": 10, "uint16": 17, "float16": 19, "uint32": 22, "uint64": 23}
_NAMES = {number: name for name, number in _TYPES.items()}


def _one(text) -> bytes:
    found = np.asarray(text).item() if hasattr(text, "numpy") else text
    return found.encode() if isinstance(found, str) else found


def _each(texts, function, dtype=object):
    array = np.asarray(_core.constant(texts))
    found = np.empty(array.shape, dtype)
    for place, text in enumerate(array.ravel()):
        found.flat[place] = function(text)
    return _core.constant(found)


def serialize_tensor(tensor, name=None):
    """The bytes of TensorFlow's message of a tensor."""
    tensor = _core.constant(tensor)
    array = np.asarray(tensor)
    sizes = b"".join(_wire.bytes_field(2, _wire.number_field(1, size)) for size in array.shape)
    head = _wire.number_field(1, _TYPES[tensor.dtype.name]) + _wire.bytes_field(2, sizes)
    if tensor.dtype == "string":
        return _core.constant(head + b"".join(_wire.bytes_field(8, text) for text in array.ravel()))
    return _core.constant(head + _wire.bytes_field(4, np.ascontiguousarray(array).tobytes()))


def parse_tensor(serialized, out_type, name=None):
    """The tensor of such bytes."""
    dtype, sizes, content, texts = as_dtype(out_type), [], b"", []
    for number, _, value in _wire.fields(_one(serialized)):
        if number == 1 and _NAMES.get(value) != dtype.name:
            raise InvalidArgument(f"Type mismatch between parsed tensor ({_NAMES.get(value)}) and dtype "
                                  f"({dtype.name})")
        if number == 2:
            sizes = [dict((n, v) for n, _, v in _wire.fields(part)).get(1, 0)
                     for n, _, part in _wire.fields(value) if n == 2]
        elif number == 4:
            content = value
        elif number == 8:
            texts.append(bytes(value))
        elif number not in (1, 3):
            raise InvalidArgument("the tensor's values are not in one block; write it with "
                                  "tf.io.serialize_tensor")
    if dtype == "string":
        return _core.constant(np.array(texts, object).reshape(sizes))
    return _core.constant(np.frombuffer(content, dtype.as_numpy_dtype).reshape(sizes), dtype.name)


def decode_raw(input_bytes, out_type, little_endian=True, fixed_length=None, name=None):
    """The numbers whose bytes a text has."""
    array = np.asarray(_core.constant(input_bytes))
    kind = np.dtype(as_dtype(out_type).as_numpy_dtype).newbyteorder("<" if little_endian else ">")
    rows = [np.frombuffer(text[:fixed_length], kind) for text in array.ravel()]
    return _core.constant(np.stack(rows).reshape(*array.shape, -1), as_dtype(out_type).name)


def decode_csv(records, record_defaults, field_delim=",", use_quote_delim=True, na_value="",
               select_cols=None, name=None) -> list:
    """The columns of lines; an empty cell has its column's default."""
    array = np.asarray(_core.constant(records))
    quoting = csv.QUOTE_MINIMAL if use_quote_delim else csv.QUOTE_NONE
    lines = [text.decode(errors="surrogateescape") for text in array.ravel()]
    rows = list(csv.reader(lines, delimiter=field_delim, quoting=quoting))
    chosen = range(len(record_defaults)) if select_cols is None else select_cols
    for row in rows:
        if select_cols is None and len(row) != len(record_defaults):
            raise InvalidArgument(f"Expect {len(record_defaults)} fields but have {len(row)} in record")
    return [_column([row[i] for row in rows], default, na_value, array.shape)
            for i, default in zip(chosen, record_defaults)]


def _column(cells: list, default, missing: str, shape: tuple):
    # A type stands for a column without a default.
    required = isinstance(default, (DType, type))
    dtype = as_dtype(default) if required else _core.constant(default).dtype
    fill = None if required or not np.size(np.asarray(default)) else np.asarray(
        _core.constant(default)).ravel()[0]
    found = np.empty(len(cells), object)
    for place, cell in enumerate(cells):
        if cell == missing or not cell:
            if fill is None:
                raise InvalidArgument(f"Field {place} is required but missing in record!")
            found[place] = fill
        else:
            found[place] = _cell(cell, dtype)
    numbers = found if dtype == "string" else found.astype(dtype.as_numpy_dtype)
    return _core.constant(numbers.reshape(shape), dtype.name)


def _cell(cell: str, dtype):
    if dtype == "string":
        return cell.encode(errors="surrogateescape")
    try:
        return int(cell) if dtype.is_integer else float(cell)
    except ValueError:
        raise InvalidArgument(f"Field is not a valid {dtype.name}: {cell}") from None


def encode_base64(input, pad=False, name=None):
    def encode(text: bytes) -> bytes:
        found = base64.urlsafe_b64encode(text)
        return found if pad else found.rstrip(b"=")
    return _each(input, encode)


def decode_base64(input, name=None):
    return _each(input, lambda text: base64.urlsafe_b64decode(text + b"=" * (-len(text) % 4)))


def decode_compressed(bytes, compression_type="", name=None):
    unpack = {"": lambda data: data, "GZIP": gzip.decompress, "ZLIB": zlib.decompress}
    if compression_type not in unpack:
        raise InvalidArgument(f"compression_type must be '', 'GZIP' or 'ZLIB', found "
                              f"{compression_type!r}")
    return _each(bytes, unpack[compression_type])


def decode_json_example(*args, **kwargs):
    raise NotImplementedError("tf.io.decode_json_example is not here; build a tf.train.Example of the "
                              "parsed JSON")
