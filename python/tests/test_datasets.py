"""keras.datasets: files of the cache folder and of Debian's packages, and files of strangers."""
import gzip
import hashlib
import json
import os
import pathlib
import pickle
import struct
import urllib.error

import numpy as np
import pytest

from plimsoll.errors import CorruptFile
from plimsoll.keras import datasets
from plimsoll.keras.datasets import (
    boston_housing,
    california_housing,
    cifar10,
    cifar100,
    fashion_mnist,
    files,
    imdb,
    mnist,
    reuters,
)
from plimsoll.keras.datasets.safe_pickle import load_npz

DEBIAN = pathlib.Path("/usr/share/datasets/fashion-mnist")


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty cache folder, no packages, and no way out of this machine."""
    monkeypatch.setenv("KERAS_HOME", str(tmp_path))
    monkeypatch.setattr(files, "_SYSTEM_FOLDER", str(tmp_path / "system"))
    monkeypatch.setattr(files, "_STORAGE", "http://127.0.0.1:9/")
    (tmp_path / "datasets").mkdir()
    return tmp_path / "datasets"


def put(monkeypatch, module, attribute, path):
    """Makes the file at `path` the one that a module expects."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    changed = getattr(module, attribute)
    monkeypatch.setattr(module, attribute, files.DataFile(changed.name, digest))


@pytest.mark.parametrize("load, name", [
    (mnist.load_data, "mnist.npz"),
    (boston_housing.load_data, "boston_housing.npz"),
    (california_housing.load_data, "california_housing.npz"),
    (imdb.load_data, "imdb.npz"),
    (imdb.get_word_index, "imdb_word_index.json"),
    (reuters.load_data, "reuters.npz"),
    (reuters.get_word_index, "reuters_word_index.json"),
    (fashion_mnist.load_data, "fashion-mnist/train-images-idx3-ubyte.gz"),
], ids=lambda value: getattr(value, "__module__", value))
def test_a_file_that_cannot_be_had_is_named_with_its_place(home, load, name):
    with pytest.raises(OSError, match=f"cannot download .* put it at '{home / name}'"):
        load()


@pytest.mark.parametrize("module, name", [(cifar10, "cifar-10-batches-py-target_archive"),
                                          (cifar100, "cifar-100-python-target_archive")])
def test_cifar_that_cannot_be_had_is_named_with_its_place(home, monkeypatch, module, name):
    def no_network(*arguments, **options):
        raise urllib.error.URLError("no network")

    monkeypatch.setattr("urllib.request.urlopen", no_network)
    with pytest.raises(OSError, match=f"no network.* put it at '{home / name}'"):
        module.load_data()


def test_a_debian_package_is_named_where_there_is_one(home):
    with pytest.raises(OSError, match="apt install dataset-fashion-mnist"):
        fashion_mnist.load_data()


def test_mnist_is_read_from_the_cache_folder(home, monkeypatch):
    arrays = {name: np.arange(8, dtype="uint8").reshape(2, 2, 2) for name in
              ("x_train", "y_train", "x_test", "y_test")}
    np.savez(home / "mnist.npz", **arrays)
    put(monkeypatch, mnist, "_FILE", home / "mnist.npz")
    (x_train, y_train), (x_test, y_test) = mnist.load_data()
    assert np.array_equal(x_train, arrays["x_train"]) and y_test.dtype == np.uint8


def test_a_cached_file_with_another_checksum_is_not_read(home, monkeypatch, capsys):
    np.savez(home / "mnist.npz", x_train=np.zeros(3))
    with pytest.raises(OSError, match="cannot download"):
        mnist.load_data()
    assert "incomplete or outdated" in capsys.readouterr().out


def idx(array):
    head = struct.pack(">HBB", 0, 8, array.ndim) + struct.pack(f">{array.ndim}I", *array.shape)
    return head + array.tobytes()


