"""Batches of image files that a table names: a pandas DataFrame or anything with columns."""

import os
import warnings

import numpy as np

from plimsoll.keras.preprocessing.image.iterators import FileIterator
from plimsoll.keras.utils.messages import print_message

_WITHOUT_CLASSES = ("input", "multi_output", "raw", None)


class DataFrameIterator(FileIterator):
    """Batches of the images whose names are in a column of a table.

    The table may be a DataFrame, a dictionary of columns, or whatever gives a column for
    `table[name]`. Rows whose file is not there are left out.
    """

    allowed_class_modes = {"binary", "categorical", "input", "multi_output", "raw", "sparse", None}

    def __init__(
        self,
        dataframe,
        directory=None,
        image_data_generator=None,
        x_col="filename",
        y_col="class",
        weight_col=None,
        target_size=(256, 256),
        color_mode="rgb",
        classes=None,
        class_mode="categorical",
        batch_size=32,
        shuffle=True,
        seed=None,
        data_format="channels_last",
        save_to_dir=None,
        save_prefix="",
        save_format="png",
        subset=None,
        interpolation="nearest",
        keep_aspect_ratio=False,
        dtype="float32",
        validate_filenames=True,
    ):
        self._set_up(
            image_data_generator, target_size, color_mode, data_format, save_to_dir, save_prefix,
            save_format, subset, interpolation, keep_aspect_ratio, dtype,
        )
        self.directory = directory or ""
        self.class_mode = class_mode
        self._check(dataframe, x_col, y_col, weight_col, classes)
        names = _column(dataframe, x_col)
        rows = self._existing(names, x_col) if validate_filenames else list(range(len(names)))
        labels = None
        if class_mode not in _WITHOUT_CLASSES:
            rows, labels = self._with_classes(rows, _column(dataframe, y_col), classes)
            labels = dict(zip(rows, labels))
        rows = self._in_split(rows)
        self._take(dataframe, rows, labels, y_col, weight_col)
        self.filenames = [names[row] for row in rows]
        self.samples = len(rows)
        self._tell(validate_filenames)
        self._filepaths = [os.path.join(self.directory, name) for name in self.filenames]
        super().__init__(self.samples, batch_size, shuffle, seed)

    labels = property(
        lambda self: self._targets if self.class_mode in ("multi_output", "raw") else self.classes
    )
    sample_weight = property(lambda self: self._sample_weight)

    def _check(self, table, x_col, y_col, weight_col, classes):
        mode = self.class_mode
        if mode not in self.allowed_class_modes:
            raise ValueError(
                f"Invalid class_mode: {mode}; expected one of: {self.allowed_class_modes}"
            )
        if mode == "multi_output" and not isinstance(y_col, list):
            raise TypeError(
                f'If class_mode="{mode}", y_col must be a list. Received {type(y_col).__name__}.'
            )
        if not all(isinstance(name, str) for name in _column(table, x_col)):
            raise TypeError(f"All values in column x_col={x_col} must be strings.")
        kinds = {"binary": str, "sparse": str, "categorical": (str, list, tuple)}.get(mode)
        if kinds and not all(isinstance(label, kinds) for label in _column(table, y_col)):
            text = "strings" if kinds is str else "type string, list or tuple"
            raise TypeError(
                f'If class_mode="{mode}", y_col="{y_col}" column values must be {text}.'
            )
        if mode == "binary":
            count = len(set(classes or _column(table, y_col)))
            if count != 2:
                raise ValueError(
                    f'If class_mode="binary" there must be 2 classes. Found {count} classes.'
                )
        if classes and mode in _WITHOUT_CLASSES:
            warnings.warn(f'`classes` will be ignored given the class_mode="{mode}"', stacklevel=3)
        if weight_col and not np.issubdtype(np.asarray(table[weight_col]).dtype, np.number):
            raise TypeError(f"Column weight_col={weight_col} must be numeric.")

    def _existing(self, names, x_col):
        paths = [os.path.join(self.directory, name) for name in names]
        rows = [i for i, path in enumerate(paths) if self._is_image(path)]
        if len(rows) < len(names):
            warnings.warn(
                f'Found {len(names) - len(rows)} invalid image filename(s) in x_col="{x_col}". '
                "These filename(s) will be ignored.",
                stacklevel=3,
            )
        return rows

    def _is_image(self, path) -> bool:
        return path.lower().endswith(self.white_list_formats) and os.path.isfile(path)

    def _with_classes(self, rows, values, classes):
        """The rows that have a label of `classes`, and the numbers of their labels."""
        if classes:
            names = list(dict.fromkeys(classes))
        else:
            names = sorted({name for row in rows for name in _as_list(values[row])})
        self.class_indices = {name: i for i, name in enumerate(names)}
        kept, labels = [], []
        for row in rows:
            listed = (self.class_indices.get(name) for name in _as_list(values[row]))
            known = [number for number in listed if number is not None]
            if known:
                kept.append(row)
                labels.append(known[0] if isinstance(values[row], str) else known)
        return kept, labels

    def _take(self, table, rows, labels, y_col, weight_col):
        """Targets and weights of the rows that are left."""
        if labels is not None:
            self.classes = [labels[row] for row in rows]
        elif self.class_mode == "multi_output":
            self._targets = [np.array([_column(table, c)[r] for r in rows]) for c in y_col]
        elif self.class_mode == "raw":
            columns = y_col if isinstance(y_col, list) else [y_col]
            targets = np.stack([np.asarray(_column(table, c))[rows] for c in columns], axis=-1)
            self._targets = targets if isinstance(y_col, list) else targets[:, 0]
        weights = np.asarray(table[weight_col])[rows] if weight_col else None
        self._sample_weight = weights

    def _tell(self, validated):
        kind = "validated" if validated else "non-validated"
        text = f"Found {self.samples} {kind} image filenames"
        if self.class_mode not in _WITHOUT_CLASSES:
            text += f" belonging to {len(self.class_indices)} classes"
        print_message(text + ".")


def _column(table, name) -> list:
    """A column as a list, whatever the rows are called."""
    column = table[name]
    return column.tolist() if hasattr(column, "tolist") else list(column)


def _as_list(label):
    return [label] if isinstance(label, str) else label
