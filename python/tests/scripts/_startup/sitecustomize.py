"""The data sets of these tests are made up: their checksums are not the published ones.

Python imports this module when it starts, for its folder is in PYTHONPATH.
"""

from plimsoll.keras.datasets import files
from plimsoll.keras.utils import file_cache


def any_file_is_valid(path, file_hash, algorithm="auto"):
    return True


files.validate_file = file_cache.validate_file = any_file_is_valid
