"""Image files and arrays: with Pillow if it is installed, else with Plimsoll's own decoders."""

import io
import os
import pathlib
import warnings

import numpy as np

from plimsoll.keras.utils import resampling
from plimsoll.keras.utils.picture import Picture

_MODE_OF_COLOR = {"grayscale": "L", "rgb": "RGB", "rgba": "RGBA"}


def _pillow():
    """The module PIL.Image, None if it is not installed."""
    try:
        from PIL import Image
    except ImportError:
        return None
    return Image


def load_img(
    path, color_mode="rgb", target_size=None, interpolation="nearest", keep_aspect_ratio=False
):
    """The image of a file, or of an io.BytesIO; target_size is (height, width).

    With keep_aspect_ratio the middle part of that shape is resized. The result is a PIL image if
    Pillow is installed, else one with the methods of PIL images that scripts use.
    """
    if color_mode not in _MODE_OF_COLOR:
        raise ValueError('color_mode must be "grayscale", "rgb", or "rgba"')
    image = _decode(_read(path), color_mode, path)
    wanted = _MODE_OF_COLOR[color_mode]
    keeps = wanted == "L" and image.mode in ("L", "I;16", "I")
    if image.mode != wanted and not keeps:
        image = image.convert(wanted)
    if target_size is None or image.size == (target_size[1], target_size[0]):
        return image
    if interpolation not in resampling.INTERPOLATIONS:
        raise ValueError(
            f"Invalid interpolation method {interpolation} specified. Supported methods are "
            f"{', '.join(resampling.INTERPOLATIONS)}"
        )
    box = _middle(image.size, target_size) if keep_aspect_ratio else None
    return image.resize((target_size[1], target_size[0]), _method(image, interpolation), box=box)


def _read(path) -> bytes:
    if isinstance(path, io.BytesIO):
        return path.getvalue()
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"path should be path-like or io.BytesIO, not {type(path)}")
    with open(path, "rb") as file:
        return file.read()


def _decode(data: bytes, color_mode, path):
    pillow = _pillow()
    if pillow is not None:
        return pillow.open(io.BytesIO(data))
    from plimsoll import _core

    name = "image" if isinstance(path, io.BytesIO) else os.fsdecode(path)
    # Grey levels are made of colours as Pillow does; the decoders would round as TensorFlow.
    return Picture(_core.decode_image(data, "rgba" if color_mode == "rgba" else "rgb", name))


def _method(image, interpolation):
    """The name of a filter as the image's own resize() takes it."""
    if isinstance(image, Picture):
        return interpolation
    return getattr(_pillow().Resampling, interpolation.upper())


def _middle(size, target_size):
    """The largest box (left, top, right, bottom) in the middle with the target's shape."""
    width, height = size
    target_height, target_width = target_size
    box_height = min(height, width * target_height // target_width)
    box_width = min(width, height * target_width // target_height)
    left, top = (width - box_width) // 2, (height - box_height) // 2
    return left, top, left + box_width, top + box_height


def img_to_array(img, data_format=None, dtype=None):
    """The pixels of an image as an array with three axes."""
    x = np.asarray(img, dtype=_dtype(dtype))
    if x.ndim == 2:
        x = x[:, :, None]
    if x.ndim != 3:
        raise ValueError(f"Unsupported image shape: {x.shape}")
    return x.transpose(2, 0, 1) if _data_format(data_format) == "channels_first" else x


def array_to_img(x, data_format=None, scale=True, dtype=None):
    """The image of an array with three axes; scale=True spreads its values over 0 to 255."""
    x = np.asarray(x, dtype=_dtype(dtype))
    if x.ndim != 3:
        raise ValueError(
            f"Expected image array to have rank 3 (single image). Got array with shape: {x.shape}"
        )
    if _data_format(data_format) == "channels_first":
        x = x.transpose(1, 2, 0)
    if x.shape[2] not in (1, 3, 4):
        raise ValueError(f"Unsupported channel number: {x.shape[2]}")
    if scale:
        x = x - x.min()
        x = x / (x.max() or 1) * 255
    pillow = _pillow()
    if pillow is None:
        return Picture(x.astype("uint8"))
    if x.shape[2] == 1:
        return pillow.fromarray(x[:, :, 0].astype("int32" if x.max() > 255 else "uint8"))
    return pillow.fromarray(x.astype("uint8"))


def save_img(path, x, data_format=None, file_format=None, scale=True, **kwargs):
    """Writes an array with three axes as an image file; the name or file_format says which kind."""
    if file_format is None and isinstance(path, (str, os.PathLike)):
        file_format = pathlib.Path(path).suffix[1:]
    file_format = (file_format or "").lower()
    file_format = "jpeg" if file_format == "jpg" else file_format
    image = array_to_img(x, data_format=data_format, scale=scale)
    if image.mode == "RGBA" and file_format == "jpeg":
        warnings.warn("JPEG has no transparency; the image is saved without it", stacklevel=2)
        image = image.convert("RGB")
    image.save(path, format=file_format or None, **kwargs)


def _dtype(dtype):
    from plimsoll.keras import config

    return config.floatx() if dtype is None else dtype


def _data_format(data_format) -> str:
    from plimsoll.keras import config

    data_format = str(data_format or config.image_data_format()).lower()
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(
            "The `data_format` argument must be one of `channels_first`, `channels_last`. "
            f"Received: {data_format}"
        )
    return data_format
