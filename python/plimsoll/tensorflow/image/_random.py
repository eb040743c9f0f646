"""Images changed at random."""
import numpy as np

from plimsoll import _core
from plimsoll.tensorflow import random
from plimsoll.tensorflow._on_values import integers
from plimsoll.tensorflow.image import _color, _geometry


def _draw(low: float, high: float, seed):
    """One number; a pair as the seed gives the same one each time."""
    if isinstance(seed, _Fixed):
        return random.stateless_uniform([], seed.pair, low, high)
    return random.uniform([], low, high, seed=seed)


class _Fixed:
    """The seed of a function that has no state."""

    def __init__(self, pair):
        self.pair = pair


def _random_flip(name: str, axis: int):
    def call(image, seed=None):
        image = _core.constant(image)
        flipped = _core.flip(image, [axis])
        if image.ndim == 3:
            return _chosen(_core.less(_draw(0.0, 1.0, seed), 0.5), flipped, image)
        one = random.stateless_uniform([image.shape[0], 1, 1, 1], seed.pair) if isinstance(
            seed, _Fixed) else random.uniform([image.shape[0], 1, 1, 1], seed=seed)
        return _chosen(_core.less(one, 0.5), flipped, image)
    call.__name__ = name
    return call


def _chosen(condition, a, b):
    return _core.select(condition, a, b)


random_flip_left_right = _random_flip("random_flip_left_right", -2)
random_flip_up_down = _random_flip("random_flip_up_down", -3)


def random_brightness(image, max_delta, seed=None):
    if max_delta < 0:
        raise ValueError("max_delta must be non-negative.")
    return _color.adjust_brightness(image, _draw(-float(max_delta), float(max_delta), seed))


def _between(lower, upper) -> None:
    if upper <= lower:
        raise ValueError("upper must be > lower.")
    if lower < 0:
        raise ValueError("lower must be non-negative.")


def random_contrast(image, lower, upper, seed=None):
    _between(lower, upper)
    return _color.adjust_contrast(image, _draw(float(lower), float(upper), seed))


def random_saturation(image, lower, upper, seed=None):
    _between(lower, upper)
    return _color.adjust_saturation(image, _draw(float(lower), float(upper), seed))


def random_hue(image, max_delta, seed=None):
    if not 0 <= max_delta <= 0.5:
        raise ValueError("max_delta must be between 0 and 0.5.")
    return _color.adjust_hue(image, _draw(-float(max_delta), float(max_delta), seed))


def random_jpeg_quality(image, min_jpeg_quality, max_jpeg_quality, seed=None):
    quality = int(_draw(float(min_jpeg_quality), float(max_jpeg_quality), seed))
    return _color.adjust_jpeg_quality(image, quality)


def random_crop(value, size, seed=None, name=None):
    """A part of a tensor at a place at random."""
    value, size = _core.constant(value), integers(size)
    size = [whole if part == -1 else part for part, whole in zip(size, value.shape)]
    if len(size) != value.ndim or any(part > whole for part, whole in zip(size, value.shape)):
        raise ValueError(f"Need value.shape >= size, got {tuple(value.shape)} and {tuple(size)}")
    if isinstance(seed, _Fixed):
        share = np.asarray(random.stateless_uniform([value.ndim], seed.pair))
    else:
        share = np.asarray(random.uniform([value.ndim], seed=seed))
    begin = [min(int(part * (whole - wanted + 1)), whole - wanted)
             for part, whole, wanted in zip(share, value.shape, size)]
    if value.dtype == "string":
        return _core.constant(np.asarray(value)[tuple(slice(b, b + s) for b, s in zip(begin, size))])
    return _core.slice(value, begin, size)


def _stateless(function):
    def call(image, *args, seed=None, **kwargs):
        if seed is None and args:
            *args, seed = args
        if seed is None:
            raise TypeError(f"tf.image.stateless_{function.__name__}: the seed is missing")
        return function(image, *args, seed=_Fixed(seed), **kwargs)
    call.__name__ = "stateless_" + function.__name__
    return call


stateless_random_brightness, stateless_random_contrast = map(_stateless, (random_brightness,
                                                                         random_contrast))
stateless_random_saturation, stateless_random_hue = map(_stateless, (random_saturation, random_hue))
stateless_random_crop = _stateless(random_crop)
stateless_random_flip_left_right = _stateless(random_flip_left_right)
stateless_random_flip_up_down = _stateless(random_flip_up_down)


def sample_distorted_bounding_box(*args, **kwargs):
    raise NotImplementedError("tf.image.sample_distorted_bounding_box is not here; use "
                              "tf.image.random_crop and tf.image.resize")
