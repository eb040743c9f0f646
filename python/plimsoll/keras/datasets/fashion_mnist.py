"""Pieces of clothing, in the form of MNIST."""

import gzip
import zlib

import numpy as np

from plimsoll.errors import CorruptFile
from plimsoll.keras.datasets.files import DataFile

_HASHES = {
    "train-labels-idx1-ubyte.gz": "25c81989df183df01b3e8a0aad5dffbe",
    "train-images-idx3-ubyte.gz": "8d4fb7e6c68d591d4c3dfef9ec88bf0d",
    "t10k-labels-idx1-ubyte.gz": "bb300cfdad3c16e7a12a480ee83cd310",
    "t10k-images-idx3-ubyte.gz": "bef4ecab320f06d8554ea6380940ec79",
}


def load_data():
    """(x_train, y_train), (x_test, y_test): 60,000 and 10,000 images of 28x28 bytes, labels 0-9."""
    return _load("train"), _load("t10k")


def _load(part):
    images = _read_idx(f"{part}-images-idx3-ubyte.gz", dimensions=3)
    return images, _read_idx(f"{part}-labels-idx1-ubyte.gz", dimensions=1)


def _read_idx(name, dimensions):
    file = DataFile(
        name,
        _HASHES[name],
        subfolder="fashion-mnist",
        same_bytes=False,
        debian_package="dataset-fashion-mnist",
    )
    path = file.find()
    try:
        with gzip.open(path) as stream:
            data = stream.read()
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise CorruptFile(f"{path}: it is not a whole gzip file: {error}") from None
    header = np.frombuffer(data, ">u4", count=1 + dimensions)
    shape = tuple(int(n) for n in header[1:])
    values = np.frombuffer(data, np.uint8, offset=header.nbytes)
    if header[0] != 0x800 + dimensions or values.size != np.prod(shape):
        raise CorruptFile(f"{path}: it is not an IDX file of bytes with {dimensions} dimensions")
    return values.reshape(shape)
