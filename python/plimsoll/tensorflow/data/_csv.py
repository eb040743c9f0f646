"""Rows of CSV files: tf.data.experimental.make_csv_dataset and CsvDataset."""

import csv
import glob
import io
import itertools
from collections import OrderedDict

import numpy as np

from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow._dtypes import DType, as_dtype, held_dtype, string
from plimsoll.tensorflow._specs import TensorSpec
from plimsoll.tensorflow.data._batches import BatchStage
from plimsoll.tensorflow.data._files import file_names, opened
from plimsoll.tensorflow.data._order import RepeatStage
from plimsoll.tensorflow.data._shuffle import ShuffleStage
from plimsoll.tensorflow.data._stage import Stage
from plimsoll.tensorflow.data._structure import map_structure
from plimsoll.tensorflow.data._values import to_array
from plimsoll.tensorflow.data.dataset import AUTOTUNE, Dataset


class Format:
    """How the files are written."""

    def __init__(self, header: bool, delimiter: str, quotes: bool, compression):
        self._header, self._compression = header, compression or ""
        quoting = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
        self._options = {"delimiter": delimiter, "quoting": quoting}

    def rows(self, path: str, with_header: bool = False):
        """Lists of cells; the header is left out unless it is asked for."""
        with opened(path, self._compression) as file:
            text = io.TextIOWrapper(file, "utf-8", errors="surrogateescape", newline="")
            rows = (row for row in csv.reader(text, **self._options) if row)
            if self._header and not with_header:
                next(rows, None)
            yield from rows


class RowsStage(Stage):
    """The cells of each row as one array of texts. `places`: those columns of `width` alone."""

    works = True

    def __init__(self, names: list, form: Format, width: int, places: list):
        super().__init__()
        self._names, self._format, self._width, self.places = names, form, width, places

    def spec(self):
        return TensorSpec([len(self.places)], string)

    def sequence(self):
        for name in self._names:
            path = name.decode()
            for number, row in enumerate(self._format.rows(path), 1):
                if len(row) != self._width:
                    raise InvalidArgument(
                        f"{path}: row {number} has {len(row)} fields, expected {self._width}"
                    )
                yield to_array(np.array([row[place] for place in self.places], object))


class Column:
    """A column's element type, and what an empty cell means; None: it may not be empty."""

    def __init__(self, dtype, default=None):
        self.dtype: DType = held_dtype(dtype)
        self._default = default

    def parsed(self, cells: np.ndarray, na_value: bytes, place: int) -> np.ndarray:
        values = [self._value(cell, na_value, place) for cell in cells.ravel()]
        array = np.empty(len(values), self.dtype.as_numpy_dtype)
        array[:] = values
        return array.reshape(cells.shape)

    def _value(self, cell: bytes, na_value: bytes, place: int):
        if cell == b"" or cell == na_value:
            if self._default is None:
                raise InvalidArgument(f"Field {place} is required but missing in record!")
            return self._default
        if self.dtype == "string":
            return cell
        try:
            return float(cell) if self.dtype.is_floating else int(cell)
        except ValueError:
            raise InvalidArgument(
                f"Field {place} in record is not a valid {self.dtype.name}: {cell.decode()}"
            ) from None


def column_of(default) -> Column:
    """An element of record_defaults: a type for a column that is required, or a default."""
    try:
        is_type = isinstance(default, (DType, type, np.dtype))
        return Column(as_dtype(default)) if is_type else _with_default(default)
    except TypeError as error:
        raise TypeError(f"record_defaults: {error}") from error


def _with_default(default) -> Column:
    array = to_array(default).ravel()
    return Column(array.dtype, array.tolist()[0] if len(array) else None)


class ParseStage(Stage):
    """Arrays of cells as a structure of columns. `like` has the number of a column at each leaf."""

    def __init__(self, inner: Stage, columns: list, like, na_value: str):
        super().__init__(inner)
        self._columns, self._like, self._na_value = columns, like, na_value.encode()

    def spec(self):
        axes = self.inner.spec().shape[:-1]
        return map_structure(lambda n: TensorSpec(axes, self._columns[n].dtype), self._like)

    def cardinality(self) -> int:
        return self.inner.cardinality()

    def sequence(self):
        for cells in self.inner.open():
            yield map_structure(
                lambda n, c=cells: self._columns[n].parsed(c[..., n], self._na_value, n),
                self._like,
            )


