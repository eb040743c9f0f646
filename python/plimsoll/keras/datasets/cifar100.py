"""Small colour images of a hundred classes."""

import os

from plimsoll.keras.datasets.cifar import find_folder, in_data_format, load_batch


def load_data(label_mode="fine"):
    """(x_train, y_train), (x_test, y_test): 50,000 and 10,000 images of 32x32x3 bytes.

    Labels, of shape (records, 1), are 0-99, with label_mode="coarse" the 20 groups of these.
    """
    if label_mode not in ("fine", "coarse"):
        raise ValueError(
            f'`label_mode` must be one of `"fine"`, `"coarse"`. Received: label_mode={label_mode}.'
        )
    folder = find_folder(
        "cifar-100-python",
        target="cifar-100-python-target",
        origin="https://www.cs.toronto.edu/~kriz/cifar-100-python.tar.gz",
        file_hash="85cd44d02ba6437773c5bbd22e183051d648de2e7d6b014e1ef29b855ba677a7",
        last_file="test",
    )
    key = f"{label_mode}_labels"
    x_train, y_train = load_batch(os.path.join(folder, "train"), key)
    x_test, y_test = load_batch(os.path.join(folder, "test"), key)
    return (in_data_format(x_train), y_train), (in_data_format(x_test), y_test)
