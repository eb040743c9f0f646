"""make_images.py FOLDER: small pictures of four shapes in noise, one folder per shape, and a file that was cut off."""
import os
import random
import struct
import sys
import zlib

SIDE = 24
SHAPES = {
    "disc": lambda x, y, r: x * x + y * y < r * r,
    "ring": lambda x, y, r: (0.6 * r) ** 2 < x * x + y * y < r * r,
    "square": lambda x, y, r: max(abs(x), abs(y)) < 0.9 * r,
    "triangle": lambda x, y, r: -r < y < 0.8 * r and abs(x) < (y + r) * 0.6,
}


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(pixels):
    rows = b"".join(b"\0" + bytes(row) for row in pixels)
    head = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def picture(inside, numbers):
    x0, y0, r = numbers.uniform(9, 15), numbers.uniform(9, 15), numbers.uniform(4, 8)
    ink = [numbers.randrange(120, 250) for _ in range(3)]
    paper, noise = [numbers.randrange(10, 100) for _ in range(3)], numbers.randrange(10, 60)
    rows = []
    for y in range(SIDE):
        row = []
        for x in range(SIDE):
            for c in range(3):
                base = ink[c] if inside(x - x0, y - y0, r) else paper[c]
                row.append(max(0, min(255, base + numbers.randrange(-noise, noise + 1))))
        rows.append(row)
    return png(rows)


def main():
    numbers = random.Random(7)
    for place, (name, inside) in enumerate(SHAPES.items()):
        folder = os.path.join(sys.argv[1], name)
        os.makedirs(folder)
        for number in range(220 - 40 * place):
            with open(os.path.join(folder, f"{number:03}.png"), "wb") as file:
                file.write(picture(inside, numbers))
    path = os.path.join(sys.argv[1], "ring", "007.png")
    with open(path, "rb") as file:
        half = file.read()[:900]
    with open(path, "wb") as file:
        file.write(half)


main()
