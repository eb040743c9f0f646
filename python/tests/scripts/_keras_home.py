"""Makes a Keras cache folder whose data sets have the usual files and made-up contents."""

import gzip
import io
import json
import os
import pickle
import tarfile
from pathlib import Path

import numpy as np


def make_keras_home(folder):
    """Returns the folder, filled if it is new. It appears whole or not at all."""
    folder = Path(folder)
    if folder.exists():
        return folder
    making = folder.with_name(f"{folder.name}.{os.getpid()}")
    datasets = making / "datasets"
    datasets.mkdir(parents=True)
    _mnist(datasets / "mnist.npz")
    _fashion_mnist(datasets / "fashion-mnist")
    _imdb(datasets / "imdb.npz")
    _cifar10(datasets / "cifar-10-batches-py-target_archive")
    _cifar100(datasets / "cifar-100-python-target_archive")
    _imagenet_classes(making / "models")
    try:
        making.rename(folder)
    except OSError:  # another process was faster
        pass
    return folder


def pictures(count, shape, classes, seed):
    """Pictures whose brightest stripe depends on their class, so that something can be learnt."""
    random = np.random.default_rng(seed)
    labels = random.integers(0, classes, count)
    images = random.integers(0, 100, (count, *shape))
    for image, label in zip(images, labels):
        image[2 + label % 20] += 120
    return images.astype("uint8"), labels


def _mnist(path):
    x_train, y_train = pictures(320, (28, 28), 10, 1)
    x_test, y_test = pictures(80, (28, 28), 10, 2)
    np.savez(path, x_train=x_train, y_train=y_train.astype("uint8"),
             x_test=x_test, y_test=y_test.astype("uint8"))


def _fashion_mnist(folder):
    folder.mkdir()
    for part, count, seed in (("train", 256, 3), ("t10k", 64, 4)):
        images, labels = pictures(count, (28, 28), 10, seed)
        _idx(folder / f"{part}-labels-idx1-ubyte.gz", labels.astype("uint8"))
        _idx(folder / f"{part}-images-idx3-ubyte.gz", images)


def _idx(path, array):
    header = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, dtype=">i4").tobytes()
    with gzip.open(path, "wb") as file:
        file.write(header + array.tobytes())


def _imdb(path):
    random = np.random.default_rng(5)

    def reviews(count):
        rows = [random.integers(1, 600, random.integers(10, 90)).tolist() for _ in range(count)]
        array = np.empty(count, dtype=object)
        array[:] = rows
        return array, random.integers(0, 2, count)

    x_train, y_train = reviews(200)
    x_test, y_test = reviews(60)
    np.savez(path, x_train=x_train, y_train=y_train, x_test=x_test, y_test=y_test)


def _cifar10(path):
    """The reader of CIFAR-10 asks for 10,000 pictures per file: 100 pictures, again and again."""
    files = {}
    for part in (*(f"data_batch_{number}" for number in range(1, 6)), "test_batch"):
        images, labels = pictures(100, (32, 96), 10, len(files) + 10)
        files[f"cifar-10-batches-py/{part}"] = {
            b"data": np.tile(images.reshape(100, 3072), (100, 1)),
            b"labels": np.tile(labels, 100).tolist()}
    _archive(path, files)


def _cifar100(path):
    files = {}
    for part, count in (("train", 200), ("test", 60)):
        images, labels = pictures(count, (32, 96), 100, count)
        files[f"cifar-100-python/{part}"] = {
            b"data": images.reshape(count, 3072), b"fine_labels": labels.tolist(),
            b"coarse_labels": (labels // 5).tolist()}
    _archive(path, files)


def _archive(path, files):
    with tarfile.open(path, "w:xz", preset=1) as archive:
        for name, content in files.items():
            data = pickle.dumps(content, protocol=3)
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))


def _imagenet_classes(folder):
    folder.mkdir()
    index = {str(i): [f"n{i:08d}", f"thing_{i}"] for i in range(1000)}
    (folder / "imagenet_class_index.json").write_text(json.dumps(index))
