"""Prices of houses in Boston, with 13 features."""

from plimsoll.keras.datasets.files import DataFile
from plimsoll.keras.datasets.housing import check_split, load_table, shuffle_and_split

_FILE = DataFile(
    "boston_housing.npz", "f553886a1f8d56431e820c5b82552d9d95cfcb96d1e678153f8839538947dff5"
)


def load_data(path="boston_housing.npz", test_split=0.2, seed=113):
    """(x_train, y_train), (x_test, y_test): 13 features per house, prices in 1,000 dollars."""
    check_split(test_split)
    return shuffle_and_split(*load_table(_FILE.find(path)), test_split, seed)
