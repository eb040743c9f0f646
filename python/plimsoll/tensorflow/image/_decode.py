"""Image files to tensors and back."""
import struct
import zlib

import numpy as np

from plimsoll import _core
from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow._dtypes import as_dtype

_MODES = {1: "grayscale", 3: "rgb", 4: "rgba"}
_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_CHANNELS = {0: 1, 2: 3, 3: 3, 4: 1, 6: 4}


def _content(contents) -> bytes:
    found = np.asarray(contents).item() if hasattr(contents, "numpy") else contents
    if not isinstance(found, bytes):
        raise InvalidArgument("an image is decoded from the bytes of a file, as tf.io.read_file gives "
                              f"them; found {type(found).__name__}")
    return found


def _jpeg_frame(data: bytes) -> tuple:
    """(height, width, channels) of a JPEG file."""
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            at += 1
            continue
        kind = data[at + 1]
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            height, width, channels = struct.unpack(">HHB", data[at + 5:at + 10])
            return height, width, channels
        if kind in (0xFF, 0x01) or 0xD0 <= kind <= 0xD9:
            at += 1 if kind == 0xFF else 2
            continue
        at += 2 + struct.unpack(">H", data[at + 2:at + 4])[0]
    raise InvalidArgument("Trying to decode JPEG format using a damaged file")


def _own_channels(data: bytes) -> int:
    """The channels that the file has."""
    if data.startswith(_PNG) and len(data) > 25:
        return _PNG_CHANNELS.get(data[25], 3)
    if data.startswith(b"\xff\xd8"):
        return 1 if _jpeg_frame(data)[2] == 1 else 3
    if data.startswith(b"BM") and len(data) > 30:
        return 4 if struct.unpack("<H", data[28:30])[0] == 32 else 3
    return 3


def _pixels(data: bytes, channels) -> np.ndarray:
    channels = int(channels or 0) or _own_channels(data)
    if channels not in _MODES:
        raise InvalidArgument(f"channels must be 0, 1, 3 or 4, found {channels}")
    return np.asarray(_core.decode_image(data, _MODES[channels]))


def _of_dtype(pixels: np.ndarray, dtype):
    dtype = as_dtype(dtype)
    if dtype == "uint8":
        return _core.constant(pixels)
    if dtype.is_floating:
        return _core.constant(pixels.astype(np.float32) / 255)
    return _core.constant(pixels.astype(np.int32) * 257, dtype.name)


def decode_image(contents, channels=None, dtype="uint8", name=None, expand_animations=True):
    """The image of a file; of an animation the first picture, with an axis for pictures before it
    if expand_animations."""
    data = _content(contents)
    pixels = _pixels(data, channels)
    if expand_animations and data.startswith(b"GIF"):
        pixels = pixels[None]
    return _of_dtype(pixels, dtype)


def decode_jpeg(contents, channels=0, ratio=1, fancy_upscaling=True, try_recover_truncated=False,
                acceptable_fraction=1, dct_method="", name=None):
    found = _core.constant(_pixels(_content(contents), channels))
    return found if ratio == 1 else found[::int(ratio), ::int(ratio)]


def decode_png(contents, channels=0, dtype="uint8", name=None):
    return _of_dtype(_pixels(_content(contents), channels), dtype)


def decode_bmp(contents, channels=0, name=None):
    return _core.constant(_pixels(_content(contents), channels))


def decode_gif(contents, name=None):
    """(pictures, height, width, 3); the first picture is the only one."""
    return _core.constant(_pixels(_content(contents), 3)[None])


def decode_and_crop_jpeg(contents, crop_window, channels=0, **kwargs):
    top, left, height, width = (int(each) for each in np.asarray(crop_window))
    return decode_jpeg(contents, channels)[top:top + height, left:left + width]


def is_jpeg(contents, name=None):
    return _core.constant(_content(contents).startswith(b"\xff\xd8\xff"))


def extract_jpeg_shape(contents, output_type="int32", name=None):
    return _core.constant(list(_jpeg_frame(_content(contents))), as_dtype(output_type).name)


def _array(image) -> np.ndarray:
    array = np.asarray(image)
    return array[..., None] if array.ndim == 2 else array


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def encode_png(image, compression=-1, name=None):
    """The bytes of a PNG file."""
    array = _array(image).astype(np.uint8)
    height, width, channels = array.shape
    kind = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    rows = np.concatenate([np.zeros((height, 1), np.uint8), array.reshape(height, -1)], 1)
    head = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    data = zlib.compress(rows.tobytes(), int(compression))
    return _core.constant(_PNG + _chunk(b"IHDR", head) + _chunk(b"IDAT", data) + _chunk(b"IEND", b""))


def encode_jpeg(image, format="", quality=95, **kwargs):
    """The bytes of a JPEG file."""
    array = np.ascontiguousarray(_array(image), np.uint8)
    if format == "grayscale" and array.shape[-1] != 1 or format == "rgb" and array.shape[-1] != 3:
        raise InvalidArgument(f"the format '{format}' does not fit an image with {array.shape[-1]} "
                              "channels")
    return _core.constant(_core.encode_jpeg(array, int(quality)))
