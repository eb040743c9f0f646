"""What CIFAR-10 and CIFAR-100 share: folders of pickled batches of 32x32 images."""

import os

import numpy as np

from plimsoll.errors import CorruptFile
from plimsoll.keras.datasets.safe_pickle import load_pickle
from plimsoll.keras.utils.file_cache import get_file, keras_home


def find_folder(folder, target, origin, file_hash, last_file) -> str:
    """The folder of the batches in the cache folder, from this or an older Keras, or downloaded.

    folder: its name in the archive; target: the name that get_file() gives the archive's folder.
    """
    datasets = os.path.join(keras_home(), "datasets")
    for parent in (os.path.join(datasets, target), datasets, f"{datasets}/{folder}_extracted"):
        if os.path.exists(os.path.join(parent, folder, last_file)):
            return os.path.join(parent, folder)
    place = get_file(target, origin=origin, extract=True, file_hash=file_hash)
    return os.path.join(place, folder)


def load_batch(path, label_key):
    """Images of shape (records, 3, 32, 32) and labels of shape (records, 1)."""
    with open(path, "rb") as file:
        batch = load_pickle(file, path, encoding="bytes")
    try:
        images, labels = batch[b"data"], batch[label_key.encode()]
        images = np.asarray(images, dtype="uint8").reshape(len(labels), 3, 32, 32)
    except (KeyError, TypeError, ValueError) as error:
        raise CorruptFile(f"{path}: it is not a batch of CIFAR images: {error}") from None
    return images, np.asarray(labels).reshape(len(labels), 1)


def in_data_format(images):
    """Channels last, unless Keras is set to channels_first."""
    from plimsoll.keras.config import image_data_format

    return images.transpose(0, 2, 3, 1) if image_data_format() == "channels_last" else images