class CsvDataset(Dataset):
    """The rows of CSV files, each a tuple of numbers and texts."""

    def __init__(
        self,
        filenames,
        record_defaults,
        compression_type=None,
        buffer_size=None,
        header=False,
        field_delim=",",
        use_quote_delim=True,
        na_value="",
        select_cols=None,
        exclude_cols=None,
    ):
        columns = [column_of(default) for default in record_defaults]
        form = Format(header, field_delim, use_quote_delim, compression_type)
        names = file_names(filenames)
        width = len(columns)
        places = list(range(width))
        if select_cols is not None or exclude_cols is not None:
            first = next(form.rows(names[0].decode(), with_header=True), [])
            width = len(first)
            left_out = set(exclude_cols or ())
            places = list(select_cols or [n for n in range(width) if n not in left_out])
        rows = RowsStage(names, form, width, places)
        super().__init__(ParseStage(rows, columns, tuple(range(len(columns))), na_value))


def make_csv_dataset(
    file_pattern,
    batch_size,
    column_names=None,
    column_defaults=None,
    label_name=None,
    select_columns=None,
    field_delim=",",
    use_quote_delim=True,
    na_value="",
    header=True,
    num_epochs=None,
    shuffle=True,
    shuffle_buffer_size=10000,
    shuffle_seed=None,
    prefetch_buffer_size=None,
    num_parallel_reads=None,
    sloppy=False,
    num_rows_for_inference=100,
    compression_type=None,
    ignore_errors=False,
    encoding="utf-8",
):
    """Batches of rows, each a dict of columns by their names, or (dict, label)."""
    patterns = [file_pattern] if isinstance(file_pattern, str) else list(file_pattern)
    files = [name.encode() for p in patterns for name in sorted(glob.glob(p))]
    if not files:
        raise ValueError(f"No files match `file_pattern` {file_pattern}.")
    form = Format(header, field_delim, use_quote_delim, compression_type)
    names = column_names
    if names is None:
        if not header:
            raise ValueError("make_csv_dataset: expected column_names for files without a header")
        names = next(form.rows(files[0].decode(), with_header=True), [])
    places = _chosen_places(names, select_columns)
    chosen = [names[place] for place in places]
    if label_name is not None and label_name not in chosen:
        raise ValueError("`label_name` provided must be one of the columns.")
    rows = RowsStage(files, form, len(names), places)
    columns = _columns(column_defaults, rows, na_value, num_rows_for_inference)
    stage = _shuffled(rows, shuffle, shuffle_buffer_size, shuffle_seed)
    stage = RepeatStage(stage, -1 if num_epochs is None else int(num_epochs))
    stage = BatchStage(stage, batch_size, num_epochs is None)
    dataset = Dataset(ParseStage(stage, columns, _like(chosen, label_name), na_value))
    dataset = dataset.ignore_errors() if ignore_errors else dataset
    return dataset.prefetch(AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size)


def _shuffled(rows: Stage, shuffle: bool, buffer_size: int, seed) -> Stage:
    return ShuffleStage(rows, int(buffer_size), seed, True) if shuffle else rows


def _chosen_places(names: list, selected) -> list:
    if selected is None:
        return list(range(len(names)))
    unknown = [c for c in selected if not isinstance(c, int) and c not in names]
    if unknown:
        raise ValueError(f"make_csv_dataset: there is no column {unknown[0]!r} in {names}")
    return sorted(c if isinstance(c, int) else names.index(c) for c in selected)


def _like(names: list, label_name):
    places = OrderedDict((name, place) for place, name in enumerate(names))
    if label_name is None:
        return places
    label = places.pop(label_name)
    return places, label


def _columns(defaults, rows: RowsStage, na_value: str, count: int) -> list:
    if defaults is not None:
        return [column_of(default) for default in defaults]
    seen = list(itertools.islice(rows.sequence(), count))
    return [_inferred([row[n] for row in seen], na_value.encode()) for n in range(len(rows.places))]


_RANGES = {"int32": 2**31, "int64": 2**63}


def _inferred(cells: list, na_value: bytes) -> Column:
    """The narrowest of int32, int64, float32 and string that all cells are."""
    filled = [cell for cell in cells if cell not in (b"", na_value)]
    for name, end in _RANGES.items():
        try:
            if all(-end <= int(cell) < end for cell in filled):
                return Column(name, 0)
        except ValueError:
            break
    try:
        for cell in filled:
            float(cell)
    except ValueError:
        return Column("string", b"")
    return Column("float32", 0.0)
