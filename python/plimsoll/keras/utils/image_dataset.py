"""Images in folders as a tf.data.Dataset."""

import functools

import numpy as np

from plimsoll import _core
from plimsoll.keras.utils import image_scaling
from plimsoll.keras.utils.directory_index import (
    check_labels,
    check_split,
    datasets_of,
    index_directory,
)

_FORMATS = (".bmp", ".gif", ".jpeg", ".jpg", ".png", ".webp")
_CHANNELS = {"grayscale": 1, "rgb": 3, "rgba": 4}
# The engine reads and scales these itself, with its threads, and leaves out bad files if it is asked to.
_OF_ENGINE = ("bilinear", "area")


def image_dataset_from_directory(
    directory,
    labels="inferred",
    label_mode="int",
    class_names=None,
    color_mode="rgb",
    batch_size=32,
    image_size=(256, 256),
    shuffle=True,
    seed=None,
    validation_split=None,
    subset=None,
    interpolation="bilinear",
    follow_links=False,
    crop_to_aspect_ratio=False,
    pad_to_aspect_ratio=False,
    data_format=None,
    format="tf",
    verbose=True,
):
    """Batches of (images, labels) from a folder that has one sub-folder per class.

    Images are float32 from 0 to 255, or bytes with interpolation="nearest". subset="both" gives a
    list of the data sets for training and validation. The result has the attributes class_names
    and file_paths.
    """
    check_labels(labels, label_mode, class_names, "image")
    check_split(validation_split, subset, shuffle, seed)
    if format != "tf":
        raise ValueError(f'`format` should be "tf"; Plimsoll has no other. Received: {format}')
    if labels is None or label_mode is None:
        labels = label_mode = None
    scaling = _scaling(
        color_mode, image_size, interpolation, crop_to_aspect_ratio, pad_to_aspect_ratio
    )
    seed = np.random.randint(1_000_000) if seed is None else seed
    index = index_directory(
        directory, labels, _FORMATS, class_names, shuffle, seed, follow_links, verbose
    )
    # Labels that are given need not be the numbers of classes from 0 on.
    classes = index[2] if labels == "inferred" else []
    read = functools.partial(_dataset, classes=classes, scaling=scaling, last=_is_last(data_format))
    what = f"images found in directory {directory}. Allowed formats: {_FORMATS}"
    return datasets_of(
        index, label_mode, validation_split, subset, batch_size, shuffle, seed, read, what
    )


def _scaling(color_mode, image_size, interpolation, crop, pad):
    if color_mode not in _CHANNELS:
        raise ValueError(
            '`color_mode` must be one of {"rgb", "rgba", "grayscale"}. Received: '
            f"color_mode={color_mode}"
        )
    if isinstance(image_size, int):
        image_size = (image_size, image_size)
    if not isinstance(image_size, (list, tuple)) or len(image_size) != 2:
        raise ValueError(
            "Invalid `image_size` value. Expected a tuple of 2 integers. Received: "
            f"image_size={image_size}"
        )
    interpolation = interpolation.lower()
    if interpolation not in image_scaling.INTERPOLATIONS:
        raise ValueError(
            f"Argument `interpolation` should be one of {image_scaling.INTERPOLATIONS}. Received: "
            f"interpolation={interpolation}"
        )
    if crop and pad:
        raise ValueError(
            "Only one of `pad_to_aspect_ratio`, `crop_to_aspect_ratio` can be set to `True`."
        )
    aspect = "crop" if crop else "pad" if pad else "stretch"
    return color_mode, tuple(image_size), interpolation, aspect


def _is_last(data_format) -> bool:
    from plimsoll.keras import config

    return (data_format or config.image_data_format()) == "channels_last"


def _dataset(paths, labels, classes, scaling, last):
    from plimsoll.keras.utils.file_stage import FileStage
    from plimsoll.tensorflow._specs import TensorSpec
    from plimsoll.tensorflow.data import Dataset

    color_mode, size, interpolation, aspect = scaling
    channels = _CHANNELS[color_mode]
    shape = (*size, channels) if last else (channels, *size)
    # Pixels that are only copied stay bytes, as with TensorFlow.
    dtype = "uint8" if interpolation == "nearest" else "float32"
    label_spec = None if labels is None else TensorSpec(labels.shape[1:], labels.dtype.name)

    def read(path):
        image = _read_image(path, color_mode)
        image = image_scaling.scaled(image, size, interpolation, aspect).astype(dtype)
        return image if last else image.transpose(2, 0, 1)

    source = None
    if last and interpolation in _OF_ENGINE:
        source = functools.partial(
            _core.image_files,
            class_names=classes,
            color_mode=color_mode,
            size=size,
            interpolation=interpolation,
            aspect=aspect,
        )
    return Dataset(FileStage(paths, labels, read, TensorSpec(shape, dtype), label_spec, source))


def _read_image(path, color_mode):
    """(height, width, channels) of bytes; errors name the file."""
    return np.asarray(_core.read_image(path, color_mode))
