"""One data set as two."""

import random

import numpy as np


def split_dataset(
    dataset, left_size=None, right_size=None, shuffle=False, seed=None, preferred_backend=None
):
    """Two data sets: the first elements, and the last ones.

    A size is a number of elements or a fraction; without one of them, it gets the rest. The data
    set is an array, a tuple or list of arrays, a dictionary of arrays, or a tf.data.Dataset, which
    is read into memory.
    """
    from plimsoll.tensorflow.data import Dataset

    if left_size is None and right_size is None:
        raise ValueError(
            "At least one of the `left_size` or `right_size` must be specified. Received: "
            "left_size=None and right_size=None"
        )
    batch_size = None
    if isinstance(dataset, Dataset):
        dataset, batch_size = _in_memory(dataset)
    elif not isinstance(dataset, (tuple, list, dict, np.ndarray)):
        raise TypeError(
            "The `dataset` argument must be either a `tf.data.Dataset` object, or a list/tuple of "
            f"arrays. Received: dataset={dataset} of type {type(dataset)}"
        )
    dataset = tuple(dataset) if isinstance(dataset, list) else dataset
    total = _length(dataset)
    left, right = _sizes(left_size, right_size, total)
    order = np.arange(total)
    if shuffle:
        random.Random(seed).shuffle(order)
    halves = []
    for rows in (order[:left], order[total - right :]):
        part = _map(lambda array: array[rows], dataset)
        half = Dataset.from_tensor_slices(part)
        halves.append((half.batch(batch_size) if batch_size else half).prefetch(-1))
    return tuple(halves)


def _map(function, structure):
    if isinstance(structure, tuple):
        return tuple(_map(function, item) for item in structure)
    if isinstance(structure, dict):
        return {key: _map(function, value) for key, value in structure.items()}
    return function(np.asarray(structure))


def _leaves(structure) -> list:
    leaves = []
    _map(leaves.append, structure)
    return leaves


def _length(structure) -> int:
    lengths = {len(leaf) for leaf in _leaves(structure)}
    if not lengths or lengths == {0}:
        raise ValueError("Received an empty dataset. There is nothing to split.")
    if len(lengths) > 1:
        raise ValueError(f"Received arrays with different lengths: {sorted(lengths)}")
    return lengths.pop()


def _in_memory(dataset):
    """All elements of a tf.data.Dataset as arrays, and the size of its batches, if it has any."""
    batch_size = _batch_size(dataset)
    if batch_size:
        dataset = dataset.unbatch()
    elements = list(dataset.as_numpy_iterator())
    if not elements:
        raise ValueError("Received an empty dataset. There is nothing to split.")
    return _stacked(elements), batch_size


def _batch_size(dataset) -> int | None:
    """The size that a Dataset was batched with; None if it was not."""
    stage = dataset._stage
    while stage is not None:
        if type(stage).__name__ == "BatchStage":
            return stage.size
        stage = stage.inputs[0] if len(stage.inputs) == 1 else None
    return None


def _stacked(elements):
    first = elements[0]
    if isinstance(first, tuple):
        return tuple(_stacked([e[i] for e in elements]) for i in range(len(first)))
    if isinstance(first, dict):
        return {key: _stacked([e[key] for e in elements]) for key in first}
    return np.stack([np.asarray(e) for e in elements])


def _sizes(left, right, total) -> tuple[int, int]:
    for name, size in (("left_size", left), ("right_size", right)):
        if size is not None and type(size) not in (int, float):
            raise TypeError(
                f"Invalid `{name}` Type. Expected: int or float or None, Received: {type(size)}"
            )
        if size is not None and not 0 < size < (1 if isinstance(size, float) else total):
            raise ValueError(
                f"`{name}` should be either a positive integer smaller than {total}, or a float "
                f"within the range `[0, 1]`. Received: {name}={size}"
            )
    if isinstance(left, float) and isinstance(right, float) and left + right > 1:
        raise ValueError(
            "The sum of `left_size` and `right_size` is greater than 1. It must be less than or "
            "equal to 1."
        )
    left = round(left * total) if isinstance(left, float) else left
    right = round(right * total) if isinstance(right, float) else right
    left = total - right if left is None else left
    right = total - left if right is None else right
    if left + right > total:
        raise ValueError(
            f"The sum of `left_size` and `right_size` should be smaller than the {total}. "
            f"Received: left_size + right_size = {left + right}"
        )
    if left == 0 or right == 0:
        raise ValueError(
            f"With `dataset` of length={total}, `left_size`={left} and `right_size`={right}. One "
            "of the two parts would be empty. Adjust the sizes."
        )
    return left, right
