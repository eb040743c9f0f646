"""tf.io and tf.train: files, records, checkpoints."""
import subprocess

import numpy as np
import ops_peer
import pytest

import plimsoll.tensorflow as tf


def _example() -> tf.train.Example:
    lists = {"numbers": tf.train.Feature(int64_list=tf.train.Int64List(value=[-1, 2, 2**40])),
             "text": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"ab\0"])),
             "zero": tf.train.Feature(float_list=tf.train.FloatList(value=[0.0]))}
    return tf.train.Example(features=tf.train.Features(feature=lists))


FEATURES = {"numbers": tf.io.FixedLenFeature([3], tf.int64), "text": tf.io.FixedLenFeature([], tf.string),
            "zero": tf.io.FixedLenFeature([], tf.float32),
            "absent": tf.io.FixedLenFeature([2], tf.float32, [1.0, 2.0])}


def test_a_record_is_written_and_read(tmp_path):
    example = _example()
    path = str(tmp_path / "records")
    with tf.io.TFRecordWriter(path) as writer:
        for _ in range(2):
            writer.write(example.SerializeToString())
    read = list(tf.data.TFRecordDataset(path).map(lambda r: tf.io.parse_single_example(r, FEATURES)))
    assert len(read) == 2
    assert read[1]["numbers"].numpy().tolist() == [-1, 2, 2**40]
    assert read[1]["text"].numpy() == b"ab\0" and read[1]["zero"].numpy() == 0
    assert read[1]["absent"].numpy().tolist() == [1.0, 2.0]
    assert tf.train.Example.FromString(example.SerializeToString()) == example


def test_records_are_those_of_tensorflow(tmp_path):
    if not ops_peer.REAL_PYTHON.exists():
        pytest.skip("the environment of the real TensorFlow is not there; make it with ./dev peers")
    path = tmp_path / "records"
    with tf.io.TFRecordWriter(str(path)) as writer:
        writer.write(_example().SerializeToString())
    program = ("import sys, tensorflow as tf\n"
               "record = next(iter(tf.data.TFRecordDataset(sys.argv[1])))\n"
               "f = tf.train.Example.FromString(record.numpy()).features.feature\n"
               "print(list(f['numbers'].int64_list.value), list(f['text'].bytes_list.value),"
               " list(f['zero'].float_list.value))")
    done = subprocess.run([ops_peer.REAL_PYTHON, "-c", program, str(path)], capture_output=True,
                          text=True, timeout=600)
    assert done.stdout.strip() == f"{[-1, 2, 2**40]} {[bytes(b'ab') + bytes(1)]} [0.0]", done.stderr


def test_a_feature_of_another_kind_or_size_is_refused():
    record = _example().SerializeToString()
    with pytest.raises(tf.errors.InvalidArgumentError, match="Data types don't match"):
        tf.io.parse_single_example(record, {"zero": tf.io.FixedLenFeature([], tf.int64)})
    with pytest.raises(tf.errors.InvalidArgumentError, match="values != expected"):
        tf.io.parse_single_example(record, {"numbers": tf.io.FixedLenFeature([2], tf.int64)})
    with pytest.raises(tf.errors.InvalidArgumentError, match="required but could not be found"):
        tf.io.parse_single_example(record, {"other": tf.io.FixedLenFeature([], tf.int64)})
    with pytest.raises(NotImplementedError, match="FixedLenSequenceFeature"):
        tf.io.VarLenFeature(tf.int64)


def test_several_records_are_stacked_and_rows_padded():
    records = [tf.train.Example(features=tf.train.Features(feature={"n": tf.train.Feature(
        int64_list=tf.train.Int64List(value=range(count)))})).SerializeToString() for count in (1, 3)]
    wanted = {"n": tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True)}
    found = tf.io.parse_example(records, wanted)
    assert found["n"].numpy().tolist() == [[0, 0, 0], [0, 1, 2]]


def test_files_are_read_and_written(tmp_path):
    path = str(tmp_path / "folder" / "file.bin")
    tf.io.write_file(path, b"a\0\0")
    assert tf.io.read_file(path).numpy() == b"a\0\0"
    assert tf.io.decode_raw(tf.io.read_file(path), tf.uint8).numpy().tolist() == [97, 0, 0]
    assert tf.io.gfile.exists(path) and tf.io.gfile.glob(str(tmp_path / "*" / "*.bin")) == [path]
    with tf.io.gfile.GFile(path, "w") as file:
        file.write("é")
    assert tf.io.gfile.GFile(path).read() == "é" and tf.io.gfile.GFile(path, "rb").read() == "é".encode()


def test_a_checkpoint_restores_variables_and_keeps_the_last(tmp_path):
    variable = tf.Variable([1.0, 2.0])
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(weights=variable), tmp_path, max_to_keep=2)
    for _ in range(3):
        variable.assign_add([1.0, 1.0])
        manager.save()
    variable.assign([0.0, 0.0])
    other = tf.train.Checkpoint(weights=variable)
    other.restore(tf.train.latest_checkpoint(tmp_path)).assert_existing_objects_matched()
    assert variable.numpy().tolist() == [4.0, 5.0]
    assert [path.rpartition("-")[2] for path in manager.checkpoints] == ["2", "3"]
    assert sorted(path.name for path in tmp_path.glob("*.npz")) == ["ckpt-2.npz", "ckpt-3.npz"]
    with pytest.raises(tf.errors.NotFoundError):
        other.restore(str(tmp_path / "ckpt-1"))


def test_images_are_encoded_and_decoded():
    image = np.random.default_rng(0).integers(0, 256, (3, 5, 3)).astype("uint8")
    data = tf.io.encode_png(image)
    assert np.array_equal(tf.io.decode_image(data), image)
    assert tf.io.decode_png(data, channels=1).shape == (3, 5, 1)
    assert np.asarray(tf.io.decode_image(data, dtype=tf.float32)).max() <= 1.0


@pytest.mark.parametrize("content, sentence", [
    (b"abc", "no WAV file"), (b"RIFF\x04\x00\x00\x00WAVE", "no format or no data"),
    (b"RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x03\x00\x01\x00\x40\x1f\x00\x00\x00\x7d\x00\x00\x04\x00\x20\x00"
     b"data\x00\x00\x00\x00", "found format 3 of 32 bits"),
])
def test_sounds_that_cannot_be_read_are_refused(content, sentence):
    with pytest.raises(ValueError, match=sentence):
        tf.audio.decode_wav(content)
