"""Makes models and data with real Keras and NumPy, and says what Keras makes of them.

files.py FOLDER

Each NAME.keras that is evaluated or predicted comes with NAME_expected.npz: what Keras predicts.
"""

import gzip
import io
import os
import pathlib
import struct
import sys
import tarfile

os.environ.update(KERAS_BACKEND="tensorflow", TF_ENABLE_ONEDNN_OPTS="0", TF_CPP_MIN_LOG_LEVEL="3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import keras
import numpy as np
import tensorflow as tf

layers = keras.layers
folder = pathlib.Path(sys.argv[1])
rng = np.random.default_rng(1)


def digits():
    """A CNN, and 600 noisy pictures of three kinds in files that are stored, compressed and in Fortran order."""
    labels = rng.integers(0, 3, 600)
    images = rng.standard_normal((600, 12, 12, 1)).astype("float32")
    for i, label in enumerate(labels):
        images[i, 4 * label : 4 * label + 4] += 2
    np.savez(folder / "digits.npz", x=images, y=labels)
    np.savez_compressed(folder / "digits_compressed.npz", x=images, y=labels)
    np.savez(folder / "digits_fortran.npz", x=np.asfortranarray(images), y=labels.astype(">i4"))
    np.save(folder / "digits.npy", images)
    model = keras.Sequential(
        [
            keras.Input((12, 12, 1)),
            layers.Conv2D(4, 3, activation="relu"),
            layers.MaxPooling2D(),
            layers.Flatten(),
            layers.Dense(3, activation="softmax"),
        ]
    )
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.save(folder / "digits.keras")
    np.savez(folder / "digits_expected.npz", y=model.predict(images, verbose=0))


def sides():
    """Two inputs and two outputs, by their names."""
    left, right = keras.Input((3,), name="left"), keras.Input((2,), name="right")
    both = layers.Dense(8, activation="tanh")(layers.Concatenate()([left, right]))
    outputs = [layers.Dense(1, name="size")(both), layers.Dense(4, activation="softmax", name="kind")(both)]
    model = keras.Model([left, right], outputs)
    model.compile("sgd", {"size": "mse", "kind": "sparse_categorical_crossentropy"})
    model.save(folder / "sides.keras")
    data = {
        "right": rng.standard_normal((50, 2)),
        "kind": rng.integers(0, 4, 50),
        "left": rng.standard_normal((50, 3)).astype("float32"),
        "size": rng.standard_normal((50, 1)).astype("float32"),
    }
    np.savez(folder / "sides.npz", **data)
    size, kind = model.predict({"left": data["left"], "right": data["right"]}, verbose=0)
    np.savez(folder / "sides_expected.npz", size=size, kind=kind)


def photos():
    """Pictures that are mostly red or mostly blue, as JPEG and PNG of several sizes, and a model that takes 16 x 20."""
    for kind, channel in [("blue", 2), ("red", 0)]:
        (folder / "photos" / kind).mkdir(parents=True, exist_ok=True)
        for i in range(30):
            height, width = int(rng.integers(10, 60)), int(rng.integers(10, 60))
            image = rng.integers(0, 120, (height, width, 3))
            image[:, :, channel] += 120
            encode = tf.io.encode_png if i % 2 else tf.io.encode_jpeg
            name = f"{i}.{'png' if i % 2 else 'jpg'}"
            tf.io.write_file(str(folder / "photos" / kind / name), encode(image.astype("uint8")))
    for name, units, activation, loss in [
        ("photos", 2, "softmax", "sparse_categorical_crossentropy"),
        ("photos_vectors", 2, "softmax", "categorical_crossentropy"),
        ("photos_binary", 1, "sigmoid", "binary_crossentropy"),
    ]:
        model = keras.Sequential(
            [
                keras.Input((16, 20, 3)),
                layers.Rescaling(1 / 255),
                layers.Conv2D(4, 3, activation="relu"),
                layers.GlobalAveragePooling2D(),
                layers.Dense(units, activation=activation),
            ]
        )
        model.compile(keras.optimizers.Adam(0.05), loss, metrics=["accuracy"])
        model.save(folder / f"{name}.keras")
        images = keras.utils.image_dataset_from_directory(
            folder / "photos", labels=None, image_size=(16, 20), shuffle=False, verbose=False
        )
        np.savez(folder / f"{name}_expected.npz", y=model.predict(images, verbose=0))


def flowers():
    """A table with classes of text."""
    lines = ["length,width,kind"]
    for _ in range(200):
        kind = int(rng.integers(0, 3))
        length, width = rng.normal(2 * kind, 0.5), rng.normal(3 - kind, 0.5)
        lines.append(f'{length:.3f},{width:.3f},"{["rose, red", "aster", "tulip"][kind]}"')
    (folder / "flowers.csv").write_text("\n".join(lines) + "\n")
    for name, loss in [("flowers", "sparse_categorical_crossentropy"), ("flowers_vectors", "categorical_crossentropy")]:
        model = keras.Sequential([keras.Input((2,)), layers.Dense(3, activation="softmax")])
        model.compile(keras.optimizers.Adam(0.1), loss, metrics=["accuracy"])
        model.save(folder / f"{name}.keras")


def any_size():
    """A model that leaves the size of images open, saved without compile."""
    model = keras.Sequential(
        [keras.Input((None, None, 3)), layers.Conv2D(4, 3), layers.GlobalAveragePooling2D(), layers.Dense(2)]
    )
    model.save(folder / "any_size.keras")


def photo_files():
    """Name, bytes and class of each photo, in the order of the folder."""
    for label, kind in enumerate(["blue", "red"]):
        for path in sorted((folder / "photos" / kind).iterdir()):
            yield path.name, path.read_bytes(), label


def shards():
    """The photos in tar archives; in some records the class comes before the image."""
    files = list(photo_files())
    for shard, part in enumerate([files[:25], files[25:]]):
        with tarfile.open(folder / f"photos-{shard}.tar", "w") as archive:
            for number, (name, data, label) in enumerate(part):
                members = [(pathlib.Path(name).suffix, data), (".cls", str(label).encode())]
                for suffix, contents in reversed(members) if number % 9 == 5 else members:
                    info = tarfile.TarInfo(f"{number:05}{suffix}")
                    info.size = len(contents)
                    archive.addfile(info, io.BytesIO(contents))


def bytes_feature(value):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))


