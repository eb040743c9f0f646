"""What the data sets of house prices share."""

import numpy as np


def check_split(test_split) -> None:
    if not 0 <= test_split < 1:
        raise ValueError(
            f"Invalid `test_split` argument: {test_split}. It must be between 0 and 1 (exclusive "
            "of 1)."
        )


def load_table(path):
    """The arrays x and y of a .npz file."""
    with np.load(path, allow_pickle=False) as arrays:
        return arrays["x"], arrays["y"]


def shuffle_and_split(x, y, test_split, seed):
    """(x_train, y_train), (x_test, y_test) in the order that Keras makes of a seed."""
    order = np.arange(len(x))
    np.random.RandomState(seed).shuffle(order)
    x, y = x[order], y[order]
    count = int(len(x) * (1 - test_split))
    return (x[:count], y[:count]), (x[count:], y[count:])
