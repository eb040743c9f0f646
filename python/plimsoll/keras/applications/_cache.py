"""Files of the user's Keras cache, folder `models`: they are checked and never downloaded."""

import pathlib

from ._checksums import CHECKSUMS


def cached_file(name: str, address: str, purpose: str) -> pathlib.Path:
    """The path of a file. The error for a missing one says where it belongs. A wrong checksum is an
    error, too; the files of MobileNet and MobileNetV2 have no checksums."""
    from plimsoll.errors import CorruptFile
    from plimsoll.keras.utils.file_cache import keras_home, validate_file

    path = pathlib.Path(keras_home(), "models", name)
    if not path.is_file():
        raise FileNotFoundError(
            f"{purpose} needs the file {name} in {path.parent}, and it is not there; Plimsoll does"
            f" not download it: fetch it from {address} or copy it from a machine that has it"
        )
    if name in CHECKSUMS and not validate_file(path, CHECKSUMS[name]):
        raise CorruptFile(
            f"{path}: the checksum is not {CHECKSUMS[name]}, so the file is damaged or another one;"
            f" replace it by the one from {address}"
        )
    return path
