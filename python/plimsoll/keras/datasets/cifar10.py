"""Small colour images of ten classes."""

import os

import numpy as np

from plimsoll.keras.datasets.cifar import find_folder, in_data_format, load_batch


def load_data():
    """(x_train, y_train), (x_test, y_test): 50,000 and 10,000 images of 32x32x3 bytes.

    Labels are 0-9, of shape (records, 1).
    """
    folder = find_folder(
        "cifar-10-batches-py",
        target="cifar-10-batches-py-target",
        origin="https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz",
        file_hash="6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce",
        last_file="test_batch",
    )
    names = [f"data_batch_{i}" for i in range(1, 6)]
    batches = [load_batch(os.path.join(folder, name), "labels") for name in names]
    x_train = np.concatenate([images for images, _ in batches])
    y_train = np.concatenate([labels for _, labels in batches]).astype("uint8")
    x_test, y_test = load_batch(os.path.join(folder, "test_batch"), "labels")
    return (in_data_format(x_train), y_train), (in_data_format(x_test), y_test.astype("uint8"))
