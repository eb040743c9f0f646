"""Records of tf.train.Example as tensors."""
import collections

import numpy as np

from plimsoll import _core
from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow._dtypes import as_dtype
from plimsoll.tensorflow._on_values import integers
from plimsoll.tensorflow.train._example import Example, SequenceExample


class FixedLenFeature(collections.namedtuple("FixedLenFeature", ["shape", "dtype", "default_value"])):
    """A feature of one shape in every record."""

    def __new__(cls, shape, dtype, default_value=None):
        return super().__new__(cls, shape, dtype, default_value)


class FixedLenSequenceFeature(collections.namedtuple(
        "FixedLenSequenceFeature", ["shape", "dtype", "allow_missing", "default_value"])):
    """Rows of one shape; how many, the record says. Records of a batch are padded."""

    def __new__(cls, shape, dtype, allow_missing=False, default_value=None):
        return super().__new__(cls, shape, dtype, allow_missing, default_value)


def _refused(name: str):
    class Refused:
        """Refused: the engine has neither sparse nor ragged tensors."""

        def __init__(self, *args, **kwargs):
            raise NotImplementedError(
                f"tf.io.{name}: Plimsoll has neither sparse nor ragged tensors; use "
                "tf.io.FixedLenSequenceFeature([], dtype, allow_missing=True), which gives a dense "
                "tensor of as many values as the record has")
    Refused.__name__ = name
    return Refused


VarLenFeature, RaggedFeature, SparseFeature = map(_refused, ("VarLenFeature", "RaggedFeature",
                                                             "SparseFeature"))


def _array(feature, dtype) -> np.ndarray | None:
    """The values of a feature; None if it has none."""
    kind = feature.WhichOneof() if feature is not None else None
    if kind is None:
        return None
    wanted = "bytes_list" if dtype == "string" else "float_list" if dtype.is_floating else "int64_list"
    if kind != wanted:
        raise InvalidArgument(f"Data types don't match. Expected type: {dtype.name}, found {kind}")
    values = getattr(feature, kind).value
    if dtype == "string":
        found = np.empty(len(values), object)
        found[:] = values
        return found
    return np.array(values, np.float32 if dtype.is_floating else np.int64)


def _default(key: str, wanted, dtype, shape: list) -> np.ndarray:
    if wanted.default_value is None:
        raise InvalidArgument(f"Feature: {key} (data type: {dtype.name}) is required but could not be "
                              "found.")
    value = np.asarray(_core.constant(wanted.default_value, dtype.name))
    return np.broadcast_to(value, shape)


def _feature(key: str, wanted, feature) -> np.ndarray:
    dtype, shape = as_dtype(wanted.dtype), integers(wanted.shape)
    values = _array(feature, dtype)
    if isinstance(wanted, FixedLenSequenceFeature):
        size = int(np.prod(shape))
        values = np.zeros(0, object if dtype == "string" else np.float32) if values is None else values
        return values.reshape(len(values) // max(size, 1), *shape)
    if not isinstance(wanted, FixedLenFeature):
        raise InvalidArgument(f"the feature '{key}' is described by {wanted!r}, expected a "
                              "FixedLenFeature")
    if values is None:
        return _default(key, wanted, dtype, shape)
    if len(values) != int(np.prod(shape)):
        raise InvalidArgument(f"Key: {key}.  Number of {dtype.name} values != expected.  Values size: "
                              f"{len(values)} but output shape: {shape}")
    return values.reshape(shape)


def _record(serialized) -> bytes:
    found = np.asarray(serialized).item() if hasattr(serialized, "numpy") else serialized
    return found if isinstance(found, bytes) else found.encode()


def _arrays(data: bytes, features: dict) -> dict:
    found = Example.FromString(data).features.feature
    return {key: _feature(key, wanted, found.get(key)) for key, wanted in sorted(features.items())}


def _tensor(array: np.ndarray, wanted):
    return _core.constant(array, as_dtype(wanted.dtype).name)


def parse_single_example(serialized, features, example_names=None, name=None) -> dict:
    """The features of one record."""
    arrays = _arrays(_record(serialized), features)
    return {key: _tensor(array, features[key]) for key, array in arrays.items()}


def _padded(rows: list, wanted) -> np.ndarray:
    longest = max(len(row) for row in rows)
    fill = wanted.default_value
    if fill is None:
        fill = b"" if as_dtype(wanted.dtype) == "string" else 0
    found = np.full((len(rows), longest, *rows[0].shape[1:]), fill, rows[0].dtype)
    for place, row in enumerate(rows):
        found[place, :len(row)] = row
    return found


def parse_example(serialized, features, example_names=None, name=None) -> dict:
    """The features of several records, stacked."""
    given = np.asarray(_core.constant(serialized))
    if not given.ndim:
        return parse_single_example(serialized, features)
    records = [_arrays(_record(each), features) for each in given.ravel()]
    found = {}
    for key, wanted in sorted(features.items()):
        rows = [record[key] for record in records]
        pads = isinstance(wanted, FixedLenSequenceFeature)
        found[key] = _tensor(_padded(rows, wanted) if pads else np.stack(rows), wanted)
    return found


def parse_single_sequence_example(serialized, context_features=None, sequence_features=None,
                                  example_name=None, name=None) -> tuple:
    """The features of the whole and those of the steps."""
    example = SequenceExample.FromString(_record(serialized))
    context = {key: _tensor(_feature(key, wanted, example.context.feature.get(key)), wanted)
               for key, wanted in sorted((context_features or {}).items())}
    steps = {}
    for key, wanted in sorted((sequence_features or {}).items()):
        one = FixedLenFeature(wanted.shape, wanted.dtype)
        rows = [_feature(key, one, each) for each in example.feature_lists.feature_list[key].feature]
        steps[key] = _tensor(np.stack(rows), wanted)
    return context, steps


def parse_sequence_example(*args, **kwargs):
    raise NotImplementedError("tf.io.parse_sequence_example is not here; use "
                              "tf.io.parse_single_sequence_example on each record")