def int_feature(value):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))


def write_records(path, records):
    with tf.io.TFRecordWriter(str(path)) as writer:
        for features in records:
            writer.write(tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString())


def records():
    """The photos encoded, and the digits as raw numbers."""
    photos = [{"image/encoded": bytes_feature(data), "label": int_feature(label)} for _, data, label in photo_files()]
    write_records(folder / "photos-1-of-2.tfrecord", photos[:40])
    write_records(folder / "photos-2-of-2.tfrecord", photos[40:])
    (folder / "photos.json").write_text('{"image/encoded": {"decode": "image"}, "label": {}}')
    data = np.load(folder / "digits.npz")
    digits = [
        {"pixels": bytes_feature(x.astype("<f8").tobytes()), "digit": int_feature(int(y))}
        for x, y in zip(data["x"], data["y"])
    ]
    write_records(folder / "digits.tfrecord", digits)
    (folder / "digits.json").write_text('{"digit": {"as": "y"}, "pixels": {"as": "x", "decode": "float64"}}')


def idx():
    """The digits in the format of MNIST, the labels compressed."""
    data = np.load(folder / "digits.npz")
    header = bytes([0, 0, 0x0D, 3]) + struct.pack(">III", 600, 12, 12)
    (folder / "digits-images.idx3").write_bytes(header + data["x"].astype(">f4").tobytes())
    labels = bytes([0, 0, 0x08, 1]) + struct.pack(">I", 600) + data["y"].astype(np.uint8).tobytes()
    (folder / "digits-labels.idx1.gz").write_bytes(gzip.compress(labels))


for make in (digits, sides, photos, flowers, any_size, shards, records, idx):
    keras.utils.set_random_seed(1)
    make()
