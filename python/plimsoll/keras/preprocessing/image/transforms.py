"""Random and fixed changes of one image, given as an array with three axes."""

import numpy as np

from plimsoll.keras.preprocessing.image import affine


def apply_affine_transform(
    x,
    theta=0,
    tx=0,
    ty=0,
    shear=0,
    zx=1,
    zy=1,
    row_axis=1,
    col_axis=2,
    channel_axis=0,
    fill_mode="nearest",
    cval=0.0,
    order=1,
):
    """Turns by theta degrees, shifts by tx and ty pixels, shears by degrees and zooms.

    As in Keras, tx and zx go along the columns, ty and zy along the rows.
    """
    if sorted((row_axis, col_axis, channel_axis)) != [0, 1, 2]:
        raise ValueError("'row_axis', 'col_axis', and 'channel_axis' must be distinct: 0, 1 and 2")
    if x.ndim != 3:
        raise ValueError("Input arrays must be multi-channel 2D images.")
    height, width = x.shape[row_axis], x.shape[col_axis]
    matrix = affine.affine_matrix(theta, tx, ty, shear, zx, zy, height, width)
    if matrix is None:
        return x
    axes = (channel_axis, row_axis, col_axis)
    channels = affine.transform(np.transpose(x, axes), matrix, fill_mode, cval, order)
    return np.transpose(channels, np.argsort(axes))


def random_rotation(
    x,
    rg,
    row_axis=1,
    col_axis=2,
    channel_axis=0,
    fill_mode="nearest",
    cval=0.0,
    interpolation_order=1,
):
    """Turns by at most rg degrees either way."""
    return apply_affine_transform(
        x, theta=np.random.uniform(-rg, rg), row_axis=row_axis, col_axis=col_axis,
        channel_axis=channel_axis, fill_mode=fill_mode, cval=cval, order=interpolation_order,
    )


def random_shift(
    x,
    wrg,
    hrg,
    row_axis=1,
    col_axis=2,
    channel_axis=0,
    fill_mode="nearest",
    cval=0.0,
    interpolation_order=1,
):
    """Shifts by at most the fractions wrg of the width and hrg of the height."""
    tx = np.random.uniform(-hrg, hrg) * x.shape[row_axis]
    ty = np.random.uniform(-wrg, wrg) * x.shape[col_axis]
    return apply_affine_transform(
        x, tx=tx, ty=ty, row_axis=row_axis, col_axis=col_axis,
        channel_axis=channel_axis, fill_mode=fill_mode, cval=cval, order=interpolation_order,
    )


def random_shear(
    x,
    intensity,
    row_axis=1,
    col_axis=2,
    channel_axis=0,
    fill_mode="nearest",
    cval=0.0,
    interpolation_order=1,
):
    """Shears by at most `intensity` degrees."""
    return apply_affine_transform(
        x, shear=np.random.uniform(-intensity, intensity), row_axis=row_axis, col_axis=col_axis,
        channel_axis=channel_axis, fill_mode=fill_mode, cval=cval, order=interpolation_order,
    )


def random_zoom(
    x,
    zoom_range,
    row_axis=1,
    col_axis=2,
    channel_axis=0,
    fill_mode="nearest",
    cval=0.0,
    interpolation_order=1,
):
    """Zooms both ways by factors between the two of zoom_range."""
    if len(zoom_range) != 2:
        raise ValueError(
            f"`zoom_range` should be a tuple or list of two floats. Received: {zoom_range}"
        )
    zx, zy = (1, 1) if tuple(zoom_range) == (1, 1) else np.random.uniform(*zoom_range, 2)
    return apply_affine_transform(
        x, zx=zx, zy=zy, row_axis=row_axis, col_axis=col_axis,
        channel_axis=channel_axis, fill_mode=fill_mode, cval=cval, order=interpolation_order,
    )


def apply_channel_shift(x, intensity, channel_axis=0):
    """Adds to every value, and keeps them between the smallest and the largest there were."""
    return np.clip(x + intensity, np.min(x), np.max(x))


def random_channel_shift(x, intensity_range, channel_axis=0):
    """Adds at most intensity_range, or takes it away."""
    intensity = np.random.uniform(-intensity_range, intensity_range)
    return apply_channel_shift(x, intensity, channel_axis)


def apply_brightness_shift(x, brightness, scale=True):
    """Multiplies the brightness of an image with channels last.

    Values are rounded to bytes first, as Keras does. Values outside of 0 to 255, or any with
    `scale`, are spread over that range before; without `scale` they are put back afterwards.
    """
    low, high = np.min(x), np.max(x)
    spread = scale or low < 0 or high > 255
    pixels = np.asarray(x, dtype="float32")
    if spread:
        pixels = (pixels - low) / ((high - low) or 1) * 255
    before = pixels.astype("uint8")
    pixels = np.clip(np.trunc(before * np.float32(brightness)), 0, 255)
    if x.shape[-1] == 4:
        pixels[..., 3] = before[..., 3]
    if spread and not scale:
        pixels = pixels / 255 * (high - low) + low
    return pixels


def random_brightness(x, brightness_range, scale=True):
    """Multiplies the brightness by a factor between the two of brightness_range."""
    if len(brightness_range) != 2:
        raise ValueError(
            "`brightness_range should be tuple or list of two floats. "
            f"Received: {brightness_range}"
        )
    return apply_brightness_shift(x, np.random.uniform(*brightness_range), scale)
