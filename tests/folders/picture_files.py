"""The bytes of image files that TensorFlow reads and does not write: JPEG with any subsampling, BMP, GIF."""

import struct

import numpy as np

ZIGZAG = sorted(((y, x) for y in range(8) for x in range(8)), key=lambda p: (sum(p), p[sum(p) % 2 == 0]))
DC_SYMBOLS = list(range(12))
AC_SYMBOLS = [0x00, 0xF0] + [run << 4 | size for run in range(16) for size in range(1, 11)]


class BitWriter:
    def __init__(self):
        self.bits = []

    def add(self, value, count):
        self.bits += [value >> i & 1 for i in reversed(range(count))]

    def bytes(self):
        padded = self.bits + [1] * (-len(self.bits) % 8)
        return np.packbits(padded).tobytes().replace(b"\xff", b"\xff\x00")


def cosine_transform(block):
    k = np.arange(8)
    basis = np.cos((2 * k[None, :] + 1) * k[:, None] * np.pi / 16) * np.where(k[:, None] == 0, np.sqrt(1 / 8), 0.5)
    return basis @ (block - 128.0) @ basis.T


def signed_bits(value):
    size = int(abs(value)).bit_length()
    return size, value if value >= 0 else value + (1 << size) - 1


def write_block(out, coefficients, last_dc):
    """The codes of a table that are all of one length are its symbols' places."""
    dc = int(coefficients[0])
    size, bits = signed_bits(dc - last_dc)
    out.add(DC_SYMBOLS.index(size), 4)
    out.add(bits, size)
    run = 0
    last = max((i for i in range(1, 64) if coefficients[i]), default=0)
    for value in map(int, coefficients[1 : last + 1]):
        if value == 0:
            run += 1
            continue
        while run > 15:
            out.add(AC_SYMBOLS.index(0xF0), 8)
            run -= 16
        size, bits = signed_bits(value)
        out.add(AC_SYMBOLS.index(run << 4 | size), 8)
        out.add(bits, size)
        run = 0
    if last < 63:
        out.add(AC_SYMBOLS.index(0x00), 8)
    return dc


def segment(marker, data):
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def huffman_table(number, symbols, length):
    counts = [len(symbols) if i == length else 0 for i in range(1, 17)]
    return segment(0xC4, bytes([number, *counts, *symbols]))


def ycbcr(rgb):
    r, g, b = np.moveaxis(rgb.astype(float), -1, 0)
    y = 0.299 * r + 0.587 * g + 0.114 * b
    return y, 128 + (b - y) / 1.772, 128 + (r - y) / 1.402


def planes_of(rgb, factors):
    """Each plane padded to whole units and averaged down to its share of them."""
    most_h, most_v = (max(f[i] for f in factors) for i in (0, 1))
    height, width = rgb.shape[:2]
    rows, columns = -(-height // (8 * most_v)), -(-width // (8 * most_h))
    padding = ((0, rows * 8 * most_v - height), (0, columns * 8 * most_h - width))
    planes = []
    for plane, (h, v) in zip(ycbcr(rgb), factors):
        whole = np.pad(plane, padding, mode="edge")
        planes.append(whole.reshape(rows * 8 * v, most_v // v, columns * 8 * h, most_h // h).mean(axis=(1, 3)))
    return planes, rows, columns


def jpeg(rgb, factors, step=6):
    """A baseline JPEG; `factors` are the horizontal and vertical ones of Y, Cb and Cr, `step` is the quantisation."""
    planes, rows, columns = planes_of(rgb, factors)
    out, last_dc = BitWriter(), [0, 0, 0]
    for row in range(rows):
        for column in range(columns):
            for i, (plane, (h, v)) in enumerate(zip(planes, factors)):
                for y in range(row * v, (row + 1) * v):
                    for x in range(column * h, (column + 1) * h):
                        block = cosine_transform(plane[8 * y : 8 * y + 8, 8 * x : 8 * x + 8])
                        quantised = np.rint(block / step)
                        last_dc[i] = write_block(out, [quantised[p] for p in ZIGZAG], last_dc[i])
    height, width = rgb.shape[:2]
    components = b"".join(bytes([i + 1, h << 4 | v, 0]) for i, (h, v) in enumerate(factors))
    return (
        b"\xff\xd8"
        + segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0")
        + segment(0xDB, bytes([0] + [step] * 64))
        + segment(0xC0, struct.pack(">BHHB", 8, height, width, 3) + components)
        + huffman_table(0x00, DC_SYMBOLS, 4)
        + huffman_table(0x10, AC_SYMBOLS, 8)
        + segment(0xDA, bytes([3, 1, 0, 2, 0, 3, 0, 0, 63, 0]))
        + out.bytes()
        + b"\xff\xd9"
    )


def bmp(pixels, top_down=False):
    """Of 1 (grey levels), 3 or 4 channels, from the bottom up unless told otherwise."""
    height, width, channels = pixels.shape
    order = [2, 1, 0, 3][:channels] if channels > 1 else [0]
    rows = pixels[:, :, order] if top_down else pixels[::-1, :, order]
    padding = b"\0" * (-width * channels % 4)
    data = b"".join(row.astype(np.uint8).tobytes() + padding for row in rows)
    palette = b"".join(bytes([i, i, i, 0]) for i in range(256)) if channels == 1 else b""
    start = 14 + 40 + len(palette)
    header = struct.pack("<IiiHHIIiiII", 40, width, -height if top_down else height, 1, channels * 8, 0, len(data),
                         2835, 2835, 256 if palette else 0, 0)  # fmt: skip
    return b"BM" + struct.pack("<IHHI", start + len(data), 0, 0, start) + header + palette + data


def gif_codes(indices):
    """LZW without compression: of 9 bits each, with a clear code before they would grow."""
    out = []
    for i, index in enumerate(indices):
        if i % 254 == 0:
            out.append(256)
        out.append(int(index))
    bits = np.array([code >> i & 1 for code in [*out, 257] for i in range(9)], np.uint8)
    return np.packbits(bits, bitorder="little").tobytes()


def gif_frame(indices):
    height, width = indices.shape
    data = gif_codes(indices.ravel())
    blocks = b"".join(bytes([len(part)]) + part for part in (data[i : i + 255] for i in range(0, len(data), 255)))
    return b"," + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\x08" + blocks + b"\0"


def gif(frames, palette):
    """`frames` are arrays of places in a palette of 256 colours."""
    height, width = frames[0].shape
    header = b"GIF89a" + struct.pack("<HHBBB", width, height, 0xF7, 0, 0) + palette.astype(np.uint8).tobytes()
    return header + b"".join(gif_frame(frame) for frame in frames) + b";"
