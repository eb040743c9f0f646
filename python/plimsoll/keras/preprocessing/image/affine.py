"""Affine changes of images, as scipy.ndimage does them, without SciPy."""

import numpy as np

FILL_MODES = ("nearest", "constant", "reflect", "wrap")


def affine_matrix(theta, tx, ty, shear, zx, zy, height, width):
    """The 3x3 matrix from places (row, column) of the result to places of the image.

    Angles are in degrees. It turns, shifts, shears and zooms around the middle of the image.
    As in Keras, the first coordinate is the column: tx moves columns and zx stretches them.
    None if it would change nothing.
    """
    matrix = np.eye(3)
    if theta != 0:
        angle = np.deg2rad(theta)
        sin, cos = np.sin(angle), np.cos(angle)
        matrix = matrix @ [[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]]
    if tx != 0 or ty != 0:
        matrix = matrix @ [[1, 0, tx], [0, 1, ty], [0, 0, 1]]
    if shear != 0:
        angle = np.deg2rad(shear)
        matrix = matrix @ [[1, -np.sin(angle), 0], [0, np.cos(angle), 0], [0, 0, 1]]
    if zx != 1 or zy != 1:
        matrix = matrix @ np.diag([zx, zy, 1])
    if np.array_equal(matrix, np.eye(3)):
        return None
    row, column = height / 2 - 0.5, width / 2 - 0.5
    to_middle = np.array([[1, 0, row], [0, 1, column], [0, 0, 1]])
    from_middle = np.array([[1, 0, -row], [0, 1, -column], [0, 0, 1]])
    matrix = to_middle @ matrix @ from_middle
    swapped = [1, 0, 2]
    return matrix[swapped][:, swapped]


def transform(channels, matrix, fill_mode="nearest", cval=0.0, order=1):
    """Images of shape (channels, height, width) seen through a matrix of affine_matrix().

    order 0 takes the nearest pixel, 1 interpolates between four; higher ones need SciPy.
    """
    if fill_mode not in FILL_MODES:
        raise ValueError(f"fill_mode is one of {', '.join(FILL_MODES)}, not '{fill_mode}'")
    if order > 1:
        return _with_scipy(channels, matrix, fill_mode, cval, order)
    height, width = channels.shape[1:]
    rows, columns = np.meshgrid(np.arange(height), np.arange(width), indexing="ij")
    y = matrix[0, 0] * rows + matrix[0, 1] * columns + matrix[0, 2]
    x = matrix[1, 0] * rows + matrix[1, 1] * columns + matrix[1, 2]
    outside = (y < 0) | (y > height - 1) | (x < 0) | (x > width - 1)
    y, x = _inside(y, height, fill_mode), _inside(x, width, fill_mode)
    if order == 0:
        result = channels[:, _whole(y + 0.5, height), _whole(x + 0.5, width)]
    else:
        result = _between(channels, y, x)
    if fill_mode == "constant":
        result = np.where(outside, channels.dtype.type(cval), result)
    return result


def _inside(place, length, fill_mode):
    """Places beyond the border, moved to where their value comes from."""
    if fill_mode == "reflect" and length > 1:
        # The picture repeats as a b c d | d c b a, with the border between two pixels.
        place = np.mod(place + 0.5, 2 * length)
        return np.clip(np.minimum(place, 2 * length - place) - 0.5, 0, length - 1)
    if fill_mode == "wrap" and length > 1:
        # The last pixel and the first one are at the same place, so length - 1 is the period.
        period = length - 1
        before = place + period * (np.floor(-place / period) + 1)
        after = place - period * np.floor(place / period)
        return np.where(place < 0, before, np.where(place > period, after, place))
    return np.clip(place, 0, length - 1)


def _whole(place, length):
    return np.clip(np.floor(place).astype(int), 0, length - 1)


def _between(channels, y, x):
    height, width = channels.shape[1:]
    top, left = _whole(y, height), _whole(x, width)
    bottom, right = np.minimum(top + 1, height - 1), np.minimum(left + 1, width - 1)
    down, across = y - top, x - left
    upper = channels[:, top, left] * (1 - across) + channels[:, top, right] * across
    lower = channels[:, bottom, left] * (1 - across) + channels[:, bottom, right] * across
    return (upper * (1 - down) + lower * down).astype(channels.dtype)


def _with_scipy(channels, matrix, fill_mode, cval, order):
    try:
        from scipy.ndimage import affine_transform
    except ImportError:
        raise ImportError(
            f"interpolation_order={order} needs SciPy (pip install scipy); orders 0 and 1 do not"
        ) from None
    linear, offset = matrix[:2, :2], matrix[:2, 2]
    return np.stack(
        [affine_transform(c, linear, offset, order=order, mode=fill_mode, cval=cval)
         for c in channels]
    )
