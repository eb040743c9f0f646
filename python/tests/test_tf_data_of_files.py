"""tf.data: files of lines and records, and lists of files."""

import pytest

import plimsoll.tensorflow as tf

Dataset = tf.data.Dataset


def test_compressed_lines_are_read(tmp_path):
    import gzip
    import zlib

    (tmp_path / "a.gz").write_bytes(gzip.compress(b"one\ntwo\n"))
    (tmp_path / "a.zlib").write_bytes(zlib.compress(b"one\ntwo\n" * 40_000))
    lines = tf.data.TextLineDataset(tmp_path / "a.gz", compression_type="GZIP")
    assert list(lines.as_numpy_iterator()) == [b"one", b"two"]
    lines = tf.data.TextLineDataset(str(tmp_path / "a.zlib"), "ZLIB")
    assert sum(1 for _ in lines.as_numpy_iterator()) == 80_000


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(tf.errors.NotFoundError, match="nowhere.txt"):
        list(tf.data.TextLineDataset("nowhere.txt"))


def test_damaged_records_are_named(tmp_path):
    # One record "abc", as TensorFlow writes it.
    good = bytes.fromhex("0300000000000000b099490e") + b"abc" + bytes.fromhex("6e57f121")
    path = tmp_path / "x.tfrecord"
    path.write_bytes(good * 2)
    assert list(tf.data.TFRecordDataset(str(path)).as_numpy_iterator()) == [b"abc"] * 2
    path.write_bytes(good + good[:-6])
    with pytest.raises(OSError, match="x.tfrecord: record 1 is cut off"):
        list(tf.data.TFRecordDataset(str(path)))
    path.write_bytes(b"\x04" + good[1:])
    with pytest.raises(OSError, match="record 0 has a damaged length"):
        list(tf.data.TFRecordDataset(str(path)))


def test_files_are_listed(tmp_path):
    for name in ("b.txt", "a.txt", "c.md"):
        (tmp_path / name).write_text(name)
    names = list(Dataset.list_files(str(tmp_path / "*.txt"), shuffle=False).as_numpy_iterator())
    assert [name.decode().rsplit("/")[-1] for name in names] == ["a.txt", "b.txt"]
    assert len(Dataset.list_files(str(tmp_path / "*"))) == 3
