"""Fills a folder with small images of two classes, a share of them broken in one of thirteen ways.

    broken_images.py FOLDER COUNT SHARE [--seed N] [--side PIXELS]

FOLDER/dark and FOLDER/light get COUNT files together; round(COUNT * SHARE) of them are broken, each kind in turn. The
same arguments make the same bytes. Prints JSON: `good`, and `broken`, a list of `path`, `kind` and `reason` (Plimsoll's
word for it) in the order in which the program reads the files. Needs nothing but Python.
"""

import argparse
import json
import os
import random
import struct
import zlib


def png_chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(pixels, width, height):
    """`pixels`: rows of (red, green, blue)."""
    rows = b"".join(b"\0" + bytes(value for pixel in row for value in pixel) for row in pixels)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", header) + png_chunk(b"IDAT", zlib.compress(rows))
            + png_chunk(b"IEND", b""))


def bmp(pixels, width, height):
    padding = b"\0" * (-3 * width % 4)
    rows = b"".join(b"".join(bytes(pixel[::-1]) for pixel in row) + padding for row in reversed(pixels))
    return (b"BM" + struct.pack("<IHHI", 54 + len(rows), 0, 0, 54)
            + struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, len(rows), 2835, 2835, 0, 0) + rows)


def gif(pixels, width, height):
    """Gray. Each pixel is a code of 9 bits; the table is cleared before the codes would grow."""
    codes = []
    for place, pixel in enumerate(pixel for row in pixels for pixel in row):
        if place % 200 == 0:
            codes.append(256)
        codes.append(pixel[0])
    bits = sum(code << 9 * place for place, code in enumerate(codes + [257]))
    data = bits.to_bytes((9 * len(codes) + 9 + 7) // 8, "little")
    blocks = b"".join(bytes([len(data[at:at + 255])]) + data[at:at + 255] for at in range(0, len(data), 255))
    palette = bytes(value for gray in range(256) for value in (gray, gray, gray))
    return (b"GIF89a" + struct.pack("<HHBBB", width, height, 0xF7, 0, 0) + palette
            + b"," + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\x08" + blocks + b"\0;")


# The codes of JPEG's usual table for differences of brightness: (bits, code) of 0 to 11 digits.
DC_CODES = [(2, 0), (3, 2), (3, 3), (3, 4), (3, 5), (3, 6), (4, 14), (5, 30), (6, 62), (7, 126), (8, 254), (9, 510)]


def jpeg(pixels, width, height):
    """Blocks of 8 x 8 pixels of one colour each: that of their first pixel."""
    bits, previous = [], [0, 0, 0]
    for top in range(0, height, 8):
        for left in range(0, width, 8):
            red, green, blue = pixels[top][left]
            luma = 0.299 * red + 0.587 * green + 0.114 * blue
            for channel, value in enumerate((luma - 128, 0.564 * (blue - luma), 0.713 * (red - luma))):
                difference = round(value) - previous[channel]
                previous[channel] += difference
                digits = abs(difference).bit_length()
                length, code = DC_CODES[digits]
                bits.append(format(code, f"0{length}b"))
                if digits:
                    bits.append(format(difference if difference > 0 else difference + (1 << digits) - 1, f"0{digits}b"))
                bits.append("0")  # the end of the block, the only code of its table
    text = "".join(bits)
    text += "1" * (-len(text) % 8)
    scan = int(text, 2).to_bytes(len(text) // 8, "big").replace(b"\xff", b"\xff\0")

    def segment(marker, data):
        return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data

    dc_lengths = bytes([0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0])
    ac_lengths = bytes([1] + [0] * 15)
    frame = struct.pack(">BHHB", 8, height, width, 3) + b"\1\x11\0\2\x11\0\3\x11\0"
    return (b"\xff\xd8" + segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0") + segment(0xDB, b"\0" + b"\x08" * 64)
            + segment(0xC0, frame) + segment(0xC4, b"\0" + dc_lengths + bytes(range(12)))
            + segment(0xC4, b"\x10" + ac_lengths + b"\0") + segment(0xDA, b"\3\1\0\2\0\3\0\0\x3f\0")
            + scan + b"\xff\xd9")


def resized_png(data, width, height):
    header = struct.pack(">II", width, height) + data[24:29]
    return data[:8] + png_chunk(b"IHDR", header) + data[33:]


def damaged_scan(data):
    """Markers that have no place in a scan are in its middle."""
    middle = (data.index(b"\xff\xda") + len(data)) // 2
    return data[:middle] + b"\xff\xc1\xff\x01" + data[middle + 4:]


def absurd_jpeg(data):
    size = data.index(b"\xff\xc0") + 5
    return data[:size] + b"\xff\xdc\xff\xdc" + data[size + 4:]


PAGE = b"<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head><body>Not Found</body></html>\n"

# Kind, ending, reason, and the bytes made of (pixels, width, height, random); None: a link to a file that is not there.
KINDS = [
    ("empty", ".jpg", "empty", lambda p, w, h, r: b""),
    ("page", ".jpg", "not_an_image", lambda p, w, h, r: PAGE),
    ("truncated_jpeg", ".jpg", "truncated", lambda p, w, h, r: jpeg(p, w, h)[:-len(jpeg(p, w, h)) // 4]),
    ("truncated_png", ".png", "truncated", lambda p, w, h, r: png(p, w, h)[:-len(png(p, w, h)) // 3]),
    ("damaged_jpeg", ".jpg", "damaged", lambda p, w, h, r: damaged_scan(jpeg(p, w, h))),
    ("wrong_checksum", ".png", "damaged", lambda p, w, h, r: png(p, w, h)[:-16] + b"oops" + png(p, w, h)[-12:]),
    ("png_bomb", ".png", "too_large", lambda p, w, h, r: resized_png(png(p, w, h), 60000, 60000)),
    ("absurd_jpeg", ".jpg", "too_large", lambda p, w, h, r: absurd_jpeg(jpeg(p, w, h))),
    ("zeros", ".png", "zeros", lambda p, w, h, r: bytes(5000)),
    ("dangling_link", ".jpg", "unreadable", None),
    ("truncated_bmp", ".bmp", "truncated", lambda p, w, h, r: bmp(p, w, h)[:-len(bmp(p, w, h)) // 2]),
    ("truncated_gif", ".gif", "truncated", lambda p, w, h, r: gif(p, w, h)[:-len(gif(p, w, h)) // 4]),
    ("noise", ".jpg", "not_an_image", lambda p, w, h, r: b"\x07" + r.randbytes(3000)),
]


def picture(chance, side, is_light):
    """A frame around noise, which differs from picture to picture."""
    width, height = side + side // 2, side
    base = 150 if is_light else 20
    return [[tuple(base + chance.randrange(90) for _ in range(3)) for _ in range(width)] for _ in range(height)], width, height


def write(path, data):
    if data is None:
        os.symlink("nowhere", path)
        return
    with open(path, "wb") as file:
        file.write(data)


def make(folder, count, share, seed, side):
    chance = random.Random(seed)
    broken_places = sorted(chance.sample(range(count), round(count * share)))
    kinds = {place: KINDS[turn % len(KINDS)] for turn, place in enumerate(broken_places)}
    broken = []
    for place in range(count):
        is_light = place % 2 == 1
        pixels, width, height = picture(chance, side, is_light)
        name, ending, reason, spoil = kinds.get(place, (None, (".png", ".jpg")[place // 2 % 2], None, None))
        path = os.path.join(folder, "light" if is_light else "dark", f"{place:06}{ending}")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if name is None:
            write(path, (png if ending == ".png" else jpeg)(pixels, width, height))
            continue
        write(path, spoil and spoil(pixels, width, height, chance))
        broken.append({"path": path, "kind": name, "reason": reason})
    broken.sort(key=lambda entry: entry["path"])
    return {"good": count - len(broken), "broken": broken}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("count", type=int)
    parser.add_argument("share", type=float)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--side", type=int, default=32)
    arguments = parser.parse_args()
    print(json.dumps(make(arguments.folder, arguments.count, arguments.share, arguments.seed, arguments.side), indent=1))


main()