def put_fashion(folder):
    folder.mkdir(parents=True)
    for part, count in (("train", 3), ("t10k", 2)):
        images = np.arange(count * 784, dtype="uint32").astype("uint8").reshape(count, 28, 28)
        labels = np.arange(count, dtype="uint8")
        (folder / f"{part}-images-idx3-ubyte.gz").write_bytes(gzip.compress(idx(images)))
        (folder / f"{part}-labels-idx1-ubyte.gz").write_bytes(gzip.compress(idx(labels)))


@pytest.mark.parametrize("place", ["datasets", "system"])
def test_fashion_mnist_is_read_from_the_cache_folder_or_the_package(home, place):
    put_fashion(home.parent / place / "fashion-mnist")
    (x_train, y_train), (x_test, y_test) = fashion_mnist.load_data()
    assert x_train.shape == (3, 28, 28) and x_test.shape == (2, 28, 28)
    assert y_train.tolist() == [0, 1, 2] and x_train[0, 1, 2] == 30


def test_a_damaged_fashion_mnist_is_named(home):
    put_fashion(home / "fashion-mnist")
    path = home / "fashion-mnist" / "train-labels-idx1-ubyte.gz"
    path.write_bytes(gzip.compress(idx(np.zeros((3, 2), "uint8"))))
    with pytest.raises(CorruptFile, match="train-labels"):
        fashion_mnist.load_data()
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(CorruptFile, match="train-labels"):
        fashion_mnist.load_data()


@pytest.mark.skipif(not DEBIAN.exists(), reason="dataset-fashion-mnist is not installed")
def test_the_package_of_debian_has_all_of_fashion_mnist(home, monkeypatch):
    monkeypatch.setattr(files, "_SYSTEM_FOLDER", str(DEBIAN.parent))
    (x_train, y_train), (x_test, y_test) = fashion_mnist.load_data()
    assert x_train.shape == (60000, 28, 28) and x_test.shape == (10000, 28, 28)
    assert np.bincount(y_train).tolist() == [6000] * 10 and y_test.dtype == np.uint8


def put_cifar(folder, names, keys):
    folder.mkdir(parents=True)
    for number, name in enumerate(names):
        data = np.full((2, 3072), number, dtype="uint8")
        data[:, 1] = 77
        batch = {b"data": data, **{key: [number, number + 1] for key in keys}}
        (folder / name).write_bytes(pickle.dumps(batch))


@pytest.mark.parametrize("folder", ["cifar-10-batches-py-target/cifar-10-batches-py",
                                    "cifar-10-batches-py"])
def test_cifar10_is_read_from_the_folders_of_new_and_old_keras(home, folder):
    names = [f"data_batch_{i}" for i in range(1, 6)] + ["test_batch"]
    put_cifar(home / folder, names, [b"labels"])
    (x_train, y_train), (x_test, y_test) = cifar10.load_data()
    assert x_train.shape == (10, 32, 32, 3) and x_train.dtype == np.uint8
    assert y_train.ravel().tolist() == [0, 1, 1, 2, 2, 3, 3, 4, 4, 5]
    assert y_train.shape == (10, 1) and y_test.dtype == np.uint8
    assert x_train[0, 0, 1, 0] == 77 and x_test[0, 0, 0, 0] == 5


def test_cifar100_has_two_kinds_of_labels(home):
    put_cifar(home / "cifar-100-python", ["train", "test"], [b"fine_labels", b"coarse_labels"])
    (x_train, y_train), (x_test, _) = cifar100.load_data(label_mode="coarse")
    assert x_train.shape == (2, 32, 32, 3) and y_train.tolist() == [[0], [1]]
    with pytest.raises(ValueError, match="label_mode=medium"):
        cifar100.load_data("medium")


class Evil:
    def __reduce__(self):
        return os.mkdir, ("/tmp/plimsoll_was_here",)


def test_a_pickle_that_would_run_something_is_refused(home, tmp_path):
    put_cifar(home / "cifar-100-python", ["train", "test"], [b"fine_labels"])
    (home / "cifar-100-python" / "train").write_bytes(pickle.dumps({b"data": Evil()}))
    with pytest.raises(CorruptFile, match="train: .*mkdir, which no data set does"):
        cifar100.load_data()
    array = np.empty(1, dtype=object)
    array[0] = Evil()
    np.savez(tmp_path / "evil.npz", x=array)
    with pytest.raises(CorruptFile, match="evil.npz: .*mkdir"):
        load_npz(tmp_path / "evil.npz")
    assert not os.path.exists("/tmp/plimsoll_was_here")


