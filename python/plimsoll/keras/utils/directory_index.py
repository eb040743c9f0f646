"""Files in folders, one sub-folder per class, listed and split as Keras does."""

import os

import numpy as np

from plimsoll.keras.utils.messages import print_message


def check_labels(labels, label_mode, class_names, what) -> None:
    """Raises what Keras raises for labels that do not go together; `what` is "image" or "text"."""
    if labels not in ("inferred", None):
        if not isinstance(labels, (list, tuple)):
            raise ValueError(
                "`labels` argument should be a list/tuple of integer labels, of the same size as "
                f"the number of {what} files in the target directory. If you wish to infer the "
                "labels from the subdirectory names in the target directory, pass "
                '`labels="inferred"`. '
                "If you wish to get a dataset that only contains the data (no labels), pass "
                "`labels=None`."
            )
        if class_names:
            raise ValueError(
                'You can only pass `class_names` if `labels="inferred"`. Received: '
                f"labels={labels}, and class_names={class_names}"
            )
    if label_mode not in ("int", "categorical", "binary", None):
        raise ValueError(
            '`label_mode` argument must be one of "int", "categorical", "binary", or None. '
            f"Received: label_mode={label_mode}"
        )


def check_split(validation_split, subset, shuffle, seed) -> None:
    """Raises what Keras raises for a split that is not fully described."""
    if validation_split and not 0 < validation_split < 1:
        raise ValueError(
            f"`validation_split` must be between 0 and 1, received: {validation_split}"
        )
    if bool(validation_split) != bool(subset):
        raise ValueError("If `subset` is set, `validation_split` must be set, and inversely.")
    if subset not in ("training", "validation", "both", None):
        raise ValueError(
            f'`subset` must be either "training", "validation" or "both", received: {subset}'
        )
    if validation_split and shuffle and seed is None:
        raise ValueError(
            "If using `validation_split` and shuffling the data, you must provide a `seed` "
            "argument, to make sure that there is no overlap between the training and validation "
            "subset."
        )


def index_directory(
    directory, labels, formats, class_names=None, shuffle=True, seed=None, follow_links=False,
    verbose=True,
):
    """(paths, labels, class_names) of the files of some formats, in Keras's order for a seed.

    labels: "inferred" from the sub-folders, None, or one number per file.
    """
    inferred = isinstance(labels, str)
    folders = _class_folders(directory, class_names) if inferred else [""]
    if not inferred and class_names is not None:
        raise ValueError("`class_names` can only be specified if the labels are inferred")
    found = [_files(os.path.join(directory, name), formats, follow_links) for name in folders]
    paths = [path for files in found for path in files]
    if inferred:
        labels = np.repeat(np.arange(len(folders), dtype="int32"), [len(f) for f in found])
        class_names = folders
    elif labels is not None:
        if len(labels) != len(paths):
            raise ValueError(
                "Expected the lengths of `labels` to match the number of files in the target "
                f"directory. len(labels) is {len(labels)} while we found {len(paths)} files in "
                f"directory {directory}."
            )
        class_names = [str(label) for label in sorted(set(labels))]
        labels = np.asarray(labels, dtype="int32")
    if verbose:
        classes = "" if labels is None else f" belonging to {len(class_names)} classes"
        print_message(f"Found {len(paths)} files{classes}.")
    if shuffle:
        paths, labels = _shuffled(paths, labels, seed)
    return paths, labels, class_names


def _class_folders(directory, class_names) -> list[str]:
    entries = (entry for entry in os.scandir(directory) if entry.is_dir())
    folders = sorted(entry.name for entry in entries if not entry.name.startswith("."))
    if class_names is None:
        return folders
    if not set(class_names).issubset(folders):
        raise ValueError(
            "The `class_names` passed did not match the names of the subdirectories of the target "
            f"directory. Expected: {folders} (or a subset of it), but received: "
            f"class_names={class_names}"
        )
    return list(class_names)


def _files(folder, formats, follow_links) -> list[str]:
    paths = []
    for root, _, names in sorted(os.walk(folder, followlinks=follow_links)):
        paths += [os.path.join(root, n) for n in sorted(names) if n.lower().endswith(formats)]
    return paths


def _shuffled(paths, labels, seed):
    order = np.arange(len(paths))
    np.random.RandomState(seed).shuffle(order)
    return [paths[i] for i in order], None if labels is None else labels[order]


def subset_of(paths, labels, validation_split, subset):
    """The first files are for training, the last part of `validation_split` for validation."""
    if not validation_split:
        return paths, labels
    border = len(paths) - int(validation_split * len(paths))
    part = slice(border) if subset == "training" else slice(border, None)
    count = border if subset == "training" else len(paths) - border
    print_message(f"Using {count} files for {subset}.")
    return paths[part], None if labels is None else labels[part]


def encoded_labels(labels, label_mode, num_classes):
    """Numbers as Keras's data sets have them: int32, a 0 or 1 of shape (1,), or one-hot rows."""
    labels = np.asarray(labels, dtype="int32")
    if label_mode == "int":
        return labels
    if label_mode == "binary":
        return labels.astype("float32")[:, None]
    return np.eye(num_classes, dtype="float32")[labels]


def datasets_of(index, label_mode, validation_split, subset, batch_size, shuffle, seed, read, what):
    """The data set of a subset, or both of them; read(paths, labels) makes an unbatched one.

    what: the end of the sentence that begins with "No" if there are no files.
    """
    paths, labels, class_names = index
    if label_mode == "binary" and len(class_names) != 2:
        raise ValueError(
            'When passing `label_mode="binary"`, there must be exactly 2 class_names. Received: '
            f"class_names={class_names}"
        )
    parts = ("training", "validation") if subset == "both" else (subset,)
    datasets = []
    for part in parts:
        some, numbers = subset_of(paths, labels, validation_split, part)
        if not some:
            raise ValueError(f"No {part + ' ' if part else ''}{what}")
        if label_mode:
            numbers = encoded_labels(numbers, label_mode, len(class_names))
        dataset = read(some, numbers)
        # Keras shuffles what is trained on in each epoch, and keeps the order of the rest.
        if shuffle and not (subset == "both" and part == "validation"):
            dataset = dataset.shuffle(len(some), seed=seed)
        if batch_size is not None:
            dataset = dataset.batch(batch_size)
        dataset = dataset.prefetch(-1)
        dataset.class_names = class_names
        dataset.file_paths = some
        datasets.append(dataset)
    return datasets if subset == "both" else datasets[0]
