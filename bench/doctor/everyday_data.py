"""Data as people have it at home: flowers, patients, houses, digits, reviews, signals. Made from random teachers."""
import numpy as np


def flowers(rng, records=150):
    """Three classes of 4 lengths in cm, two of which overlap a little."""
    means = np.array([[5.0, 3.4, 1.5, 0.25], [5.9, 2.8, 4.3, 1.3], [6.6, 3.0, 5.6, 2.0]])
    y = np.arange(records) % 3
    x = means[y] + rng.normal(size=(records, 4)) * [0.4, 0.3, 0.35, 0.2]
    order = rng.permutation(records)
    return x[order].astype("float32"), y[order].astype("int64")


def patients(rng, records=768):
    """Ill or not, by 8 measurements in their own units; a quarter cannot be predicted."""
    z = rng.normal(size=(records, 8))
    risk = 1.4 * z[:, 1] + 0.8 * z[:, 5] + 0.5 * z[:, 7] - 0.6 + 0.4 * z[:, 1] * z[:, 5]
    y = (rng.uniform(size=records) < 1 / (1 + np.exp(-1.5 * risk))).astype("int64")
    raw = z * [3, 30, 12, 10, 80, 7, 0.3, 11] + [4, 120, 70, 20, 100, 32, 0.5, 33]
    return z.astype("float32"), np.clip(raw, 0, None).astype("float32"), y


def exclusive_or(copies=1):
    x = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], "float32")
    return np.tile(x, (copies, 1)), np.tile(np.array([[0], [1], [1], [0]], "float32"), (copies, 1))


def sine(rng, records=400):
    x = rng.uniform(-np.pi, np.pi, size=(records, 1))
    return x.astype("float32"), (np.sin(x) + 0.03 * rng.normal(size=x.shape)).astype("float32")


def digits(rng, records=1200, side=10, classes=10):
    """Ten random strokes each, moved by a pixel and with noise; grey levels from 0 to 255."""
    shapes = (rng.uniform(size=(classes, side - 2, side - 2)) < 0.35) * rng.uniform(150, 255, size=(classes, 1, 1))
    y = rng.integers(0, classes, size=records)
    x = np.zeros((records, side, side, 1))
    for image, label in zip(x, y):
        r, c = rng.integers(0, 3, size=2)
        image[r:r + side - 2, c:c + side - 2, 0] = shapes[label]
    x = np.clip(x + rng.normal(size=x.shape) * 25, 0, 255)
    return x.astype("float32"), y.astype("int64")


def houses(rng, records=506):
    """Prices in thousands from 13 columns in their own units, with their share of chance."""
    z = rng.normal(size=(records, 13))
    price = 22 + 4 * z[:, 5] - 4 * z[:, 12] - 2 * z[:, 0] + 1.5 * z[:, 5] * z[:, 12] + np.abs(z[:, 7]) * 2
    price = price + 2.5 * rng.normal(size=records)
    deviations = [8, 23, 7, 0.25, 0.1, 0.7, 28, 2, 9, 168, 2, 91, 7]
    raw = z * deviations + [3, 11, 11, 0.07, 0.55, 6.3, 68, 3.8, 9.5, 408, 18, 356, 12]
    return z.astype("float32"), raw.astype("float32"), np.clip(price, 5, 50)[:, None].astype("float32")


def reviews(rng, records=900, words=300, length=24):
    """Sequences of word numbers, filled with 0; some words are kind, some are not."""
    mood = rng.normal(size=words) * (rng.uniform(size=words) < 0.4)
    x = np.zeros((records, length), "int64")
    score = np.zeros(records)
    for i in range(records):
        count = int(rng.integers(8, length + 1))
        x[i, length - count:] = rng.integers(1, words, size=count)
        score[i] = mood[x[i, length - count:]].sum()
    return x, (score > np.median(score)).astype("int64")


def labels_of_many(rng, records=900, features=10, labels=5):
    """Each of five properties holds or not."""
    x = rng.normal(size=(records, features))
    y = [(x[:, i] * x[:, i + 1] + x[:, i + 2] > 0.3 * (i - 2)) for i in range(labels)]
    return x.astype("float32"), np.stack(y, 1).astype("float32")


def signal(rng, records=700, steps=16):
    """The next value of a wave that is noisy."""
    phase = rng.uniform(0, 2 * np.pi, size=(records, 1))
    speed = rng.uniform(0.2, 0.6, size=(records, 1))
    wave = np.sin(phase + speed * np.arange(steps + 1)) + 0.1 * rng.normal(size=(records, steps + 1))
    return wave[:, :-1, None].astype("float32"), wave[:, -1:].astype("float32")


def rhythms(rng, records=600, steps=32):
    """Fast, slow or falling waves, two channels."""
    y = rng.integers(0, 3, size=records)
    t = np.arange(steps)
    speed = np.where(y == 0, 1.2, 0.4) * rng.uniform(0.8, 1.2, size=records)
    wave = np.sin(speed[:, None] * t + rng.uniform(0, 6, size=(records, 1)))
    wave = np.where((y == 2)[:, None], np.exp(-t / 8.0) * 2 * wave, wave)
    x = np.stack([wave, np.roll(wave, 3, 1)], 2) + 0.3 * rng.normal(size=(records, steps, 2))
    return x.astype("float32"), y.astype("int64")
