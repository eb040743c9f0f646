#!/usr/bin/env python3
"""Pictures for `./dev bench data`: make_pictures.py FOLDER COUNT writes COUNT JPEG files of 500x375 in ten classes.

Like photos they are smooth with edges and some grain, so that a file of quality 90 with 4:2:0 subsampling has about
60 KB. The folder is done when there is a file `complete` in it; then nothing is written.
"""

import functools
import os
import pathlib
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np

HEIGHT, WIDTH = 375, 500
CLASSES = 10


@functools.cache
def between_corners(cells, length):
    """A matrix that makes values at `length` points of those at the corners of cells."""
    place = np.linspace(0, cells, length, endpoint=False)
    weights = 1 - np.abs(place[:, None] - np.arange(cells + 1)[None, :])
    return np.maximum(weights, 0).astype(np.float32)


def smooth_noise(rng, cells):
    corners = rng.standard_normal((3, cells + 1, cells + 1), np.float32)
    return between_corners(cells, HEIGHT) @ corners @ between_corners(cells, WIDTH).T


def add_shape(rng, picture):
    y, x, height, width = (int(rng.uniform(*range_)) for range_ in ((0, HEIGHT), (0, WIDTH), (30, 240), (30, 240)))
    box = picture[:, y : y + height, x : x + width]
    down, right = np.ogrid[0 : box.shape[1], 0 : box.shape[2]]
    inside = (2 * down / height - 1) ** 2 + (2 * right / width - 1) ** 2 < 1
    box[:] = np.where(inside, box * 0.4 + rng.uniform(0, 255, (3, 1, 1)) * 0.6, box)


def picture(number):
    rng = np.random.default_rng(number)
    pixels = 128 + 45 * smooth_noise(rng, 4) + 18 * smooth_noise(rng, 16) + 9 * smooth_noise(rng, 64)
    for _ in range(rng.integers(6, 14)):
        add_shape(rng, pixels)
    pixels += 5.5 * rng.standard_normal((HEIGHT, WIDTH), np.float32)
    return np.ascontiguousarray(np.clip(pixels, 0, 255).astype(np.uint8).transpose(1, 2, 0))


def make(folder, count):
    import tensorflow as tf

    for number in range(count):
        place = folder / f"class_{number % CLASSES}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{number:06}.jpg").write_bytes(tf.io.encode_jpeg(picture(number), quality=90).numpy())
    (folder / "complete").touch()


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    if not (target / "complete").exists():
        make(target, int(sys.argv[2]))
