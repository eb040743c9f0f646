"""BMP, GIF and WebP files. TensorFlow reads some in some colours; the rest is what the file was made of."""

import base64
import struct

import numpy as np
import tensorflow as tf

from golden_file import Case, generator
from image_cases import bytes_tensor

# TensorFlow has no encoder.
WEBP = {
    "lossy": "UklGRpIAAABXRUJQVlA4IIYAAAAQBQCdASoRAA0APrVKnkmnJCKhMAgA4BaJbACdMoRwN4BTAdQC3/wHjvbRpsux7ZEAAP7zN7Bp/0Uw"
    "o8qmZ2VUtxtv1H/36iybX/P/IRwuxPziH4UFWtFgA6VGaaM9vmCQ6MaxHVLuzfyII8kH8m93e8HYqHnJJ+HHYKMKGb8gOtNevAAAAA==",
    "lossy_alpha": "UklGRrwAAABXRUJQVlA4WAoAAAAQAAAAEAAADAAAQUxQSBEAAAAFINK2mX/Bo4OHpxExATlzBQBWUDgghAAAABAFAJ0BKhEA"
    "DQA+tUqfSickIqGwCADgFolsAJ0yhHA3ktMB1ALf/AeO9tGmy7HrswAA/vM3sGn/RTCjyqZnZVS3G2/Uf/fqX27f8/8hHC7E/OIfhQVa0WAD"
    "uUctRbpk6mVVG82fZUoqSuSD+Qr+fWv/U3mvqF2Kh5qF2CCsNC6zT2gAAA==",
    "lossless": "UklGRkIAAABXRUJQVlA4TDYAAAAvBgABALkyRPQ/dhHR/wBBtk1R5q/5QwwIQbZNUYZ29KOEwrRtmOz2FAYIAggAKDbuwQk8TgA=",
    "lossless_alpha": "UklGRkQAAABXRUJQVlA4TDcAAAAvBgABELkyRPQ/dhHR/1AgaNs2hXL+NE/CfwaEINumKEM7+lEEAkn+lG+Ss1lGMYEOyG0u"
    "79MLAA==",
}


