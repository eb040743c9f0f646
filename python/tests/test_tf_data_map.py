"""Functions of tf.data run on many records at once only where that gives the same."""

import numpy as np
import pytest

import plimsoll.tensorflow as tf

Dataset = tf.data.Dataset
IMAGES = np.random.default_rng(0).uniform(size=(70, 3, 3)).astype(np.float32)
LABELS = np.arange(70) % 10
SEEN = []
WEIGHTS = np.float32([0.5, 1.0, 2.0])


def _helper(x):
    return x * np.random.uniform()


def _noted(x):
    SEEN.append(1)
    return x


KEEPING = {
    "arithmetic": lambda x, y: (x / 2.0 + 1.0, y * 2),
    "casts": lambda x, y: (tf.cast(x * 255.0, tf.uint8), tf.cast(y, tf.float32)),
    "a dict": lambda x, y: {"image": x, "label": (y, -x)},
    "a list": lambda x, y: [x, y],
    "one hot": lambda x, y: (x, tf.one_hot(y, 10)),
    "a new last axis": lambda x, y: (tf.expand_dims(x, -1), y),
    "a sum over the last axis": lambda x, y: (tf.reduce_sum(x, axis=-1), y),
    "a constant of the program": lambda x, y: (x * WEIGHTS, y),
    "comparisons": lambda x, y: (tf.where(x > 0.5, x, 0.0), y > 3),
    "the last column": lambda x, y: (x[..., -1], y),
}
MIXING = {
    "a sum over all": lambda x, y: tf.reduce_sum(x),
    "a share of the largest": lambda x, y: x / tf.reduce_max(x),
    "a maximum that is rarely reached": lambda x, y: tf.where(tf.reduce_max(x) > 1e9, x, -x),
    "a transposed image": lambda x, y: tf.transpose(x),
    "the first row": lambda x, y: x[0],
    "an axis by its number": lambda x, y: tf.argmax(x, axis=1),
    "a shape by its numbers": lambda x, y: tf.reshape(x, (9,)),
    "rows in reverse": lambda x, y: tf.reverse(x, axis=[0]),
    "a constant": lambda x, y: tf.constant(3.0),
    "a condition of Python": lambda x, y: x if float(x[0, 0]) > 0.5 else -x,
    "values in NumPy": lambda x, y: x.numpy().sum(),
}
DIFFERING = {
    "NumPy's random numbers": lambda x, y: x * np.random.uniform(),
    "random numbers of a helper": lambda x, y: _helper(x),
    "random numbers": lambda x, y: x + tf.random.uniform(()),
    "random numbers of a shape": lambda x, y: x + tf.random.uniform((3, 3)),
    "a call that is noted": lambda x, y: _noted(x),
}


def _mapped(function, count=70):
    return Dataset.from_tensor_slices((IMAGES[:count], LABELS[:count])).map(function)


def _runs_batched(dataset):
    return dataset._stage.records() is not None


def _leaves(element):
    if isinstance(element, (tuple, list)):
        return [leaf for item in element for leaf in _leaves(item)]
    if isinstance(element, dict):
        return [leaf for key in sorted(element) for leaf in _leaves(element[key])]
    return [np.asarray(element)]


def _expected(function):
    for x, y in zip(IMAGES, LABELS):
        yield _leaves(function(tf.constant(x), tf.constant(y)))


def _assert_equal(dataset, function):
    found = list(dataset.as_numpy_iterator())
    for ours, wanted in zip(found, _expected(function), strict=True):
        for leaf, expected in zip(_leaves(ours), wanted, strict=True):
            assert leaf.dtype == expected.dtype
            np.testing.assert_allclose(leaf, expected, rtol=1e-6)


@pytest.mark.parametrize("name", KEEPING)
def test_a_function_that_keeps_records_apart_runs_on_many(name):
    dataset = _mapped(KEEPING[name])
    assert _runs_batched(dataset)
    _assert_equal(dataset, KEEPING[name])


