"""Summary.Value: the messages that TensorBoard shows, each a tensor and the plugin that shows it."""
import struct

import numpy as np

from plimsoll.tensorflow.train._wire import bytes_field, number_field

# The numbers of TensorFlow's element types.
_TYPES = {"float32": 1, "float64": 2, "int32": 3, "uint8": 4, "int64": 9, "bool": 10}
_STRING = 7
# How TensorBoard stores what a plugin shows.
_SCALARS, _TENSORS, _BLOBS = 1, 2, 3


def _shape(shape: tuple) -> bytes:
    return b"".join(bytes_field(2, number_field(1, size)) for size in shape)


def _tensor(array: np.ndarray) -> bytes:
    """TensorProto."""
    if array.dtype.kind in "OSU":
        return _texts(array.ravel().tolist(), array.shape)
    return (number_field(1, _TYPES[array.dtype.name]) + bytes_field(2, _shape(array.shape))
            + bytes_field(4, np.ascontiguousarray(array).tobytes()))


def _texts(items: list, shape: tuple) -> bytes:
    items = [item if isinstance(item, bytes) else str(item).encode() for item in items]
    return (number_field(1, _STRING) + bytes_field(2, _shape(shape))
            + b"".join(bytes_field(8, item) for item in items))


def metadata(plugin: str, data_class: int, description=None) -> bytes:
    """SummaryMetadata."""
    words = b"" if description is None else bytes_field(3, str(description).encode())
    return bytes_field(1, bytes_field(1, plugin.encode())) + words + number_field(4, data_class)


def _value(tag: str, about: bytes, tensor: bytes) -> bytes:
    return bytes_field(1, tag.encode()) + bytes_field(8, tensor) + bytes_field(9, about)


def scalar(tag: str, data, description=None) -> bytes:
    number = np.asarray(data, dtype=np.float32)
    if number.ndim:
        raise ValueError(f"tf.summary.scalar: expected one number, found the shape {number.shape}")
    return _value(tag, metadata("scalars", _SCALARS, description), _tensor(number))


def text(tag: str, data, description=None) -> bytes:
    array = np.asarray(data)
    if array.dtype.kind not in "OSU":
        raise ValueError(f"tf.summary.text: expected texts, found {array.dtype}")
    return _value(tag, metadata("text", _TENSORS, description), _tensor(array))


def histogram(tag: str, data, buckets=None, description=None) -> bytes:
    array = np.asarray(data, dtype=np.float64).ravel()
    rows = _buckets(array, 30 if buckets is None else int(buckets))
    return _value(tag, metadata("histograms", _TENSORS, description), _tensor(rows))


def _buckets(array: np.ndarray, count: int) -> np.ndarray:
    """(left, right, count) of each bucket. Equal values are all in the last one."""
    if not array.size or count < 1:
        return np.zeros((max(count, 0), 3))
    first, last = array.min(), array.max()
    if first == last:
        rows = np.array([[first, first, 0.0]] * count)
        rows[-1, 2] = array.size
        return rows
    counts, edges = np.histogram(array, count, (first, last))
    return np.stack([edges[:-1], edges[1:], counts], axis=1)


def image(tag: str, data, max_outputs=3, description=None) -> bytes:
    from plimsoll.keras.utils.picture import png

    pixels = np.asarray(data)
    if pixels.ndim != 4 or pixels.shape[3] not in (1, 3, 4):
        raise ValueError("tf.summary.image: expected (images, height, width, channels) with 1, 3 or 4 "
                         f"channels, found the shape {pixels.shape}")
    if pixels.dtype.kind == "f":
        pixels = np.floor(np.clip(pixels, 0, 1) * 255.999)
    pictures = [png(each) for each in pixels[:max_outputs].astype(np.uint8)]
    items = [pixels.shape[2], pixels.shape[1], *pictures]  # the width, the height, and PNG files
    return _value(tag, metadata("images", _BLOBS, description), _texts(items, (len(items),)))


def any_tensor(tag: str, data, about: bytes) -> bytes:
    return _value(tag, about, _tensor(np.asarray(data)))


def event(seconds: float, step: int, contents: bytes) -> bytes:
    """Event with a file version or a summary inside."""
    return b"\x09" + struct.pack("<d", seconds) + number_field(2, step) + contents
