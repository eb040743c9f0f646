"""keras.ops.image: sizes, cuts and colours of images."""
from plimsoll import _missing


def _of_tf(name: str):
    def call(images, data_format=None):
        from plimsoll.tensorflow import image

        return getattr(image, name)(images)
    call.__name__ = name
    return call


rgb_to_grayscale, rgb_to_hsv, hsv_to_rgb = map(_of_tf, ("rgb_to_grayscale", "rgb_to_hsv", "hsv_to_rgb"))


def resize(images, size, interpolation="bilinear", antialias=False, crop_to_aspect_ratio=False,
           pad_to_aspect_ratio=False, fill_mode="constant", fill_value=0.0, data_format=None):
    from plimsoll import _core

    return _core.operation(
        "Resize", {"size": list(size), "interpolation": interpolation, "antialias": antialias,
                   "crop_to_aspect_ratio": crop_to_aspect_ratio,
                   "pad_to_aspect_ratio": pad_to_aspect_ratio, "fill_mode": fill_mode,
                   "fill_value": fill_value, "data_format": data_format or "channels_last"},
        [images], {}, "keras.src.ops.image")


def pad_images(images, top_padding=None, left_padding=None, bottom_padding=None, right_padding=None,
               target_height=None, target_width=None, data_format=None):
    """Zeros around images; one of a side's three sizes may be left out."""
    from plimsoll import _core

    images = _core.constant(images)
    rows = _two(top_padding, bottom_padding, target_height, images.shape[-3])
    columns = _two(left_padding, right_padding, target_width, images.shape[-2])
    return _core.pad(images, [(0, 0)] * (images.ndim - 3) + [rows, columns, (0, 0)])


def _two(before, after, target, size) -> tuple:
    if before is None:
        before = target - size - after
    return before, target - size - before if after is None else after


def crop_images(images, top_cropping=None, left_cropping=None, bottom_cropping=None,
                right_cropping=None, target_height=None, target_width=None, data_format=None):
    from plimsoll import _core

    images = _core.constant(images)
    height, width = images.shape[-3], images.shape[-2]
    top, bottom = _cut(top_cropping, bottom_cropping, target_height, height)
    left, right = _cut(left_cropping, right_cropping, target_width, width)
    return images[..., top:height - bottom, left:width - right, :]


def _cut(before, after, target, size) -> tuple:
    if before is None:
        before = size - target - after
    return before, size - target - before if after is None else after


def extract_patches(images, size, strides=None, dilation_rate=1, padding="valid", data_format=None):
    from plimsoll.tensorflow import image

    def four(value) -> list:
        return [1, *([value] * 2 if isinstance(value, int) else value), 1]

    return image.extract_patches(images, four(size), four(strides or size), four(dilation_rate),
                                 padding.upper())


_missing.lazy(globals(), {})
