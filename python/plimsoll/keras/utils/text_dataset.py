"""Texts in folders as a tf.data.Dataset."""

import functools

import numpy as np

from plimsoll.keras.utils.directory_index import (
    check_labels,
    check_split,
    datasets_of,
    index_directory,
)


def text_dataset_from_directory(
    directory,
    labels="inferred",
    label_mode="int",
    class_names=None,
    batch_size=32,
    max_length=None,
    shuffle=True,
    seed=None,
    validation_split=None,
    subset=None,
    follow_links=False,
    format="tf",
    verbose=True,
):
    """Batches of (texts, labels) from the .txt files of a folder with one sub-folder per class.

    Texts longer than max_length bytes are cut. subset="both" gives a list of the data sets for
    training and validation. The result has the attribute class_names.
    """
    check_labels(labels, label_mode, class_names, "text")
    check_split(validation_split, subset, shuffle, seed)
    if format != "tf":
        raise ValueError(f'`format` should be "tf"; Plimsoll has no other. Received: {format}')
    if labels is None or label_mode is None:
        labels = label_mode = None
    seed = np.random.randint(1_000_000) if seed is None else seed
    index = index_directory(
        directory, labels, (".txt",), class_names, shuffle, seed, follow_links, verbose
    )
    read = functools.partial(_dataset, max_length=max_length)
    what = f"text files found in directory {directory}. Allowed format: .txt"
    return datasets_of(
        index, label_mode, validation_split, subset, batch_size, shuffle, seed, read, what
    )


def _dataset(paths, labels, max_length):
    from plimsoll.keras.utils.file_stage import FileStage
    from plimsoll.tensorflow._specs import TensorSpec
    from plimsoll.tensorflow.data import Dataset

    label_spec = None if labels is None else TensorSpec(labels.shape[1:], labels.dtype.name)

    def read(path):
        with open(path, "rb") as file:
            return np.array(file.read(-1 if max_length is None else max_length), dtype=object)

    return Dataset(FileStage(paths, labels, read, TensorSpec((), "string"), label_spec))
