"""make_masks.py PHOTOS CELLS: a folder of images with masks from a folder of photos; the mask of each is its left half."""

import pathlib
import shutil
import struct
import sys
import zlib

photos, cells = map(pathlib.Path, sys.argv[1:])


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def grey_png(rows):
    head = struct.pack(">2I5B", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


for folder in ("images", "masks"):
    (cells / folder).mkdir(parents=True)
for number, photo in enumerate(sorted(photos.glob("*/*.png"))):
    shutil.copy(photo, cells / "images" / f"{number}.png")
    (cells / "masks" / f"{number}.png").write_bytes(grey_png([[1] * 20 + [0] * 20] * 40))
