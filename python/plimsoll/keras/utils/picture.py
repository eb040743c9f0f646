"""An image without Pillow: what scripts use of PIL.Image, over a NumPy array."""

import os
import struct
import zlib

import numpy as np

from plimsoll.keras.utils import resampling

_MODES = {1: "L", 3: "RGB", 4: "RGBA"}
_CHANNELS = {"L": 1, "RGB": 3, "RGBA": 4}


class Picture:
    """An image of bytes: shape (height, width) in mode L, else (height, width, channels)."""

    def __init__(self, pixels):
        pixels = np.ascontiguousarray(pixels, dtype="uint8")
        if pixels.ndim == 3 and pixels.shape[2] == 1:
            pixels = pixels[:, :, 0]
        channels = 1 if pixels.ndim == 2 else pixels.shape[2]
        if channels not in _MODES:
            raise ValueError(f"Unsupported channel number: {channels}")
        self._pixels = pixels
        self.mode = _MODES[channels]
        self.format = None

    @property
    def size(self):
        """(width, height), as PIL has it."""
        return self.width, self.height

    @property
    def width(self):
        return self._pixels.shape[1]

    @property
    def height(self):
        return self._pixels.shape[0]

    def __array__(self, dtype=None, copy=None):
        return np.array(self._pixels, dtype=dtype)

    def __repr__(self):
        return f"<plimsoll image mode={self.mode} size={self.width}x{self.height}>"

    def copy(self):
        return Picture(self._pixels.copy())

    def close(self):
        """For scripts that close the images of Pillow."""

    def getbands(self):
        return tuple(self.mode)

    def convert(self, mode):
        """The image in mode L, RGB or RGBA; luma has the weights of ITU-R 601, as in Pillow."""
        if mode not in _CHANNELS:
            raise ValueError(f"an image has the mode 'L', 'RGB' or 'RGBA', not '{mode}'")
        pixels = self._pixels
        if mode == self.mode:
            return self
        if self.mode == "L":
            pixels = np.repeat(pixels[:, :, None], 3, axis=2)
        if mode == "L":
            weights = np.array([19595, 38470, 7471], dtype="uint32")
            return Picture((pixels[:, :, :3] @ weights + 0x8000) >> 16)
        if mode == "RGB":
            return Picture(pixels[:, :, :3])
        opaque = np.full((*pixels.shape[:2], 1), 255, dtype="uint8")
        return Picture(np.concatenate([pixels, opaque], axis=2))

    def crop(self, box):
        """The part (left, top, right, bottom)."""
        left, top, right, bottom = box
        return Picture(self._pixels[top:bottom, left:right])

    def resize(self, size, interpolation="bicubic", box=None):
        """The image, or the part `box` of it, at a size of (width, height)."""
        part = self if box is None else self.crop(box)
        return Picture(resampling.resize(part._pixels, (size[1], size[0]), interpolation))

    def save(self, path, format=None, quality=75, **kwargs):
        """Writes a JPEG (of this quality), PNG, BMP, PPM or PGM file."""
        name = os.fspath(path) if not hasattr(path, "write") else ""
        kind = (format or os.path.splitext(name)[1][1:] or "png").lower()
        if kind not in _WRITERS:
            raise ValueError(
                f"images are written as jpg, png, bmp, ppm or pgm; for {kind}, install Pillow "
                "(pip install pillow)"
            )
        data = _WRITERS[kind](self._pixels, quality)
        if hasattr(path, "write"):
            path.write(data)
            return
        with open(path, "wb") as file:
            file.write(data)

    def _repr_png_(self):
        return png(self._pixels)


def png(pixels, quality=None) -> bytes:
    """The bytes of a PNG file."""
    height, width = pixels.shape[:2]
    kind = {1: 0, 3: 2, 4: 6}[1 if pixels.ndim == 2 else pixels.shape[2]]
    rows = pixels.reshape(height, -1)
    # Each row begins with its filter: none.
    data = np.concatenate([np.zeros((height, 1), "uint8"), rows], axis=1).tobytes()
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)),
        (b"IDAT", zlib.compress(data, 6)),
        (b"IEND", b""),
    ]
    chunks = (_chunk(name, content) for name, content in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _chunk(name: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(name + content)
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", checksum)


def _bmp(pixels, quality) -> bytes:
    pixels = np.repeat(pixels[:, :, None], 3, axis=2) if pixels.ndim == 2 else pixels[:, :, :3]
    height, width = pixels.shape[:2]
    row_bytes = (3 * width + 3) // 4 * 4
    rows = np.zeros((height, row_bytes), "uint8")
    # Rows go from the bottom up, channels from blue to red.
    rows[:, : 3 * width] = pixels[::-1, :, ::-1].reshape(height, -1)
    size = 54 + rows.size
    head = struct.pack("<2sIHHI", b"BM", size, 0, 0, 54)
    info = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, rows.size, 2835, 2835, 0, 0)
    return head + info + rows.tobytes()


def _pnm(pixels, quality) -> bytes:
    height, width = pixels.shape[:2]
    pixels = pixels if pixels.ndim == 2 else np.ascontiguousarray(pixels[:, :, :3])
    kind = "P5" if pixels.ndim == 2 else "P6"
    return f"{kind}\n{width} {height}\n255\n".encode() + pixels.tobytes()


def _jpeg(pixels, quality) -> bytes:
    from plimsoll import _core

    pixels = pixels[:, :, None] if pixels.ndim == 2 else pixels
    if pixels.shape[2] == 4:
        raise OSError("cannot write mode RGBA as JPEG; convert('RGB') it first")
    return _core.encode_jpeg(pixels, int(quality))


_WRITERS = {"jpg": _jpeg, "jpeg": _jpeg, "png": png, "bmp": _bmp, "ppm": _pnm, "pgm": _pnm}
