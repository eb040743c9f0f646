"""Handwritten digits."""

import numpy as np

from plimsoll.keras.datasets.files import DataFile

_FILE = DataFile(
    "mnist.npz", "731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1"
)


def load_data(path="mnist.npz"):
    """(x_train, y_train), (x_test, y_test): 60,000 and 10,000 images of 28x28 bytes, labels 0-9."""
    with np.load(_FILE.find(path), allow_pickle=False) as arrays:
        return (
            (arrays["x_train"], arrays["y_train"]),
            (arrays["x_test"], arrays["y_test"]),
        )
