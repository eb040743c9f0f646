"""Columns of tables as a FeatureSpace takes them."""

import numpy as np

import plimsoll.tensorflow as tf
from plimsoll import _convert, _core


def columns_of(dataset, names) -> dict:
    """All values of these columns, as arrays of one number or text per row."""
    if isinstance(dataset, dict):
        return {name: _upright(np.asarray(_column(dataset, name))) for name in names}
    if not hasattr(dataset, "element_spec"):
        raise ValueError("adapt: expected a tf.data.Dataset of dicts, or a dict of arrays or lists, found "
                         f"{type(dataset).__name__}")
    parts = {name: [] for name in names}
    for element in dataset:
        if not isinstance(element, dict):
            raise ValueError("adapt: the elements of the Dataset must be dicts of columns, found "
                             f"{type(element).__name__}; leave labels out with dataset.map(lambda x, y: x)")
        for name in names:
            parts[name].append(np.atleast_1d(np.asarray(_column(element, name))))
    return {name: _upright(np.concatenate(part)) for name, part in parts.items()}


def _column(data: dict, name):
    if name not in data:
        raise ValueError(f"there is no column called '{name}' (there are {', '.join(map(str, data))})")
    return data[name]


def _upright(array):
    return array[:, None] if array.ndim == 1 else array


def as_inputs(features: dict, data: dict) -> tuple[dict, bool]:
    """The columns as tensors of rows, and whether they were the values of a single row."""
    tensors, is_row = {}, False
    for name, feature in features.items():
        value = _column(data, name)
        tensor = value if _convert.is_tensor(value) else _core.constant(np.asarray(value))
        if feature.dtype != "string" and tensor.dtype.name != feature.dtype:
            tensor = _core.cast(tensor, feature.dtype)
        rank = len(tensor.shape)
        is_row = is_row or rank == 0
        for _ in range(2 - rank):
            tensor = tf.expand_dims(tensor, -1)
        tensors[name] = tensor
    return tensors, is_row


def categories_of(layer) -> int:
    """How many categories the numbers of a layer tell apart; 0 if it does not say so."""
    kind = layer._created.class_name if layer._created is not None else ""
    if kind in ("StringLookup", "IntegerLookup"):
        return layer.vocabulary_size()
    if kind == "CategoryEncoding":
        return layer.num_tokens
    if kind == "Discretization":
        return len(_core.bin_boundaries(layer._created)) + 1
    return layer.num_bins if kind in ("Hashing", "HashedCrossing") else 0
