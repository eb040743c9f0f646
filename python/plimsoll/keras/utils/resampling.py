"""Images at another size, by the filters of Pillow."""

import numpy as np


def _box(x):
    return ((x > -0.5) & (x <= 0.5)).astype(float)


def _bilinear(x):
    return np.maximum(0.0, 1.0 - np.abs(x))


def _hamming(x):
    x = np.abs(x)
    return np.where(x < 1, np.sinc(x) * (0.54 + 0.46 * np.cos(np.pi * x)), 0.0)


def _bicubic(x, a=-0.5):
    x = np.abs(x)
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = (((x - 5) * x + 8) * x - 4) * a
    return np.where(x < 1, near, np.where(x < 2, far, 0.0))


def _lanczos(x):
    return np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0.0)


# The filter and how many pixels it reaches to each side.
_FILTERS = {
    "box": (_box, 0.5),
    "bilinear": (_bilinear, 1.0),
    "hamming": (_hamming, 1.0),
    "bicubic": (_bicubic, 2.0),
    "lanczos": (_lanczos, 3.0),
}
INTERPOLATIONS = ("nearest", *_FILTERS)


def resize(pixels, size, interpolation="bilinear"):
    """Bytes of shape (height, width[, channels]) at a size of (height, width).

    An image that becomes smaller is averaged: a filter is as wide as the scale says. Colours of
    transparent pixels do not count.
    """
    if interpolation not in INTERPOLATIONS:
        raise ValueError(
            f"Invalid interpolation method {interpolation} specified. Supported methods are "
            f"{', '.join(INTERPOLATIONS)}"
        )
    if interpolation == "nearest":
        rows, columns = (_nearest(n, m) for n, m in zip(pixels.shape, size))
        return pixels[rows][:, columns]
    has_alpha = pixels.ndim == 3 and pixels.shape[2] == 4
    values = _premultiplied(pixels) if has_alpha else pixels
    values = _along(values, 1, size[1], interpolation)
    values = _along(values, 0, size[0], interpolation)
    return _divided(values) if has_alpha else values


def _nearest(length, wanted):
    places = ((np.arange(wanted) + 0.5) * (length / wanted)).astype(int)
    return np.minimum(places, length - 1)


def _along(values, axis, wanted, interpolation):
    length = values.shape[axis]
    if length == wanted:
        return values
    weights = _weights(length, wanted, *_FILTERS[interpolation])
    moved = np.moveaxis(values, axis, 0).astype(float)
    result = np.tensordot(weights, moved, axes=1)
    return np.moveaxis(np.clip(np.floor(result + 0.5), 0, 255).astype("uint8"), 0, axis)


def _weights(length, wanted, function, reach):
    """A matrix of (wanted, length) whose rows sum to one."""
    scale = length / wanted
    stretch = max(scale, 1.0)
    centers = (np.arange(wanted) + 0.5) * scale
    first = np.maximum((centers - reach * stretch + 0.5).astype(int), 0)
    end = np.minimum((centers + reach * stretch + 0.5).astype(int), length)
    places = np.arange(length)
    weights = function((places + 0.5 - centers[:, None]) / stretch)
    weights[(places < first[:, None]) | (places >= end[:, None])] = 0.0
    return weights / weights.sum(axis=1, keepdims=True)


def _premultiplied(pixels):
    alpha = pixels[:, :, 3:].astype("uint32")
    product = pixels[:, :, :3] * alpha + 128
    colours = (product + (product >> 8)) >> 8
    return np.concatenate([colours.astype("uint8"), pixels[:, :, 3:]], axis=2)


def _divided(pixels):
    alpha = pixels[:, :, 3:].astype(int)
    colours = np.minimum(255, 255 * pixels[:, :, :3].astype(int) // np.maximum(alpha, 1))
    colours = np.where(alpha == 0, pixels[:, :, :3], colours)
    return np.concatenate([colours.astype("uint8"), pixels[:, :, 3:]], axis=2)
