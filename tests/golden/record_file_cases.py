"""Files of records: TFRecord files, tar archives and text, their bytes and what TensorFlow reads from them."""

import io
import os
import tarfile
import tempfile

import numpy as np
import tensorflow as tf

from golden_file import Case, generator

RECORDS = 5
LENGTHS = [4, 0, 2, 1, 3]  # of the feature that is not always as long


def int32(data):
    return np.frombuffer(data, np.uint8).astype(np.int32)


def bytes_feature(value):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))


def float_feature(values):
    return tf.train.Feature(float_list=tf.train.FloatList(value=values))


def int_feature(values):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def example(number):
    rng = generator(f"example_{number}")
    image = rng.integers(0, 256, (6, 7, 3)).astype(np.uint8)
    features = {
        "floats": float_feature(rng.standard_normal(6)),
        "label": int_feature([number * 1000 - 7]),
        "raw": bytes_feature(rng.standard_normal(4).astype("<f4").tobytes()),
        "pixels": bytes_feature(rng.integers(0, 256, 6).astype(np.uint8).tobytes()),
        "image/encoded": bytes_feature(tf.io.encode_png(image).numpy()),
        "words": int_feature(rng.integers(-(2**31), 2**31 - 1, LENGTHS[number])),
        "text": bytes_feature(b"a text of no use"),
    }
    if number % 2 == 0:
        features["sometimes"] = float_feature([number + 0.5])
    return tf.train.Example(features=tf.train.Features(feature=features))


def tfrecord_bytes(compression=None):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.tfrecord")
        with tf.io.TFRecordWriter(path, compression) as writer:
            for number in range(RECORDS):
                # Entries of the map sorted, so that the bytes are the same each time.
                writer.write(example(number).SerializeToString(deterministic=True))
        with open(path, "rb") as file:
            return file.read()


def parsed(data):
    spec = {
        "floats": tf.io.FixedLenFeature([3, 2], tf.float32),
        "label": tf.io.FixedLenFeature([], tf.int64),
        "raw": tf.io.FixedLenFeature([], tf.string),
        "pixels": tf.io.FixedLenFeature([], tf.string),
        "image/encoded": tf.io.FixedLenFeature([], tf.string),
        "words": tf.io.VarLenFeature(tf.int64),
        "sometimes": tf.io.FixedLenFeature([], tf.float32, default_value=-1.0),
    }
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.tfrecord")
        with open(path, "wb") as file:
            file.write(data)
        for record in tf.data.TFRecordDataset(path):
            found = tf.io.parse_single_example(record, spec)
            found["raw"] = tf.io.decode_raw(found["raw"], tf.float32)
            found["pixels"] = tf.cast(tf.io.decode_raw(found["pixels"], tf.uint8), tf.float32)
            image = tf.io.decode_image(found.pop("image/encoded"), channels=3)
            found["image"] = tf.image.resize(image, (4, 5))
            words = tf.sparse.to_dense(found["words"])
            found["words"] = tf.pad(words, [[0, 4 - tf.shape(words)[0]]])
            yield found


def tfrecord_case():
    data = tfrecord_bytes()
    case = Case("tfrecord", {"records": RECORDS})
    case.add("file", int32(data))
    records = list(parsed(data))
    for name in records[0]:
        values = np.stack([record[name].numpy() for record in records])
        case.add(name, values.astype(np.int32 if values.dtype == np.int64 else np.float32))
    return case


def compressed_case(compression):
    case = Case(f"tfrecord_{compression.lower()}", {"records": RECORDS})
    case.add("file", int32(tfrecord_bytes(compression)))
    return case


