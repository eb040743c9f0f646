"""Prices of houses in California, with 8 features."""

from plimsoll.keras.datasets.files import DataFile
from plimsoll.keras.datasets.housing import check_split, load_table, shuffle_and_split

_FILE = DataFile(
    "california_housing.npz", "1a2e3a52e0398de6463aebe6f4a8da34fb21fbb6b934cf88c3425e766f2a1a6f"
)


def load_data(version="large", path="california_housing.npz", test_split=0.2, seed=113):
    """(x_train, y_train), (x_test, y_test): 8 features per district, prices in dollars.

    version="small" has the first 600 districts, "large" all 20,640.
    """
    check_split(test_split)
    if version not in ("small", "large"):
        raise ValueError(
            f"Argument `version` must be one of 'small', 'large'. Received: version={version}"
        )
    x, y = load_table(_FILE.find(path))
    if version == "small":
        x, y = x[:600], y[:600]
    return shuffle_and_split(x, y, test_split, seed)