def test_a_damaged_pickle_is_named(home):
    put_cifar(home / "cifar-100-python", ["train", "test"], [b"fine_labels"])
    path = home / "cifar-100-python" / "train"
    path.write_bytes(path.read_bytes()[:500])
    with pytest.raises(CorruptFile, match="cifar-100-python/train"):
        cifar100.load_data()


def texts(count, words):
    random = np.random.RandomState(1)
    array = np.empty(count, dtype=object)
    array[:] = [random.randint(1, words, random.randint(2, 9)).tolist() for _ in range(count)]
    return array


def test_imdb_has_lists_of_word_numbers(home, monkeypatch):
    np.savez(home / "imdb.npz", x_train=texts(12, 30), y_train=np.arange(12) % 2,
             x_test=texts(5, 30), y_test=np.arange(5) % 2)
    put(monkeypatch, imdb, "_FILE", home / "imdb.npz")
    (x_train, y_train), (x_test, y_test) = imdb.load_data(num_words=10)
    assert x_train.shape == (12,) and isinstance(x_train[0], list) and y_test.shape == (5,)
    assert all(text[0] == 1 for text in x_train)
    assert max(max(text) for text in x_train) == 9
    (x_train, _), _ = imdb.load_data(start_char=None, index_from=0, oov_char=None, skip_top=5)
    assert min(min(text) for text in x_train if text) >= 5
    (x_train, y_train), _ = imdb.load_data(maxlen=6)
    assert max(map(len, x_train)) == 5 and len(x_train) == len(y_train) < 12
    with pytest.raises(ValueError, match="Increase maxlen"):
        imdb.load_data(maxlen=1)
    with pytest.raises(TypeError, match="words"):
        imdb.load_data(words=3)


def test_reuters_is_split_by_its_seed(home, monkeypatch):
    np.savez(home / "reuters.npz", x=texts(20, 30), y=np.arange(20))
    put(monkeypatch, reuters, "_FILE", home / "reuters.npz")
    (x_train, y_train), (x_test, y_test) = reuters.load_data(test_split=0.25)
    assert len(x_train) == 15 and sorted([*y_train, *y_test]) == list(range(20))
    assert y_train.tolist() != list(range(15))
    assert len(reuters.get_label_names()) == 46


def test_word_indices_are_dictionaries(home, monkeypatch):
    (home / "imdb_word_index.json").write_text(json.dumps({"the": 1}))
    put(monkeypatch, imdb, "_INDEX", home / "imdb_word_index.json")
    assert imdb.get_word_index() == {"the": 1}


def test_houses_are_split_by_their_seed(home, monkeypatch):
    np.savez(home / "boston_housing.npz", x=np.arange(20.0).reshape(10, 2), y=np.arange(10.0))
    put(monkeypatch, boston_housing, "_FILE", home / "boston_housing.npz")
    (x_train, y_train), (x_test, y_test) = boston_housing.load_data()
    assert len(x_train) == 8 and np.array_equal(x_test[:, 0], 2 * y_test)
    with pytest.raises(ValueError, match="test_split"):
        boston_housing.load_data(test_split=1)
    np.savez(home / "california_housing.npz", x=np.zeros((700, 8)), y=np.zeros(700))
    put(monkeypatch, california_housing, "_FILE", home / "california_housing.npz")
    (x_train, _), (x_test, _) = california_housing.load_data(version="small")
    assert len(x_train) + len(x_test) == 600
    with pytest.raises(ValueError, match="version=tiny"):
        california_housing.load_data("tiny")


def test_all_data_sets_can_be_used_without_an_import_of_their_own():
    for name in datasets.__all__:
        assert callable(getattr(datasets, name).load_data)
