"""What the trainer reads from a Dataset is what iterating over it gives."""

import numpy as np
import pytest

import plimsoll.tensorflow as tf
from plimsoll.tensorflow.data._structure import flatten

Dataset = tf.data.Dataset
ROWS = np.arange(66, dtype=np.float64).reshape(22, 3)
LABELS = np.arange(22, dtype=np.uint8)


def _slices(count=22):
    return Dataset.from_tensor_slices((ROWS[:count], LABELS[:count]))


LOWERED = {
    "batches": lambda: _slices().batch(4),
    "whole batches": lambda: _slices().batch(4, drop_remainder=True),
    "a dict": lambda: Dataset.from_tensor_slices(({"b": ROWS, "a": LABELS}, LABELS)).batch(5),
    "numbers": lambda: Dataset.range(3, 20, 2).batch(3),
    "some records": lambda: _slices().skip(3).take(10).shard(2, 1).batch(2),
    "some batches": lambda: _slices().batch(4).skip(1).take(3),
    "the last batches": lambda: _slices().batch(4).skip(4),
    "repetitions": lambda: _slices().repeat(3).batch(4),
    "repetitions of whole batches": lambda: _slices(20).batch(4).repeat(3),
    "records after others": lambda: _slices(7).concatenate(_slices(9)).batch(4),
    "batches after others": lambda: _slices(8).batch(4).concatenate(_slices(9).batch(4)),
    "records side by side": lambda: Dataset.zip((_slices(), Dataset.range(9))).batch(4),
    "batches side by side": lambda: Dataset.zip((_slices().batch(4), Dataset.range(22).batch(4))),
    "fewer batches side by side": lambda: Dataset.zip(
        (_slices().batch(4), Dataset.range(12).batch(4))
    ),
    "a cache and a thread": lambda: _slices().cache().batch(4).prefetch(tf.data.AUTOTUNE),
    "an order that stays": lambda: (
        _slices().shuffle(9, seed=5, reshuffle_each_iteration=False).batch(4)
    ),
    "options": lambda: _slices().batch(4).with_options(tf.data.Options()),
}
STREAMED = {
    "a generator": lambda: Dataset.from_generator(
        lambda: iter([(ROWS[:2], LABELS[:2])] * 3), (tf.float32, tf.uint8)
    ),
    "a function": lambda: _slices().map(lambda x, y: (x * 2, y)).batch(4),
    "a function on batches": lambda: _slices().batch(4).map(lambda x, y: (x * 2, y)),
    "repetitions of a last batch": lambda: _slices().batch(4).repeat(2),
    "batches after a last batch": lambda: _slices().batch(4).concatenate(_slices().batch(4)),
    "different batches side by side": lambda: Dataset.zip(
        (_slices().batch(4), Dataset.range(21).batch(4))
    ),
    "padded batches": lambda: _slices().padded_batch(4),
    "texts": lambda: Dataset.from_tensor_slices((["a", "b", "c"], [1, 2, 3])).batch(2),
    "records that are not batched": lambda: _slices(),
    "batches in another order": lambda: _slices().batch(4).shuffle(3),
    "every second batch": lambda: _slices().batch(4).shard(2, 0),
}


def _batches(dataset):
    return [flatten(batch) for batch in dataset.as_numpy_iterator()]


def _read(source, batch_size, epoch=0):
    return [
        [np.asarray(field) for field in batch] for batch in source.batches(batch_size, False, epoch)
    ]


def _assert_same(found, expected):
    assert len(found) == len(expected)
    for ours, wanted in zip(found, expected):
        for leaf, array in zip(ours, wanted, strict=True):
            assert leaf.dtype == array.dtype
            np.testing.assert_array_equal(leaf, array)


@pytest.mark.parametrize("name", LOWERED)
def test_the_engine_reads_the_same_batches(name):
    dataset = LOWERED[name]()
    kind, source, batch_size, spec = dataset._for_fit()
    assert kind == "source"
    _assert_same(_read(source, batch_size), _batches(dataset))
    assert flatten(spec) == flatten(dataset.element_spec)


@pytest.mark.parametrize("name", STREAMED)
def test_other_data_is_a_stream_of_the_same_batches(name):
    dataset = STREAMED[name]()
    kind, factory, spec, count = dataset._for_fit()
    assert kind == "stream"
    assert spec == dataset.element_spec
    if "order" not in name:
        _assert_same([flatten(batch) for batch in factory()], _batches(dataset))
    assert count in (None, len(list(factory())))


def test_the_fields_of_a_dict_are_in_the_order_of_its_spec():
    dataset = Dataset.from_tensor_slices({"b": ROWS, "a": LABELS}).batch(5)
    _, source, _, spec = dataset._for_fit()
    assert list(spec) == ["a", "b"]
    assert [shape for _, shape in source.specs] == [tuple(s.shape[1:]) for s in spec.values()]


def test_an_endless_data_set_is_a_stream_of_unknown_length():
    kind, factory, _, count = _slices().repeat().shuffle(5).batch(4)._for_fit()
    assert (kind, count) == ("stream", None)
    assert len(next(factory())[1]) == 4


def test_the_engine_shuffles_each_epoch_anew():
    _, source, batch_size, _ = _slices().shuffle(9, seed=5).batch(4)._for_fit()
    first, second = (
        np.concatenate([labels for _, labels in _read(source, batch_size, epoch)])
        for epoch in (0, 1)
    )
    assert sorted(first) == sorted(second) == LABELS.tolist()
    assert first.tolist() != second.tolist()


def test_the_engine_keeps_the_order_of_a_cache():
    _, source, batch_size, _ = _slices().shuffle(9, seed=5).cache().batch(4)._for_fit()
    _assert_same(_read(source, batch_size, 1), _read(source, batch_size, 0))


def test_a_generator_is_not_started_before_it_is_read():
    started = []

    def generate():
        started.append(1)
        yield ROWS[:2].astype(np.float32)

    signature = tf.TensorSpec((None, 3), tf.float32)
    _, factory, _, _ = Dataset.from_generator(generate, output_signature=signature)._for_fit()
    assert not started
    assert len(list(factory())) == 1


def test_the_order_is_that_of_the_engine():
    dataset = _slices().shuffle(9, seed=5, reshuffle_each_iteration=False)
    _, source, _, _ = dataset.batch(22)._for_fit()
    ((_, labels),) = _read(source, 22)
    assert labels.tolist() == [int(y) for _, y in dataset.as_numpy_iterator()]
