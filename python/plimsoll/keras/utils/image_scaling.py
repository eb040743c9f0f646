"""Images at another size as tf.image.resize makes them: without antialiasing, in float32."""

import functools

import numpy as np


def _bilinear(x):
    return np.maximum(0.0, 1.0 - np.abs(x))


def _cubic(x, b, c):
    """The cubic filters of Mitchell and Netravali."""
    x = np.abs(x)
    near = (12 - 9 * b - 6 * c) * x**3 + (-18 + 12 * b + 6 * c) * x**2 + (6 - 2 * b)
    far = (-b - 6 * c) * x**3 + (6 * b + 30 * c) * x**2 + (-12 * b - 48 * c) * x + (8 * b + 24 * c)
    return np.where(x < 1, near, np.where(x < 2, far, 0.0)) / 6


def _lanczos(x, reach):
    return np.where(np.abs(x) < reach, np.sinc(x) * np.sinc(x / reach), 0.0)


def _gaussian(x):
    return np.where(np.abs(x) < 1.5, np.exp(-2.0 * np.square(x)), 0.0)


_FILTERS = {
    "bilinear": _bilinear,
    "bicubic": lambda x: _cubic(x, 0, 0.5),
    "lanczos3": lambda x: _lanczos(x, 3),
    "lanczos5": lambda x: _lanczos(x, 5),
    "gaussian": _gaussian,
    "mitchellcubic": lambda x: _cubic(x, 1 / 3, 1 / 3),
}
INTERPOLATIONS = ("bilinear", "nearest", "bicubic", "area", *list(_FILTERS)[2:])


def scaled(image, size, interpolation="bilinear", aspect="stretch"):
    """An image of bytes, (height, width, channels), as float32 at a size of (height, width).

    aspect says what is done with other proportions: "stretch" them, "crop" to the middle, or
    "pad" with zeros around the image.
    """
    if aspect == "crop":
        image = image[middle(*image.shape[:2], size)]
    elif aspect == "pad":
        return _padded(image, size, interpolation)
    return _resized(image, size, interpolation)


def _resized(image, size, interpolation):
    if image.shape[:2] == tuple(size):
        return image.astype("float32")
    for axis in (0, 1):
        image = _along(image, axis, size[axis], interpolation)
    return image


def _along(values, axis, wanted, interpolation):
    """The pixels of `values` that a result needs are taken one by one: no other becomes a float."""
    length = values.shape[axis]
    if interpolation == "nearest":
        places = ((np.arange(wanted) + 0.5) * (length / wanted)).astype(int)
        return np.take(values, np.minimum(places, length - 1), axis).astype("float32")
    places, weights = _taps(length, wanted, interpolation)
    shape = [1] * values.ndim
    shape[axis] = wanted
    result = 0
    for place, weight in zip(places, weights):
        result = result + np.take(values, place, axis) * weight.reshape(shape)
    return result


@functools.lru_cache(maxsize=32)
def _taps(length, wanted, interpolation):
    """The pixels that a pixel of the result is made of, and their weights: two arrays of (pixels, wanted)."""
    weights = (
        _area(length, wanted)
        if interpolation == "area"
        else _weights(length, wanted, _FILTERS[interpolation])
    )
    used = weights != 0
    first = used.argmax(axis=1)
    count = (length - used[:, ::-1].argmax(axis=1) - first).max()
    # A weight is 0 where fewer are needed.
    first = np.minimum(first, length - count)
    places = first + np.arange(count)[:, None]
    return places, np.take_along_axis(weights, places.T, axis=1).T.astype("float32")


def _weights(length, wanted, function):
    """A matrix of (wanted, length) whose rows sum to one; the border counts as the last pixel."""
    centers = (np.arange(wanted) + 0.5) * (length / wanted) - 0.5
    if function is _bilinear:
        centers = np.clip(centers, 0, length - 1)
    weights = function(np.arange(length) - centers[:, None])
    return weights / weights.sum(axis=1, keepdims=True)


def _area(length, wanted):
    """How much of each pixel is within each pixel of the result."""
    scale = length / wanted
    first, end = np.arange(wanted)[:, None] * scale, np.arange(1, wanted + 1)[:, None] * scale
    places = np.arange(length)
    shared = np.minimum(end, places + 1) - np.maximum(first, places)
    return np.maximum(shared, 0) / scale


def middle(height, width, size):
    """The rows and columns of the largest middle part with the target's proportions."""
    part_height = max(min(height, int(width * size[0] / size[1])), 1)
    part_width = max(min(width, int(height * size[1] / size[0])), 1)
    top, left = int((height - part_height) / 2), int((width - part_width) / 2)
    return slice(top, top + part_height), slice(left, left + part_width)


def _padded(image, size, interpolation):
    height, width = image.shape[:2]
    ratio = max(np.float32(height) / size[0], np.float32(width) / size[1])
    exact = np.float32(height) / ratio, np.float32(width) / ratio
    inner = [max(1, int(length)) for length in exact]
    # TensorFlow halves what is left before it is rounded.
    top, left = (int((whole - length) / 2) for whole, length in zip(size, exact))
    result = np.zeros((*size, image.shape[2]), dtype="float32")
    part = _resized(image, inner, interpolation)
    result[top : top + inner[0], left : left + inner[1]] = part
    return result
