"""Data sets of files: tf.data.TextLineDataset and tf.data.TFRecordDataset."""

import functools

from plimsoll.tensorflow.data import _files
from plimsoll.tensorflow.data._values import to_array
from plimsoll.tensorflow.data.dataset import Dataset


def _compression(value) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return to_array(value).item().decode()


class TextLineDataset(Dataset):
    """The lines of text files, without their ends."""

    def __init__(
        self, filenames, compression_type=None, buffer_size=None, num_parallel_reads=None, name=None
    ):
        read = functools.partial(_files.lines, compression=_compression(compression_type))
        super().__init__(_files.FilesStage(_files.file_names(filenames), read))


class TFRecordDataset(Dataset):
    """The records of TFRecord files, each as one text."""

    def __init__(
        self, filenames, compression_type=None, buffer_size=None, num_parallel_reads=None, name=None
    ):
        read = functools.partial(_files.tf_records, compression=_compression(compression_type))
        super().__init__(_files.FilesStage(_files.file_names(filenames), read))