def gray(rgb):
    """ITU-R 601 in parts of 65536, rounded."""
    red, green, blue = np.moveaxis(rgb.astype(np.int64), -1, 0)
    return ((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16)[..., None]


def made_of(name, file, rgb, alpha=None):
    case = Case(name)
    case.add("file", bytes_tensor(file))
    alpha = np.full(rgb.shape[:2], 255) if alpha is None else alpha
    case.add_all({"grayscale": gray(rgb), "rgb": rgb, "rgba": np.concatenate([rgb, alpha[..., None]], axis=-1)})
    return case


def check_tensorflow(case, file, channels, mode):
    """What TensorFlow reads must be what the file was made of."""
    image = tf.io.decode_image(file, channels=channels, expand_animations=False).numpy()
    np.testing.assert_array_equal(image, case.tensors[mode], case.name)


def bmp(rows, size, bits, *, compression=0, palette=b"", header=40, masks=b"", top_down=False):
    """`rows` are the bytes as they are stored; `size` is height and width."""
    height, width = size
    begin = 14 + header + len(palette) + (len(masks) if header == 40 else 0)
    if header == 12:
        info = struct.pack("<IHHHH", 12, width, height, 1, bits)
    else:
        stored_height = -height if top_down else height
        info = struct.pack("<IiiHHIIiiII", header, width, stored_height, 1, bits, compression, len(rows), 0, 0, 0, 0)
        info += masks
        info += bytes(max(0, header - len(info)))
    return b"BM" + struct.pack("<IHHI", begin + len(rows), 0, 0, begin) + info + palette + rows


def padded(rows):
    """Each row up to a multiple of four bytes."""
    return b"".join(row + bytes(-len(row) % 4) for row in rows)


def packed(row, bits):
    return np.packbits(np.unpackbits(row.astype(np.uint8)[:, None], axis=1)[:, 8 - bits :].ravel()).tobytes()


def bmp_cases():
    size = (5, 7)
    rng = generator("bmp")
    rgb, alpha = rng.integers(0, 256, (*size, 3)), rng.integers(0, 256, size)
    bgr = np.flip(rgb, axis=-1).astype(np.uint8)
    upwards = [row.tobytes() for row in bgr[::-1]]
    file = bmp(padded(upwards), size, 24)
    case = made_of("bmp_24", file, rgb)
    check_tensorflow(case, file, 3, "rgb")
    yield case
    file = bmp(padded(upwards[::-1]), size, 24, top_down=True)
    case = made_of("bmp_24_top_down", file, rgb)
    check_tensorflow(case, file, 3, "rgb")
    yield case
    yield made_of("bmp_24_os2", bmp(padded(upwards), size, 24, header=12), rgb)
    bgra = np.concatenate([bgr, alpha[..., None].astype(np.uint8)], axis=-1)
    file = bmp(bgra[::-1].tobytes(), size, 32)
    case = made_of("bmp_32", file, rgb, alpha)
    check_tensorflow(case, file, 4, "rgba")
    yield case
    rgba = np.concatenate([rgb, alpha[..., None]], axis=-1).astype(np.uint8)
    masks = struct.pack("<4I", 0xFF, 0xFF00, 0xFF0000, 0xFF000000)
    yield made_of("bmp_32_masks", bmp(rgba[::-1].tobytes(), size, 32, compression=3, header=108, masks=masks), rgb, alpha)
    yield from few_bits(size, rng)
    yield from high_colour(size, rng)
    yield from runs()


def few_bits(size, rng):
    for bits in (1, 4, 8):
        colors = rng.integers(0, 256, (1 << bits, 3))
        indices = rng.integers(0, 1 << bits, size)
        palette = b"".join(bytes([blue, green, red, 0]) for red, green, blue in colors)
        rows = padded(packed(row, bits) for row in indices[::-1])
        yield made_of(f"bmp_{bits}", bmp(rows, size, bits, palette=palette), colors[indices])


def high_colour(size, rng):
    for name, counts, masks in [
        ("bmp_16", (5, 5, 5), b""),
        ("bmp_16_masks", (5, 6, 5), struct.pack("<3I", 0xF800, 0x07E0, 0x001F)),
    ]:
        parts = np.stack([rng.integers(0, 1 << bits, size) for bits in counts], axis=-1)
        pixels = (parts[..., 0] << (counts[1] + counts[2])) | (parts[..., 1] << counts[2]) | parts[..., 2]
        rows = padded(row.astype("<u2").tobytes() for row in pixels[::-1])
        file = bmp(rows, size, 16, compression=3 if masks else 0, masks=masks)
        yield made_of(name, file, parts * 255 // (2 ** np.array(counts) - 1))


def runs():
    """Three rows of six: a run and single pixels; a jump, so that two pixels are left out; a short row."""
    colors = generator("runs").integers(0, 256, (16, 3))
    palette = b"".join(bytes([blue, green, red, 0]) for red, green, blue in colors)
    upwards = [[5, 5, 5, 1, 2, 3], [7, 0, 0, 9, 9, 9], [4, 4, 0, 0, 0, 0]]
    rgb = colors[np.array(upwards[::-1])]
    eight = bytes([3, 5, 0, 3, 1, 2, 3, 0, 0, 0, 1, 7, 0, 2, 2, 0, 3, 9, 0, 0, 2, 4, 0, 1])
    yield made_of("bmp_runs_8", bmp(eight, (3, 6), 8, compression=1, palette=palette), rgb)
    four = bytes([3, 0x55, 0, 3, 0x12, 0x30, 0, 0, 1, 0x70, 0, 2, 2, 0, 3, 0x99, 0, 0, 2, 0x44, 0, 1])
    yield made_of("bmp_runs_4", bmp(four, (3, 6), 4, compression=2, palette=palette), rgb)


def lzw(indices, bits):
    """The codes of GIF, as a bit string; the table is cleared when it is full."""
    clear, output, text = 1 << bits, [], ()
    table, width = {}, bits + 1

    def start():
        nonlocal table, width
        table, width = {(i,): i for i in range(clear)}, bits + 1

    start()
    output.append((clear, width))
    following = clear + 2
    for index in indices:
        if text + (index,) in table:
            text += (index,)
            continue
        output.append((table[text], width))
        table[text + (index,)] = following
        if following == 1 << width and width < 12:
            width += 1
        following += 1
        if following == 4096:
            output.append((clear, width))
            start()
            following = clear + 2
        text = (index,)
    output += [(table[text], width), (clear + 1, width)]
    number = at = 0
    for code, size in output:
        number |= code << at
        at += size
    return number.to_bytes((at + 7) // 8, "little")


def gif(indices, colors, *, screen=None, place=(0, 0), interlaced=False, transparent=None, local=False):
    height, width = indices.shape
    screen = screen or (height, width)
    bits = max(2, int(np.log2(len(colors))))
    table = bytes(colors.astype(np.uint8).ravel())
    table_flags = 0x80 | (len(colors).bit_length() - 2)
    file = b"GIF89a" + struct.pack("<HHBBB", screen[1], screen[0], 0 if local else table_flags, 0, 0)
    file += b"" if local else table
    file += b"\x21\xfe\x05hello\x00"
    if transparent is not None:
        file += b"\x21\xf9\x04" + struct.pack("<BHB", 1, 0, transparent) + b"\x00"
    flags = (0x40 if interlaced else 0) | (table_flags if local else 0)
    file += b"\x2c" + struct.pack("<HHHHB", place[1], place[0], width, height, flags) + (table if local else b"")
    order = [y for first, step in ((0, 8), (4, 8), (2, 4), (1, 2)) for y in range(first, height, step)]
    rows = indices[order] if interlaced else indices
    data = lzw([int(i) for i in rows.ravel()], bits)
    blocks = b"".join(bytes([len(data[i : i + 255])]) + data[i : i + 255] for i in range(0, len(data), 255))
    return file + bytes([bits]) + blocks + b"\x00\x3b"


def gif_cases():
    def images(name, colors, *size):
        rng = generator(name)
        return rng.integers(0, colors, size), rng.integers(0, 256, (colors, 3))

    for name, colors, size, options in [
        ("gif_2_colors", 2, (5, 7), {}),
        ("gif_interlaced", 4, (11, 6), {"interlaced": True}),
        ("gif_local_colors", 16, (5, 7), {"local": True}),
        ("gif_full_table", 256, (80, 81), {}),
    ]:
        indices, table = images(name, colors, *size)
        file = gif(indices, table, **options)
        case = made_of(name, file, table[indices])
        check_tensorflow(case, file, 3, "rgb")
        if colors == 256:  # the other colours would say the same, at length
            del case.tensors["rgba"], case.tensors["grayscale"]
        yield case
    indices = np.repeat(np.arange(4), 9)[None, :].repeat(9, axis=0)
    table = generator("gif_runs").integers(0, 256, (4, 3))
    yield made_of("gif_runs", gif(indices, table), table[indices])

    indices, table = images("gif_transparent", 4, 5, 7)
    file = gif(indices, table, transparent=2)
    seen = indices != 2
    case = made_of("gif_transparent", file, table[indices] * seen[..., None], 255 * seen)
    check_tensorflow(case, file, 3, "rgb")
    yield case
    indices, table = images("gif_on_a_screen", 4, 3, 4)
    rgb, alpha = np.zeros((6, 7, 3), int), np.zeros((6, 7), int)
    rgb[2:5, 1:5], alpha[2:5, 1:5] = table[indices], 255
    yield made_of("gif_on_a_screen", gif(indices, table, screen=(6, 7), place=(2, 1)), rgb, alpha)


def webp_cases():
    for name, text in WEBP.items():
        file = base64.b64decode(text)
        image = tf.io.decode_image(file, channels=0, expand_animations=False).numpy()
        alpha = image[..., 3] if image.shape[-1] == 4 else None
        yield made_of(f"webp_{name}", file, image[..., :3], alpha)


def cases():
    yield from bmp_cases()
    yield from gif_cases()
    yield from webp_cases()
