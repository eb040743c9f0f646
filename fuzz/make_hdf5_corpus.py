"""Makes fuzz/corpus/hdf5_fuzz and keras_archive_fuzz: small files by h5py and Keras, read by the unit tests too.

    $(./dev peers) fuzz/make_hdf5_corpus.py
"""

import os
import pathlib

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
import h5py
import keras
import ml_dtypes
import numpy as np

folder = pathlib.Path(__file__).parent / "corpus" / "hdf5_fuzz"
archives = folder.parent / "keras_archive_fuzz"


def new_file(name, **options):
    return h5py.File(folder / name, "w", **options)


def write_types():
    with new_file("types.h5") as file:
        for order in "<>":
            for kind in ("f2", "f4", "f8"):
                file[order + kind] = np.array([1.5, -2, 0, 96], order + kind)
            for size in "1248":
                file[f"{order}i{size}"] = np.array([1, -2, 0, 96], f"{order}i{size}")
                file[f"{order}u{size}"] = np.array([1, 2, 0, 96], f"{order}u{size}")
        file["bool"] = np.array([True, False])
        file["scalar"] = np.float32(0.25)
        file["half"] = np.array([65504, 2**-24, -(2**-14), np.inf, np.nan], np.float16)
        file["text"] = np.array([b"ab"])
        numbers = np.array([1.5, -2, 0, 96], ml_dtypes.bfloat16)
        file.create_dataset("bfloat16", data=numbers).attrs["dtype"] = "bfloat16"
        file.attrs["variable"] = "grüß"
        file.attrs["bytes"] = b"ascii"
        file.attrs["fixed"] = np.bytes_("fixed")
        file.attrs["list"] = ["a", "bcd", ""]
        file.attrs["fixed_list"] = np.array(["a", "bcd"], "S3")
        file.attrs["number"] = 3


# Element (i, j, k) of x is 100 i + 10 j + k; chunks that go beyond the end, few and many.
def write_chunks():
    x = np.fromfunction(lambda i, j, k: 100 * i + 10 * j + k, (7, 5, 3))
    with new_file("chunked.h5") as file:
        file.create_dataset("x", data=x.astype("f4"), chunks=(2, 3, 2))
        file.create_dataset("y", data=np.arange(7, dtype=">i4"), chunks=(3,), maxshape=(None,))
        file.create_dataset("none", (0, 3), "f4", chunks=(2, 3), maxshape=(None, 3))
    with new_file("compressed.h5") as file:
        file.create_dataset("x", data=x.astype("f4"), chunks=(2, 5, 3), compression="gzip", shuffle=True)
        file.create_dataset("y", data=x.astype("i2"), chunks=(7, 1, 3), compression="gzip")
        file.create_dataset("shuffled", data=x.astype("f8"), chunks=(4, 4, 4), maxshape=(None, 8, 8), shuffle=True)
        file.create_dataset("many", data=np.arange(200, dtype="u1"), chunks=(1,), compression="gzip")


def write_what_is_refused():
    with new_file("soft_link.h5") as file:
        file["a"] = h5py.SoftLink("/b")
    with new_file("external_link.h5") as file:
        file["a"] = h5py.ExternalLink("b.h5", "/b")
    with new_file("external_data.h5") as file:
        file.create_dataset("a", (4,), "f4", external=[("b.raw", 0, h5py.h5f.UNLIMITED)])
    with new_file("virtual.h5", libver=("earliest", "v114")) as file:
        layout = h5py.VirtualLayout((4,), "f4")
        layout[:] = h5py.VirtualSource("b.h5", "b", (4,))
        file.create_virtual_dataset("v", layout)
    with new_file("lzf.h5") as file:
        file.create_dataset("a", data=np.zeros(16, "f4"), compression="lzf")
    with new_file("fletcher32.h5") as file:
        file.create_dataset("a", data=np.zeros(16, "f4"), fletcher32=True)
    with new_file("unwritten_chunk.h5") as file:
        file.create_dataset("a", (8,), "f4", chunks=(4,))[:4] = 1
    with new_file("latest.h5", libver="latest") as file:
        file["a"] = np.zeros(4, "f4")
    with new_file("compound.h5") as file:
        file["a"] = np.zeros(4, [("x", "f4"), ("y", "i4")])
    with new_file("unwritten.h5") as file:
        file.create_dataset("a", (1 << 40,), "f4")


def write_keras():
    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(2, name="d")], name="m")
    model.compile("sgd", "mse")
    model.save_weights(folder / "keras.weights.h5")
    model.save(folder / "keras_whole.h5")
    archives.mkdir(parents=True, exist_ok=True)
    model.save(archives / "model.keras")


folder.mkdir(parents=True, exist_ok=True)
write_types()
write_chunks()
write_what_is_refused()
write_keras()
