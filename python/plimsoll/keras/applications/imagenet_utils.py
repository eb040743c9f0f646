"""What the numbers of the networks mean: pixels on the way in, classes on the way out."""

import json

import numpy as np

from plimsoll.keras import config, ops

from ._cache import cached_file

CLASS_FILE = "imagenet_class_index.json"
CLASS_ADDRESS = f"https://storage.googleapis.com/download.tensorflow.org/data/{CLASS_FILE}"

# Per mode: the divisor of all pixels, then the mean and the deviation of each channel.
_SCALES = {
    "caffe": (1.0, (103.939, 116.779, 123.68), None),
    "tf": (127.5, (1.0, 1.0, 1.0), None),
    "torch": (255.0, (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
}
_class_names = None


def preprocess_input(x, data_format=None, mode="caffe"):
    """Images of 0 to 255 as a network was trained on them.

    mode "caffe" turns RGB into BGR and subtracts each channel's mean over ImageNet; "tf" scales to
    -1 … 1; "torch" scales to 0 … 1 and then normalises each channel. A NumPy array of floats is
    changed in place, as in Keras.
    """
    if mode not in _SCALES:
        raise ValueError(f"mode is {mode!r}; one of 'caffe', 'tf' and 'torch' was expected")
    data_format = data_format or config.image_data_format()
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(
            f"data_format is {data_format!r}; 'channels_first' or 'channels_last' was expected"
        )
    axis = len(x.shape) - (3 if data_format == "channels_first" else 1)
    if isinstance(x, np.ndarray):
        return _preprocess_array(x, axis, mode)
    return _preprocess_tensor(x, axis, mode)


def preprocessing(mode):
    """The `preprocess_input` of a network that was trained on images of this mode. None means that
    the network itself scales its pixels."""

    def network_preprocess_input(x, data_format=None):
        return x if mode is None else preprocess_input(x, data_format=data_format, mode=mode)

    network_preprocess_input.__name__ = network_preprocess_input.__qualname__ = "preprocess_input"
    network_preprocess_input.__doc__ = (
        "Returns images as they are: the network scales pixels of 0 to 255 itself."
        if mode is None
        else f"Images of 0 to 255 as this network takes them (mode {mode!r} of imagenet_utils)."
    )
    return network_preprocess_input


def decode_predictions(preds, top=5):
    """The `top` likeliest classes of each row: (number in WordNet, name, probability)."""
    if len(preds.shape) != 2 or preds.shape[1] != 1000:
        raise ValueError(
            f"decode_predictions: a batch of shape (samples, 1000) was expected, found"
            f" {tuple(preds.shape)}; only networks with the 1000 classes of ImageNet have names"
        )
    names = _names_of_classes()
    rows = np.asarray(preds)
    likeliest = np.argsort(rows, axis=1)[:, ::-1][:, :top]
    return [
        [(*names[str(index)], row[index]) for index in indices]
        for row, indices in zip(rows, likeliest)
    ]


def _names_of_classes():
    global _class_names
    if _class_names is None:
        path = cached_file(CLASS_FILE, CLASS_ADDRESS, "decode_predictions")
        _class_names = json.loads(path.read_text())
    return _class_names


def _per_channel(values, axis, rank, dtype):
    shape = [1] * rank
    shape[axis] = 3
    return np.reshape(np.asarray(values, dtype), shape)


def _preprocess_array(x, axis, mode):
    divisor, mean, deviation = _SCALES[mode]
    if not np.issubdtype(x.dtype, np.floating):
        x = x.astype(config.floatx())
    if mode == "caffe":
        x = np.flip(x, axis)
    else:
        x /= divisor
    x -= _per_channel(mean, axis, x.ndim, x.dtype)
    if deviation is not None:
        x /= _per_channel(deviation, axis, x.ndim, x.dtype)
    return x


def _preprocess_tensor(x, axis, mode):
    divisor, mean, deviation = _SCALES[mode]
    rank = len(x.shape)
    x = ops.flip(x, axis=axis) if mode == "caffe" else x / divisor
    x = x - _per_channel(mean, axis, rank, "float32")
    return x if deviation is None else x / _per_channel(deviation, axis, rank, "float32")