@pytest.mark.parametrize("name", MIXING)
def test_a_function_that_would_mix_records_runs_on_each(name):
    dataset = _mapped(MIXING[name])
    assert not _runs_batched(dataset)
    _assert_equal(dataset, MIXING[name])


@pytest.mark.parametrize("name", DIFFERING)
def test_a_function_whose_calls_differ_runs_on_each(name):
    assert not _runs_batched(_mapped(DIFFERING[name]))


def test_random_numbers_are_others_for_each_element():
    dataset = Dataset.from_tensor_slices(np.zeros(20, np.float32))
    values = list(dataset.map(lambda x: x + tf.random.uniform(())).as_numpy_iterator())
    assert len({float(value) for value in values}) == 20


def test_random_numbers_are_others_for_each_pass_in_a_thread_too():
    zeros = Dataset.from_tensor_slices(np.zeros(5, np.float32))
    dataset = zeros.map(lambda x: x + tf.random.uniform(())).prefetch(2)
    passes = [[float(x) for x in dataset] for _ in range(3)]
    assert len({value for values in passes for value in values}) == 15


def test_a_method_that_draws_whole_numbers_runs_on_each():
    class Flip:
        def flipped(self, x):
            return tf.where(tf.random.uniform((), 0, 2, tf.int32) == 0, x, -x)

        def apply(self, x, y):
            return self.flipped(x)

    assert not _runs_batched(_mapped(Flip().apply))


def test_a_function_with_effects_is_called_once_for_each_element():
    SEEN.clear()
    list(_mapped(DIFFERING["a call that is noted"]))
    assert len(SEEN) == 70


@pytest.mark.parametrize("name", KEEPING)
def test_specs_are_found_without_a_call_on_data(name):
    def unread():
        raise AssertionError("started")
        yield

    signature = (tf.TensorSpec((3, 3), tf.float32), tf.TensorSpec((), tf.int64))
    dataset = Dataset.from_generator(unread, output_signature=signature).map(KEEPING[name])
    assert dataset.element_spec == _mapped(KEEPING[name]).element_spec


def test_unknown_sizes_stay_unknown():
    dataset = Dataset.from_tensor_slices(IMAGES).batch(4).map(lambda x: (x * 2, x[0]))
    assert [spec.shape for spec in dataset.element_spec] == [(None, 3, 3), (3, 3)]


def test_specs_of_functions_that_need_values_come_from_the_first_element():
    dataset = Dataset.from_tensor_slices(IMAGES).batch(4)
    spec = dataset.map(lambda x: tf.constant(x.numpy()[:, 0])).element_spec
    assert spec == tf.TensorSpec((None, 3), tf.float32)


def test_mapped_records_can_be_shuffled_batched_and_cached():
    dataset = _mapped(KEEPING["arithmetic"]).cache().shuffle(70).batch(16)
    for _ in range(2):
        rows = np.concatenate([x for x, _ in dataset.as_numpy_iterator()])
        order = np.argsort(rows[:, 0, 0])
        wanted = IMAGES[np.argsort(IMAGES[:, 0, 0])] / 2 + 1
        np.testing.assert_allclose(rows[order], wanted, rtol=1e-6)


def test_few_numbers_of_rows_are_compiled():
    dataset = _mapped(KEEPING["arithmetic"]).repeat(5).batch(32)
    list(dataset)
    assert len(dataset._stage.inner.inner._row_counts) <= 4


def test_predicates_run_on_many_records():
    dataset = Dataset.from_tensor_slices((IMAGES, LABELS)).filter(lambda x, y: y % 3 == 0)
    labels = [int(y) for _, y in dataset]
    assert dataset._stage.batched
    assert labels == [label for label in LABELS.tolist() if label % 3 == 0]


def test_predicates_that_mix_records_run_on_each():
    dataset = Dataset.from_tensor_slices(IMAGES).filter(lambda x: tf.reduce_max(x) > 0.9)
    assert sum(1 for _ in dataset) == int((IMAGES.max((1, 2)) > 0.9).sum())
    assert not dataset._stage.batched