def varint(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def entry(name, feature):
    return field(1, field(1, name.encode()) + field(2, feature))


def wire_case(name, features):
    """An example whose bytes are written here in ways that protobuf reads and seldom writes."""
    found = tf.train.Example.FromString(features).features.feature
    case = Case(name, {"features": sorted(found)})
    case.add("file", int32(features))
    for key, feature in sorted(found.items()):
        if feature.WhichOneof("kind") == "float_list":
            case.add(key, np.array(feature.float_list.value, np.float32))
        else:
            case.add(key, np.array(feature.int64_list.value, np.int32))
    return case


def wire_cases():
    def numbers(*values):
        return b"".join(b"\x08" + varint(value % 2**64) for value in values)

    def floats(*values):
        return b"".join(b"\x0d" + np.float32(value).tobytes() for value in values)

    def packed(*values):
        return field(1, b"".join(varint(value) for value in values))

    unpacked = entry("a", field(2, floats(1.5, -2))) + entry("b", field(3, numbers(3, -4, 500)))
    yield wire_case("example_unpacked", field(1, unpacked))
    parts = field(1, entry("b", field(3, packed(1, 2) + numbers(3)))) + field(1, entry("a", field(2, floats(0.5))))
    yield wire_case("example_in_two_parts", parts)
    switched = entry("a", field(3, packed(9)) + field(2, floats(7)) + field(3, packed(1)) + field(3, packed(2)))
    yield wire_case("example_of_changing_kind", field(1, switched))
    twice = entry("a", field(3, packed(9, 9))) + entry("a", field(3, packed(5)))
    unknown = field(7, b"unknown") + b"\x48\x05" + b"\x51" + bytes(8) + b"\x5d" + bytes(4)
    yield wire_case("example_with_a_name_twice", unknown + field(1, unknown + twice))


def npy_bytes(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def tar_case(name, form, folder):
    """Two records of an image, a class and an array, with a folder and a file of no record among them."""
    tarfile.RECORDSIZE = tarfile.BLOCKSIZE * 2
    file = io.BytesIO()
    classes, arrays, images = [], [], []
    with tarfile.open(fileobj=file, mode="w", format=form) as archive:

        def add(path, data):
            info = tarfile.TarInfo(path)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))

        directory = tarfile.TarInfo(folder + "empty")
        directory.type = tarfile.DIRTYPE
        archive.addfile(directory)
        add(folder + "README", b"no record")
        for number in range(2):
            rng = generator(f"{name}_{number}")
            image = rng.integers(0, 256, (3, 5, 3)).astype(np.uint8)
            encoded = tf.io.encode_png(image).numpy()
            classes.append(int(rng.integers(0, 100)))
            arrays.append(rng.standard_normal((2, 3)).astype(np.float32))
            images.append(tf.image.resize(tf.io.decode_image(encoded), (2, 4)).numpy())
            add(f"{folder}{number:04}.PNG", encoded)
            add(f"{folder}{number:04}.cls", b"%d\n" % classes[-1])
            add(f"{folder}{number:04}.left.npy", npy_bytes(arrays[-1]))
    case = Case(name, {"folder": folder})
    case.add("file", int32(file.getvalue()))
    case.add("cls", np.array(classes, np.int32))
    case.add("npy", np.stack(arrays))
    case.add("image", np.stack(images))
    return case


def text_case(name, text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.txt")
        with open(path, "wb") as file:
            file.write(text)
        lines = [line.numpy() for line in tf.data.TextLineDataset(path)]
    case = Case(name, {"lines": len(lines)})
    case.add("file", int32(text))
    case.add("lengths", np.array([len(line) for line in lines], np.int32))
    case.add("bytes", int32(b"".join(lines)))
    points = [tf.strings.unicode_decode(line, "UTF-8").numpy() for line in lines]
    case.add("code_points", np.concatenate(points).astype(np.int32))
    return case


def cases():
    yield tfrecord_case()
    yield compressed_case("GZIP")
    yield compressed_case("ZLIB")
    yield from wire_cases()
    long_folder = "shards/" + "very_long_names_" * 9
    yield tar_case("tar_ustar", tarfile.USTAR_FORMAT, "shards/" * 15)
    yield tar_case("tar_gnu", tarfile.GNU_FORMAT, long_folder)
    yield tar_case("tar_pax", tarfile.PAX_FORMAT, long_folder + "ü/")
    yield text_case("text_unix", "one\n\nthree ü €\n😀 four\n".encode())
    yield text_case("text_windows", b"one\r\n\r\nthree\r\nlast, without an end")
    yield text_case("text_long", b"".join(b"%d " % n + b"x" * (n * 37 % 211) + b"\n" for n in range(80)))
