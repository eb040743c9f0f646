"""Small data sets that a sound model learns in seconds: tables, images and sequences, from random teachers."""
import numpy as np


def table(rng, records=900, classes=3, features=12):
    """Classes by the signs of products of columns: no linear model can separate them."""
    x = rng.normal(size=(records, features)).astype("float32")
    score = np.stack([x[:, 2 * i] * x[:, 2 * i + 1] + 0.5 * x[:, i] for i in range(classes)], 1)
    return x, score.argmax(1).astype("int64")


def pair(rng, records=900, features=8):
    """Two classes: inside and outside of a shell."""
    x = rng.normal(size=(records, features)).astype("float32")
    size = (x[:, :4] ** 2).sum(1)
    return x, (size > np.median(size)).astype("int64")


def images(rng, records=600, side=12, classes=4):
    """A bright bar, square, cross or ring somewhere in a noisy image; 0 to 1."""
    x = rng.uniform(0, 0.35, size=(records, side, side, 1))
    y = rng.integers(0, classes, size=records)
    for image, label in zip(x, y):
        r, c = rng.integers(1, side - 6, size=2)
        if label == 0:
            image[r:r + 5, c + 2] += 0.6
        elif label == 1:
            image[r:r + 5, c:c + 5] += 0.6
        elif label == 2:
            image[r + 2, c:c + 5] += 0.6
        else:
            image[r:r + 5, c:c + 5] += 0.6
            image[r + 1:r + 4, c + 1:c + 4] -= 0.6
    return np.clip(x, 0, 1).astype("float32"), y.astype("int64")


def numbers(rng, records=900, features=6):
    """One number, with mean 0 and deviation 1."""
    x = rng.normal(size=(records, features)).astype("float32")
    y = np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.5 * np.abs(x[:, 3]) + 0.3 * x[:, 4]
    y = y + 0.05 * rng.normal(size=records)
    return x, (((y - y.mean()) / y.std())[:, None]).astype("float32")


def sequences(rng, records=700, steps=10, features=3):
    """Is the first column larger in the first half of the sequence than in the second?"""
    x = rng.normal(size=(records, steps, features)).astype("float32")
    half = steps // 2
    return x, (x[:, :half, 0].sum(1) > x[:, half:, 0].sum(1)).astype("int64")
