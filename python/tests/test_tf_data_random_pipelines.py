"""Random pipelines of tf.data give what a model of plain Python lists gives."""

import random

import numpy as np
import pytest

import plimsoll.tensorflow as tf

Dataset = tf.data.Dataset


def _leafwise(function, element):
    if isinstance(element, tuple):
        return tuple(_leafwise(function, item) for item in element)
    return function(element)


def _leaves(element):
    if isinstance(element, tuple):
        return [leaf for item in element for leaf in _leaves(item)]
    return [np.asarray(element)]


def _stack(group):
    if isinstance(group[0], tuple):
        return tuple(_stack(list(items)) for items in zip(*group))
    return np.stack(group)


def _shapes(elements):
    return {tuple(leaf.shape for leaf in _leaves(element)) for element in elements}


def _take(draw, dataset, model):
    count = draw.randint(-1, len(model) + 2)
    return dataset.take(count), model if count < 0 else model[:count]


def _skip(draw, dataset, model):
    count = draw.randint(0, 4)
    return dataset.skip(count), model[count:]


def _shard(draw, dataset, model):
    count = draw.randint(1, 3)
    index = draw.randrange(count)
    return dataset.shard(count, index), model[index::count]


def _repeat(draw, dataset, model):
    count = draw.randint(0, 3)
    return dataset.repeat(count), model * count


def _repeat_for_ever(draw, dataset, model):
    count = draw.randint(1, 40)
    endless = model * count if model else []
    return dataset.repeat().take(count), endless[:count]


def _concatenate(draw, dataset, model):
    return dataset.concatenate(dataset.skip(1)), model + model[1:]


def _zip(draw, dataset, model):
    count = draw.randint(1, 12)
    numbers = [np.int64(n) for n in range(count)]
    return Dataset.zip((dataset, Dataset.range(count))), list(zip(model, numbers))


def _enumerate(draw, dataset, model):
    return dataset.enumerate(3), [(np.int64(n), e) for n, e in enumerate(model, 3)]


def _batch(draw, dataset, model):
    if len(_shapes(model)) > 1:
        return dataset, model
    size, drop = draw.randint(1, 5), draw.random() < 0.3
    groups = [model[i : i + size] for i in range(0, len(model), size)]
    groups = [group for group in groups if len(group) == size or not drop]
    return dataset.batch(size, drop_remainder=drop), [_stack(group) for group in groups]


def _unbatch(draw, dataset, model):
    if not model or any(0 in (leaf.ndim, len(np.atleast_1d(leaf))) for leaf in _leaves(model[0])):
        return dataset, model
    if any(len({len(leaf) for leaf in _leaves(element)}) > 1 for element in model):
        return dataset, model
    rows = [_leafwise(lambda x: x[i], e) for e in model for i in range(len(_leaves(e)[0]))]
    return dataset.unbatch(), rows


def _map(draw, dataset, model):
    def double(*element):
        return _leafwise(lambda x: x * 2, element if len(element) > 1 else element[0])

    if model and isinstance(model[0], tuple) and len(model[0]) == 1:
        return dataset, model
    return dataset.map(double), [_leafwise(lambda x: x * 2, element) for element in model]


def _first_leaf_sum(element):
    while isinstance(element, tuple):
        element = element[0]
    return element


def _filter(draw, dataset, model):
    def keep(*element):
        return tf.reduce_sum(tf.cast(_first_leaf_sum(element), tf.int64)) % 3 != 0

    kept = [e for e in model if int(np.sum(np.asarray(_first_leaf_sum(e)).astype(int))) % 3 != 0]
    return dataset.filter(keep), kept


def _window(draw, dataset, model):
    if not model or isinstance(model[0], tuple):
        return dataset, model
    size, shift = draw.randint(1, 4), draw.randint(1, 5)
    groups = [model[i : i + size] for i in range(0, len(model), shift)]
    groups = [group for group in groups if len(group) == size]
    if len(_shapes(model)) > 1:
        return dataset, model
    windows = dataset.window(size, shift=shift, drop_remainder=True)
    return windows.flat_map(lambda w: w.batch(size)), [_stack(group) for group in groups]


def _same(method, *arguments):
    return lambda draw, dataset, model: (getattr(dataset, method)(*arguments), model)


STAGES = [
    _take,
    _skip,
    _shard,
    _repeat,
    _repeat_for_ever,
    _concatenate,
    _zip,
    _enumerate,
    _batch,
    _batch,
    _unbatch,
    _map,
    _filter,
    _window,
    _same("cache"),
    _same("prefetch", 2),
    _same("shuffle", 1),
]


def _source(draw):
    size = draw.randint(0, 12)
    if draw.random() < 0.4:
        return Dataset.range(size), [np.int64(n) for n in range(size)]
    rows = np.arange(size * 2, dtype=np.float32).reshape(size, 2)
    numbers = np.arange(size, dtype=np.int32)
    dataset = Dataset.from_tensor_slices((rows, numbers))
    return dataset, list(zip(rows, numbers))


def _check(dataset, model):
    found = list(dataset.as_numpy_iterator())
    assert len(found) == len(model)
    for ours, expected in zip(found, model):
        for leaf, wanted in zip(_leaves(ours), _leaves(expected), strict=True):
            assert leaf.dtype == wanted.dtype
            np.testing.assert_array_equal(leaf, wanted)


@pytest.mark.parametrize("seed", range(150))
def test_a_random_pipeline_gives_what_lists_give(seed):
    draw = random.Random(seed)
    dataset, model = _source(draw)
    for _ in range(draw.randint(1, 6)):
        stage = draw.choice(STAGES)
        dataset, model = stage(draw, dataset, model)
        if len(model) > 300:
            dataset, model = dataset.take(50), model[:50]
    _check(dataset, model)
    _check(dataset, model)
    size = int(dataset.cardinality())
    assert size in (tf.data.UNKNOWN_CARDINALITY, len(model))


@pytest.mark.parametrize("seed", range(40))
def test_a_shuffled_pipeline_has_the_same_elements(seed):
    draw = random.Random(seed)
    dataset, model = _source(draw)
    for _ in range(draw.randint(0, 2)):
        dataset, model = draw.choice([_skip, _shard, _repeat, _zip, _map])(draw, dataset, model)
    shuffled = dataset.shuffle(draw.randint(2, 9), seed=seed)

    def in_order(elements):
        return sorted(
            [[leaf.tolist() for leaf in _leaves(element)] for element in elements], key=repr
        )

    assert in_order(shuffled.as_numpy_iterator()) == in_order(model)
    assert in_order(shuffled.repeat(2).as_numpy_iterator()) == in_order(model * 2)
