"""What TensorBoard shows, checked here and written by the engine: each function gives a Summary.Value."""
import numpy as np

from plimsoll import _core

# The numbers of TensorFlow's element types.
_TYPES = {"float32": 1, "float64": 2, "int32": 3, "uint8": 4, "int64": 9, "bool": 10}


def _words(description) -> str:
    return "" if description is None else str(description)


def scalar(tag: str, data, description=None) -> bytes:
    number = np.asarray(data, dtype=np.float32)
    if number.ndim:
        raise ValueError(f"tf.summary.scalar: expected one number, found the shape {number.shape}")
    return _core.scalar_summary(tag, float(number), _words(description))


def text(tag: str, data, description=None) -> bytes:
    array = np.asarray(data)
    if array.dtype.kind not in "OSU":
        raise ValueError(f"tf.summary.text: expected texts, found {array.dtype}")
    items = [item if isinstance(item, bytes) else str(item).encode() for item in array.ravel().tolist()]
    return _core.text_summary(tag, items, array.shape, _words(description))


def histogram(tag: str, data, buckets=None, description=None) -> bytes:
    least, largest, counts = bucket_counts(data, 30 if buckets is None else int(buckets))
    return _core.histogram_summary(tag, least, largest, counts, _words(description))


def bucket_counts(data, count: int) -> tuple:
    """The least and the largest number, and how many are in each bucket. Equal ones are all in the last."""
    array = np.asarray(data, dtype=np.float64).ravel()
    array = array[np.isfinite(array)]
    if not array.size or count < 1:
        return 0.0, 0.0, [0] * max(count, 0)
    least, largest = float(array.min()), float(array.max())
    if least == largest:
        return least, largest, [0] * (count - 1) + [array.size]
    return least, largest, np.histogram(array, count, (least, largest))[0].tolist()


def image(tag: str, data, max_outputs=3, description=None) -> bytes:
    from plimsoll.keras.utils.picture import png

    pixels = np.asarray(data)
    if pixels.ndim != 4 or pixels.shape[3] not in (1, 3, 4):
        raise ValueError("tf.summary.image: expected (images, height, width, channels) with 1, 3 or 4 "
                         f"channels, found the shape {pixels.shape}")
    if pixels.dtype.kind == "f":
        pixels = np.floor(np.clip(pixels, 0, 1) * 255.999)
    pictures = [png(each) for each in pixels[:max_outputs].astype(np.uint8)]
    return _core.image_summary(tag, pixels.shape[1], pixels.shape[2], pictures, _words(description))


def any_tensor(tag: str, data, about: bytes) -> bytes:
    array = np.ascontiguousarray(data)
    if array.dtype.name not in _TYPES:
        raise ValueError(f"tf.summary.write: expected numbers, found {array.dtype}")
    return _core.tensor_summary(tag, _TYPES[array.dtype.name], np.shape(data), array.tobytes(), about)
