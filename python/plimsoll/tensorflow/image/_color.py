"""Colours, brightness and element types of images."""
import numpy as np

from plimsoll import _core
from plimsoll.tensorflow._dtypes import as_dtype


def convert_image_dtype(image, dtype, saturate=False, name=None):
    """Between integers of their whole range and fractions from 0 to 1."""
    image, dtype = _core.constant(image), as_dtype(dtype)
    if image.dtype == dtype:
        return image
    if image.dtype.is_integer and dtype.is_integer:
        return _between_integers(image, dtype)
    if image.dtype.is_integer:
        return _core.cast(image, "float32") * (1.0 / image.dtype.max)
    if dtype.is_floating:
        return _core.cast(image, dtype.name)
    scaled = image * (float(dtype.max) + 0.5)
    if saturate or dtype == "uint8":
        scaled = _core.clip(scaled, float(dtype.min), float(dtype.max))
    return _core.cast(scaled, dtype.name)


def _between_integers(image, dtype):
    """The range of one type is a multiple of the other's."""
    old, new = int(image.dtype.max) + 1, int(dtype.max) + 1
    if old > new:
        return _core.cast(_core.operation("FloorDivide", {}, [image, old // new]), dtype.name)
    return _core.cast(image, dtype.name) * (new // old)


def _in_fractions(image, function):
    """A function of fractions, on an image of any element type."""
    image = _core.constant(image)
    found = function(convert_image_dtype(image, "float32"))
    return found if image.dtype.is_floating else convert_image_dtype(found, image.dtype, True)


def adjust_brightness(image, delta):
    return _in_fractions(image, lambda x: _core.add(x, delta))


def adjust_contrast(images, contrast_factor):
    """The distances from each channel's mean, times a factor."""
    def change(x):
        centre = _core.mean(x, [-3, -2], True)
        return _core.multiply(x - centre, contrast_factor) + centre
    return _in_fractions(images, change)


def adjust_gamma(image, gamma=1, gain=1):
    if isinstance(gamma, (int, float)) and gamma < 0:
        raise ValueError("Gamma should be a non-negative real number.")
    return _in_fractions(image, lambda x: _core.multiply(_core.power(x, gamma), gain))


def grayscale_to_rgb(images, name=None):
    images = _core.constant(images)
    return _core.concatenate([images, images, images], -1)


def rgb_to_grayscale(images, name=None):
    weights = np.array([[0.2989], [0.587], [0.114]], np.float32)
    return _in_fractions(images, lambda x: _core.operation("Matmul", {}, [x, weights]))


def per_image_standardization(image):
    """Mean 0 and deviation 1 for each image; a flat one is not divided by 0."""
    image = _core.cast(image, "float32")
    axes = [-3, -2, -1]
    centre = _core.mean(image, axes, True)
    deviation = _core.sqrt(_core.mean(_core.square(image - centre), axes, True))
    least = 1.0 / float(np.sqrt(np.prod([size for size in image.shape[-3:]])))
    return (image - centre) / _core.maximum(deviation, least)


def _channel(x, i: int):
    return x[..., i:i + 1]


def rgb_to_hsv(images, name=None):
    images = _core.constant(images)
    red, green, blue = (_channel(images, i) for i in range(3))
    value = _core.max(images, -1, True)
    spread = value - _core.min(images, -1, True)
    flat = _core.equal(spread, 0.0)
    safe = _core.select(flat, 1.0, spread)
    at_red = (green - blue) / safe / 6.0
    at_green = (blue - red) / safe / 6.0 + 1.0 / 3.0
    at_blue = (red - green) / safe / 6.0 + 2.0 / 3.0
    hue = _core.select(_core.equal(value, red), at_red,
                       _core.select(_core.equal(value, green), at_green, at_blue))
    hue = _core.select(flat, 0.0, hue - _core.floor(hue))
    black = _core.equal(value, 0.0)
    saturation = _core.select(black, 0.0, spread / _core.select(black, 1.0, value))
    return _core.concatenate([hue, saturation, value], -1)


def hsv_to_rgb(images, name=None):
    images = _core.constant(images)
    hue, saturation, value = (_channel(images, i) for i in range(3))
    turn = (hue - _core.floor(hue)) * 6.0
    red = _core.clip(_core.abs(turn - 3.0) - 1.0, 0.0, 1.0)
    green = _core.clip(2.0 - _core.abs(turn - 2.0), 0.0, 1.0)
    blue = _core.clip(2.0 - _core.abs(turn - 4.0), 0.0, 1.0)
    parts = [(1.0 - saturation + saturation * part) * value for part in (red, green, blue)]
    return _core.concatenate(parts, -1)


def adjust_hue(image, delta, name=None):
    """The hue moved along its circle."""
    def change(x):
        hsv = rgb_to_hsv(x)
        return hsv_to_rgb(_core.concatenate([_core.add(_channel(hsv, 0), delta), hsv[..., 1:]], -1))
    return _in_fractions(image, change)


def adjust_saturation(image, saturation_factor, name=None):
    def change(x):
        hsv = rgb_to_hsv(x)
        changed = _core.clip(_core.multiply(_channel(hsv, 1), saturation_factor), 0.0, 1.0)
        return hsv_to_rgb(_core.concatenate([_channel(hsv, 0), changed, _channel(hsv, 2)], -1))
    return _in_fractions(image, change)


def adjust_jpeg_quality(image, jpeg_quality, name=None):
    """Written as JPEG and read again."""
    from plimsoll.tensorflow.image import decode_jpeg, encode_jpeg

    image = _core.constant(image)
    data = encode_jpeg(convert_image_dtype(image, "uint8", True), quality=int(jpeg_quality))
    return convert_image_dtype(decode_jpeg(data, image.shape[-1]), image.dtype)


_YIQ = np.array([[0.299, 0.59590059, 0.2115], [0.587, -0.27455667, -0.52273617],
                 [0.114, -0.32134392, 0.31119955]])
_YUV = np.array([[0.299, -0.14714119, 0.61497538], [0.587, -0.28886916, -0.51496512],
                 [0.114, 0.43601035, -0.10001026]])


def _times(matrix: np.ndarray):
    kernel = matrix.astype(np.float32)

    def call(images):
        return _core.operation("Matmul", {}, [_core.constant(images), kernel])
    return call


# The way back in the digits that TensorFlow uses; they are not quite the inverse.
_FROM_YIQ = np.array([[1, 1, 1], [0.95598634, -0.27201283, -1.10674021],
                      [0.6208248, -0.64720424, 1.70423049]])
_FROM_YUV = np.array([[1, 1, 1], [0, -0.394642334, 2.03206185], [1.13988303, -0.58062185, 0]])
rgb_to_yiq, yiq_to_rgb = _times(_YIQ), _times(_FROM_YIQ)
rgb_to_yuv, yuv_to_rgb = _times(_YUV), _times(_FROM_YUV)
