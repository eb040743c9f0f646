"""Images in other sizes."""
import numpy as np

from plimsoll import _core
from plimsoll.tensorflow._on_values import integers, values


class ResizeMethod:
    """The names of the ways to resize."""

    BILINEAR, NEAREST_NEIGHBOR, BICUBIC, AREA = "bilinear", "nearest", "bicubic", "area"
    LANCZOS3, LANCZOS5, GAUSSIAN, MITCHELLCUBIC = "lanczos3", "lanczos5", "gaussian", "mitchellcubic"


_NUMBERED = ("bilinear", "nearest", "bicubic", "area")
_KNOWN = ("bilinear", "nearest", "bicubic", "lanczos3", "lanczos5")


def _method(method) -> str:
    name = _NUMBERED[method] if isinstance(method, int) else str(method).lower()
    if name not in (*_KNOWN, "area"):
        raise NotImplementedError(f"tf.image.resize: the method '{name}' is not here (there are: "
                                  f"{', '.join((*_KNOWN, 'area'))})")
    return name


def _kept_ratio(height: int, width: int, size: list) -> list:
    scale = min(size[0] / height, size[1] / width)
    return [max(1, round(height * scale)), max(1, round(width * scale))]


def resize(images, size, method="bilinear", preserve_aspect_ratio=False, antialias=False, name=None):
    """Images (height, width, channels), or a batch of them, in another size; fractions, unless the
    method is nearest."""
    images, size, method = _core.constant(images), integers(size), _method(method)
    if len(size) != 2:
        raise ValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
    if images.ndim not in (3, 4):
        raise ValueError("'images' must have either 3 or 4 dimensions.")
    height, width = images.shape[-3], images.shape[-2]
    if preserve_aspect_ratio:
        size = _kept_ratio(height, width, size)
    if method != "nearest" and [height, width] == size:
        return _core.cast(images, "float32")
    if method == "area":
        return _area(images, size)
    found = _core.operation("Resize", {"size": size, "interpolation": method,
                                       "antialias": bool(antialias and method != "nearest")},
                            [images], {}, "keras.src.ops.image")
    return _core.cast(found, images.dtype.name) if method == "nearest" else found


def _shares(size: int, wanted: int) -> np.ndarray:
    """The share of each old pixel in each new one, along one axis."""
    edges = np.arange(wanted + 1) * (size / wanted)
    places = np.arange(size)
    covered = np.minimum(edges[1:, None], places + 1) - np.maximum(edges[:-1, None], places)
    return (np.maximum(covered, 0) * (wanted / size)).astype(np.float32)


def _area(images, size: list):
    rows = _core.constant(_shares(images.shape[-3], size[0]))
    columns = _core.constant(_shares(images.shape[-2], size[1]))
    before = "hwc" if images.ndim == 3 else "bhwc"
    between, after = before.replace("h", "i"), before.replace("h", "i").replace("w", "j")
    shrunk = _core.einsum(f"{before},ih->{between}", [_core.cast(images, "float32"), rows])
    return _core.einsum(f"{between},jw->{after}", [shrunk, columns])


def resize_with_pad(image, target_height, target_width, method="bilinear", antialias=False):
    """The image with its proportions, in the middle of zeros."""
    image, height, width = _core.constant(image), int(target_height), int(target_width)
    ratio = max(image.shape[-2] / width, image.shape[-3] / height)
    size = [max(1, int(np.floor(image.shape[-3] / ratio))), max(1, int(np.floor(image.shape[-2] / ratio)))]
    small = resize(image, size, method, antialias=antialias)
    top = max(0, int((height - image.shape[-3] / ratio) // 2))
    left = max(0, int((width - image.shape[-2] / ratio) // 2))
    from plimsoll.tensorflow.image._geometry import pad_to_bounding_box

    return pad_to_bounding_box(small, top, left, height, width)


def resize_with_crop_or_pad(image, target_height, target_width):
    """The middle of the image, or the image in the middle of zeros."""
    from plimsoll.tensorflow.image._geometry import crop_to_bounding_box, pad_to_bounding_box

    image, height, width = _core.constant(image), int(target_height), int(target_width)
    high, wide = image.shape[-3], image.shape[-2]
    top, left = max(high - height, 0) // 2, max(wide - width, 0) // 2
    image = crop_to_bounding_box(image, top, left, min(high, height), min(wide, width))
    return pad_to_bounding_box(image, max(height - high, 0) // 2, max(width - wide, 0) // 2, height,
                               width)


def _sampled(image: np.ndarray, rows, columns, method: str, outside: float) -> np.ndarray:
    """The pixels of an image at places between pixels."""
    high, wide = image.shape[:2]
    inside = ((rows >= 0) & (rows <= high - 1))[:, None] & ((columns >= 0) & (columns <= wide - 1))
    rows, columns = np.clip(rows, 0, high - 1), np.clip(columns, 0, wide - 1)
    if method == "nearest":
        found = image[np.round(rows).astype(int)][:, np.round(columns).astype(int)]
    else:
        top, left = np.floor(rows).astype(int), np.floor(columns).astype(int)
        down, right = np.minimum(top + 1, high - 1), np.minimum(left + 1, wide - 1)
        y, x = (rows - top)[:, None, None], (columns - left)[None, :, None]
        upper = image[top][:, left] * (1 - x) + image[top][:, right] * x
        lower = image[down][:, left] * (1 - x) + image[down][:, right] * x
        found = upper * (1 - y) + lower * y
    return np.where(inside[..., None], found, outside)


def _places(low: float, high: float, count: int, size: int) -> np.ndarray:
    if count == 1:
        return np.array([0.5 * (low + high) * (size - 1)])
    return low * (size - 1) + np.arange(count) * (high - low) * (size - 1) / (count - 1)


def crop_and_resize(image, boxes, box_indices, crop_size, method="bilinear", extrapolation_value=0.0,
                    name=None):
    """Parts of images, given as shares of their sizes, in one size."""
    images, boxes, of = values("tf.image.crop_and_resize", image, boxes, box_indices)
    height, width = integers(crop_size)
    found = [_sampled(images[i].astype(np.float64), _places(y1, y2, height, images.shape[1]),
                      _places(x1, x2, width, images.shape[2]), str(method), extrapolation_value)
             for (y1, x1, y2, x2), i in zip(boxes.astype(np.float64), of)]
    return _core.constant(np.stack(found).astype(np.float32))
