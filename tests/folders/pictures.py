"""Writes the folders of images that both sides read."""

import pathlib
import sys

import numpy as np
import tensorflow as tf

import picture_files

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "golden"))
from image_cases import GRAY, PALETTE, RGB, RGBA, png  # noqa: E402

SAME_SIZE = (37, 53)  # of the folder whose pictures need no resizing
SIZES = (SAME_SIZE, (64, 48), (9, 120), (130, 17), (201, 160), (24, 32), (1, 1), (75, 100))
SAMPLINGS = {
    "444": ((1, 1), (1, 1), (1, 1)),
    "422": ((2, 1), (1, 1), (1, 1)),
    "440": ((1, 2), (1, 1), (1, 1)),
    "420": ((2, 2), (1, 1), (1, 1)),
    "411": ((4, 1), (1, 1), (1, 1)),
}
# Sub-folders and names that sort in different ways by bytes, by locale and by number.
PLACES = ["", "", "", "sub/", "sub/deep/", "sub b/", "sub-1/", "Sub/", "süb/", ".hidden/"]
NAMES = ["10", "9", "a", "B", "b", "ä", "Z", "z", "_x", "a b", "a-b", "a.b", "été", "日本", "🦒", ".dot", "A", "é", "~", "x" * 80]
CLASSES = ["apple", "Zebra", "Äpfel", "zebra 2"]


def photo(rng, height, width, channels=3):
    """Smooth, with edges and a little noise."""
    y, x = np.mgrid[0:height, 0:width].astype(float)
    picture = np.empty((height, width, channels))
    for channel in range(channels):
        a, b, c = rng.uniform(0.02, 0.2, 3)
        picture[..., channel] = 128 + 70 * np.sin(a * x + c) * np.cos(b * y) + 40 * ((x * a + y * b) % 2 > 1)
    return np.clip(picture + rng.normal(0, 4, picture.shape), 0, 255).astype(np.uint8)


def of_depth(picture, depth):
    return picture.astype(int) * 257 if depth == 16 else picture


def png_of(rng, size, color, depth):
    channels = {GRAY: 1, RGB: 3, RGBA: 4}[color]
    return png(of_depth(photo(rng, *size, channels), depth), color, depth)


def palette_png(rng, size):
    return png(rng.integers(0, 16, (*size, 1)), PALETTE, 4, palette=rng.integers(0, 256, (16, 3)))


def gif_of(rng, size):
    frames = [rng.integers(0, 256, size) for _ in range(2)]
    return picture_files.gif(frames, rng.integers(0, 256, (256, 3)))


# Kind -> (ending, bytes of a picture of that size). The kinds that TensorFlow reads in each colour mode follow.
KINDS = {
    "png_gray": (".png", lambda rng, size: png_of(rng, size, GRAY, 8)),
    "png_rgb": (".PNG", lambda rng, size: png_of(rng, size, RGB, 8)),
    "png_rgba": (".png", lambda rng, size: png_of(rng, size, RGBA, 8)),
    "png_gray_16": (".png", lambda rng, size: png_of(rng, size, GRAY, 16)),
    "png_rgb_16": (".Png", lambda rng, size: png_of(rng, size, RGB, 16)),
    "png_palette": (".png", palette_png),
    "jpeg_gray": (".jpg", lambda rng, size: tf.io.encode_jpeg(photo(rng, *size, 1), "grayscale", 85).numpy()),
    "jpeg_tf": (".jpeg", lambda rng, size: tf.io.encode_jpeg(photo(rng, *size), quality=90).numpy()),
    "jpeg_progressive": (".JPG", lambda rng, size: tf.io.encode_jpeg(photo(rng, *size), progressive=True).numpy()),
    **{
        f"jpeg_{name}": (".jpg", lambda rng, size, f=factors: picture_files.jpeg(photo(rng, *size), f))
        for name, factors in SAMPLINGS.items()
    },
    "bmp_24": (".bmp", lambda rng, size: picture_files.bmp(photo(rng, *size))),
    "bmp_24_top": (".BMP", lambda rng, size: picture_files.bmp(photo(rng, *size), top_down=True)),
    "bmp_32": (".bmp", lambda rng, size: picture_files.bmp(photo(rng, *size, 4))),
    "gif": (".gif", gif_of),
}
OF_MODE = {
    "rgb": [kind for kind in KINDS if kind != "bmp_32"],
    "grayscale": [kind for kind in KINDS if kind.startswith(("png", "jpeg"))],
    "rgba": [kind for kind in KINDS if kind.startswith("png") or kind == "bmp_32"],
}


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def write_folder(root, kinds, sizes, count):
    """`count` pictures of each class; the kind is part of each file's name, after what it sorts by."""
    rng = np.random.default_rng(5)
    for number, name in enumerate(CLASSES):
        for i in range(count + 3 * number):
            kind = kinds[(i + number) % len(kinds)]
            ending, make = KINDS[kind]
            stem = f"{NAMES[(7 * i + number) % len(NAMES)]}{i // len(NAMES) or ''}"
            write(root / name / PLACES[i % len(PLACES)] / f"{stem}.{kind}{ending}", make(rng, sizes[i % len(sizes)]))
        write(root / name / "notes.txt", b"not a picture")
    write(root / ".hidden" / "a.png_gray.png", png_of(rng, (2, 2), GRAY, 8))
    write(root / "stray.png_gray.png", png_of(rng, (2, 2), GRAY, 8))


def write_all(root):
    for mode, kinds in OF_MODE.items():
        write_folder(root / mode, kinds, SIZES, 30)
        write_folder(root / f"{mode}_same_size", kinds, [SAME_SIZE], 20)
