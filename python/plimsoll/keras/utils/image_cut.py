"""Images at another size without distortion."""

import numpy as np

from plimsoll.keras.utils import image_scaling


def smart_resize(x, size, interpolation="bilinear", data_format="channels_last", **kwargs):
    """Cuts the largest middle part of the target's shape out of images and resizes it.

    x: one image or a batch of them, an array or a tensor; size: (height, width).
    """
    if len(size) != 2:
        raise ValueError(f"Expected `size` to be a tuple of 2 integers, but got: {size}.")
    if len(x.shape) not in (3, 4):
        raise ValueError(
            "Expected an image array with shape `(height, width, channels)`, or `(batch_size, "
            f"height, width, channels)`, but got input with incorrect rank, of shape {x.shape}."
        )
    is_last = data_format == "channels_last"
    height, width = x.shape[-3:-1] if is_last else x.shape[-2:]
    rows, columns = image_scaling.middle(height, width, size)
    part = x[..., rows, columns, :] if is_last else x[..., rows, columns]
    if isinstance(x, np.ndarray):
        return _resized(part, size, interpolation, is_last)
    from plimsoll.keras import ops

    return ops.image.resize(part, size, interpolation=interpolation, data_format=data_format)


def _resized(images, size, interpolation, is_last):
    if not is_last:
        images = np.moveaxis(images, -3, -1)
    if images.ndim == 3:
        result = image_scaling.scaled(images, size, interpolation)
    else:
        result = np.stack([image_scaling.scaled(image, size, interpolation) for image in images])
    return result if is_last else np.moveaxis(result, -1, -3)
