"""Images: the bytes of small files, and what TensorFlow (and so Keras) makes of them."""

import struct
import zlib

import numpy as np
import tensorflow as tf

from golden_file import Case, generator

GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA = 0, 2, 3, 4, 6
SAMPLES = {GRAY: 1, RGB: 3, PALETTE: 1, GRAY_ALPHA: 2, RGBA: 4}

# Adam7: first row, first column, step of rows, step of columns.
PASSES = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def packed_rows(values, depth):
    """Each row after its filter byte 0, with `depth` bits per sample."""
    rows = b""
    for row in values.reshape(values.shape[0], -1):
        if depth == 16:
            rows += b"\0" + row.astype(">u2").tobytes()
        elif depth == 8:
            rows += b"\0" + row.astype(np.uint8).tobytes()
        else:
            bits = np.unpackbits(row.astype(np.uint8)[:, None], axis=1)[:, 8 - depth :]
            rows += b"\0" + np.packbits(bits.ravel()).tobytes()
    return rows


def png(values, color, depth, *, palette=None, transparency=None, interlaced=False):
    """TensorFlow writes few kinds of PNG and reads them all, so this writes the others."""
    height, width = values.shape[:2]
    parts = [values[y::dy, x::dx] for y, x, dy, dx in PASSES] if interlaced else [values]
    data = b"".join(packed_rows(part, depth) for part in parts if part.size)
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, int(interlaced))
    chunks = [chunk(b"IHDR", header)]
    if palette is not None:
        chunks.append(chunk(b"PLTE", palette.astype(np.uint8).tobytes()))
    if transparency is not None:
        chunks.append(chunk(b"tRNS", transparency))
    # Level 0 gives the same bytes with every zlib.
    chunks += [chunk(b"IDAT", zlib.compress(data, 0)), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def png_files():
    def values(name, color, depth, height=5, width=7):
        return generator(name).integers(0, 1 << depth, (height, width, SAMPLES[color]))

    palette = generator("palette").integers(0, 256, (4, 3))
    for name, color, depth in [
        ("gray_1bit", GRAY, 1),
        ("gray_2bit", GRAY, 2),
        ("gray_4bit", GRAY, 4),
        ("gray_8bit", GRAY, 8),
        ("gray_16bit", GRAY, 16),
        ("rgb_8bit", RGB, 8),
        ("rgb_16bit", RGB, 16),
        ("gray_alpha", GRAY_ALPHA, 8),
        ("rgba_8bit", RGBA, 8),
        ("rgba_16bit", RGBA, 16),
    ]:
        yield f"png_{name}", png(values(name, color, depth), color, depth)
    indices = values("palette_2bit", PALETTE, 2)
    yield "png_palette", png(indices, PALETTE, 2, palette=palette)
    yield "png_palette_transparent", png(indices, PALETTE, 2, palette=palette, transparency=b"\0\x80")
    gray = values("gray_transparent", GRAY, 2)
    yield "png_gray_transparent", png(gray, GRAY, 2, transparency=struct.pack(">H", 1))
    rgb = values("rgb_transparent", RGB, 8)
    yield "png_rgb_transparent", png(rgb, RGB, 8, transparency=struct.pack(">3H", *rgb[2, 3]))
    yield "png_interlaced", png(values("interlaced", RGB, 8, 9, 11), RGB, 8, interlaced=True)


def jpeg_files():
    y, x = np.mgrid[0:13, 0:17]
    smooth = np.stack([255 * x / 16, 255 * y / 12, 127 + 120 * np.sin(x * y / 20)], axis=-1).astype(np.uint8)
    yield "jpeg_rgb", tf.io.encode_jpeg(smooth, quality=90).numpy()
    yield "jpeg_progressive", tf.io.encode_jpeg(smooth, quality=80, progressive=True).numpy()
    yield "jpeg_full_chroma", tf.io.encode_jpeg(smooth, quality=95, chroma_downsampling=False).numpy()
    yield "jpeg_whole_blocks", tf.io.encode_jpeg(np.repeat(np.repeat(smooth[:4, :4], 4, 0), 4, 1), quality=95).numpy()
    yield "jpeg_gray", tf.io.encode_jpeg(smooth[:, :, :1], format="grayscale", quality=90).numpy()


def bytes_tensor(file):
    return np.frombuffer(file, np.uint8).astype(np.int32)


def image_case(name, file):
    case = Case(name)
    case.add("file", bytes_tensor(file))
    for mode, channels in [("grayscale", 1), ("rgb", 3), ("rgba", 4)]:
        if channels == 4 and name.startswith("jpeg"):
            continue  # TensorFlow refuses
        image = tf.io.decode_image(file, channels=channels, expand_animations=False)
        case.add(mode, image)
    return case


def cases():
    for name, file in [*png_files(), *jpeg_files()]:
        yield image_case(name, file)
