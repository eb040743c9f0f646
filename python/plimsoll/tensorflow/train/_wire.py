"""The wire format of protocol buffers: fields of varints, numbers and byte strings."""
import struct

from plimsoll.errors import InvalidArgument

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


def varint(value: int) -> bytes:
    """Seven bits per byte, the lowest first; negative numbers take ten bytes."""
    value &= 2**64 - 1
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


def number_field(number: int, value: int) -> bytes:
    return varint(number << 3 | VARINT) + varint(value)


def bytes_field(number: int, data: bytes) -> bytes:
    return varint(number << 3 | BYTES) + varint(len(data)) + data


def read_varint(data: bytes, at: int) -> tuple:
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise InvalidArgument("a message is cut off, or is not a protocol buffer")
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def signed(value: int) -> int:
    """A varint as the signed number of 64 bits that it stands for."""
    value &= 2**64 - 1
    return value - 2**64 if value >= 2**63 else value


def fields(data: bytes):
    """(number, kind, value) of each field; values of fixed size are bytes."""
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        kind = key & 7
        if kind == VARINT:
            value, at = read_varint(data, at)
        else:
            value, at = _bytes_at(data, at, kind)
        yield key >> 3, kind, value


def _bytes_at(data: bytes, at: int, kind: int) -> tuple:
    if kind == BYTES:
        size, at = read_varint(data, at)
    elif kind in (FIXED64, FIXED32):
        size = 8 if kind == FIXED64 else 4
    else:
        raise InvalidArgument(f"a message has a field of the unknown kind {kind}")
    if at + size > len(data):
        raise InvalidArgument("a message is cut off")
    return data[at:at + size], at + size


def varints(data: bytes) -> list:
    """Packed signed numbers."""
    found, at = [], 0
    while at < len(data):
        value, at = read_varint(data, at)
        found.append(signed(value))
    return found


def floats(data: bytes) -> list:
    return list(struct.unpack(f"<{len(data) // 4}f", data[:len(data) // 4 * 4]))
