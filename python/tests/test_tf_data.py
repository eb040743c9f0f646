"""tf.data: what holds beyond the elements that a pipeline gives."""

import collections
import gc
import itertools
import time
import traceback

import numpy as np
import pytest

import plimsoll.tensorflow as tf

Dataset = tf.data.Dataset


def _numbers(dataset):
    return [int(x) for x in dataset.as_numpy_iterator()]


# --- elements ---


def test_named_tuples_and_dicts_keep_their_kind():
    Pair = collections.namedtuple("Pair", "left right")
    element = next(iter(Dataset.from_tensor_slices(Pair([1, 2], {"z": [3, 4], "a": [5, 6]}))))
    assert isinstance(element, Pair)
    assert list(element.right) == ["z", "a"]
    assert int(element.right["z"]) == 3


def test_a_named_tuple_is_one_argument_of_a_function():
    Pair = collections.namedtuple("Pair", "left right")
    dataset = Dataset.from_tensor_slices(Pair([1, 2], [10, 20]))
    assert _numbers(dataset.map(lambda pair: pair.left + pair.right)) == [11, 22]


def test_float64_is_held_as_float32():
    dataset = Dataset.from_tensor_slices(np.arange(3, dtype=np.float64))
    assert dataset.element_spec == tf.TensorSpec((), tf.float32)
    assert [x.dtype for x in dataset.as_numpy_iterator()] == [np.float32] * 3


def test_arrays_are_cast_as_they_are_read_and_not_before():
    class Counted(np.ndarray):
        cast = []

        def astype(self, *arguments, **keywords):
            Counted.cast.append(self.size)
            return np.asarray(self).astype(*arguments, **keywords)

    array = np.arange(10_000, dtype=np.float64).view(Counted)
    next(iter(Dataset.from_tensor_slices(array).batch(10).shuffle(3)))
    assert Counted.cast == [10]


def test_arrays_that_as_numpy_iterator_gives_may_be_written():
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    for row in Dataset.from_tensor_slices(array).as_numpy_iterator():
        row += 100
    assert array.max() == 5


def test_pandas_like_columns_are_arrays():
    class Series:
        def __init__(self, values):
            self.values = np.asarray(values)

        def __array__(self, dtype=None, copy=None):
            return self.values

    dataset = Dataset.from_tensor_slices(({"age": Series([1, 2])}, Series([0.5, 1.5])))
    assert dataset.element_spec[0]["age"].dtype == tf.int64
    assert _numbers(dataset.map(lambda x, y: x["age"])) == [1, 2]


@pytest.mark.parametrize("make", [lambda: Dataset.from_tensor_slices([[1, 2], [3]])])
def test_ragged_rows_are_refused_with_what_to_do(make):
    with pytest.raises(ValueError, match="padded_batch"):
        make()


def test_specs_of_ragged_and_sparse_tensors_are_refused():
    with pytest.raises(NotImplementedError, match="ragged"):
        tf.RaggedTensorSpec([None], tf.int32)


@pytest.mark.parametrize("name", ["save", "load", "ragged_batch", "rejection_resample"])
def test_what_is_not_here_says_so(name):
    with pytest.raises(NotImplementedError, match=f"no tf.data.Dataset.{name}"):
        getattr(Dataset.range(3), name)("path")


def test_lengths_that_are_not_known_are_type_errors():
    with pytest.raises(TypeError, match="infinite"):
        len(Dataset.range(3).repeat())
    with pytest.raises(TypeError, match="unknown"):
        len(Dataset.range(3).filter(lambda x: x > 1))
    assert len(Dataset.range(7).batch(2)) == 4
    assert bool(Dataset.range(0))


def test_iterators_end_as_tensorflow_s_do():
    iterator = iter(Dataset.range(1))
    assert int(iterator.get_next()) == 0
    with pytest.raises(tf.errors.OutOfRangeError):
        iterator.get_next()
    assert not bool(iter(Dataset.range(0)).get_next_as_optional().has_value())


def test_reduce_gives_the_last_state():
    assert int(Dataset.range(5).reduce(np.int64(0), lambda state, x: state + x)) == 10
    pairs = Dataset.from_tensor_slices(([1, 2], [3, 4]))
    total, count = pairs.reduce((0, 0), lambda state, e: (state[0] + e[0] * e[1], state[1] + 1))
    assert (int(total), int(count)) == (11, 2)


def test_a_single_element_is_the_only_one():
    assert int(Dataset.from_tensors(3).get_single_element()) == 3
    with pytest.raises(ValueError, match="more than one"):
        Dataset.range(2).get_single_element()
    with pytest.raises(ValueError, match="empty"):
        Dataset.range(0).get_single_element()


def test_options_are_kept_and_unknown_ones_refused():
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
    options.deterministic = False
    dataset = Dataset.range(3).with_options(options).batch(2)
    assert dataset.options().deterministic is False
    assert dataset.options() == options
    with pytest.raises(AttributeError, match="turbo"):
        options.turbo = True


def test_missing_names_say_so():
    with pytest.raises(AttributeError, match="tf.data.experimental.SqlDataset"):
        tf.data.experimental.SqlDataset  # noqa: B018
    with pytest.raises(AttributeError, match="tf.data.Datasett"):
        tf.data.Datasett  # noqa: B018


# --- order ---


def test_a_shuffle_is_another_one_each_time_and_follows_its_seed():
    def orders():
        dataset = Dataset.range(50).shuffle(50, seed=3)
        return [_numbers(dataset) for _ in range(3)]

    first = orders()
    assert first == orders()
    assert first[0] != first[1] != first[2]
    assert first[0] != list(range(50))


def test_a_shuffle_stays_where_that_is_asked_for():
    dataset = Dataset.range(50).shuffle(50, reshuffle_each_iteration=False)
    assert _numbers(dataset) == _numbers(dataset)
    assert _numbers(dataset.repeat(2)) == _numbers(dataset) * 2


def test_each_repetition_is_shuffled_anew():
    numbers = _numbers(Dataset.range(50).shuffle(50).repeat(2))
    assert sorted(numbers[:50]) == sorted(numbers[50:]) == list(range(50))
    assert numbers[:50] != numbers[50:]


def test_a_shuffle_of_endless_repetitions_gives_each_record_in_each():
    numbers = _numbers(Dataset.range(20).repeat().shuffle(5).take(60))
    assert all(sorted(numbers[i : i + 20]) == list(range(20)) for i in (0, 20, 40))


def test_a_shuffle_of_records_takes_no_memory_and_reads_what_is_asked_for():
    class Rows(np.ndarray):
        pass

    rows = np.zeros((1_000_000, 1), np.uint8).view(Rows)
    started = time.perf_counter()
    next(iter(Dataset.from_tensor_slices(rows).shuffle(1_000_000).batch(4)))
    assert time.perf_counter() - started < 0.5


def test_a_permutation_has_every_number_once():
    from plimsoll.tensorflow.data._permutation import Permutation, shuffle_key

    for size in (1, 2, 3, 10, 257):
        order = Permutation(size, shuffle_key(7, 2))(np.arange(size))
        assert sorted(order.tolist()) == list(range(size))


def test_different_shuffles_without_a_seed_differ():
    a, b = (Dataset.range(50).shuffle(50) for _ in range(2))
    assert _numbers(a) != _numbers(b)


def test_sampling_follows_its_weights():
    parts = [Dataset.range(1).repeat(), Dataset.range(1, 2).repeat()]
    numbers = _numbers(Dataset.sample_from_datasets(parts, [0.9, 0.1], seed=1).take(2000))
    assert 0.07 < np.mean(numbers) < 0.13


# --- cache ---


def test_a_cache_keeps_elements_of_a_whole_pass():
    calls = []

    def noted(x):
        calls.append(1)
        return np.asarray(x) * 2

    dataset = Dataset.range(4).map(lambda x: tf.numpy_function(noted, [x], tf.int64)).cache()
    assert _numbers(dataset) == _numbers(dataset) == [0, 2, 4, 6]
    assert len(calls) == 4


def test_a_cache_keeps_the_order_of_the_first_pass():
    dataset = Dataset.range(50).shuffle(50).cache()
    assert _numbers(dataset) == _numbers(dataset)


def test_a_pass_that_is_left_early_keeps_nothing():
    dataset = Dataset.range(4).filter(lambda x: x >= 0).cache()
    next(iter(dataset))
    assert _numbers(dataset) == [0, 1, 2, 3]
    assert _numbers(dataset) == [0, 1, 2, 3]


def test_a_file_keeps_elements_for_a_later_run(tmp_path):
    started = []

    def generate():
        started.append(1)
        yield from range(3)

    for _ in range(2):
        dataset = Dataset.from_generator(generate, tf.int32).cache(str(tmp_path / "kept"))
        assert _numbers(dataset) == _numbers(dataset) == [0, 1, 2]
    assert len(started) == 1


def test_a_file_that_is_cut_off_is_named(tmp_path):
    dataset = Dataset.range(3).cache(str(tmp_path / "kept"))
    _numbers(dataset)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-12])
    with pytest.raises(OSError, match="kept.*cut off"):
        _numbers(dataset)


# --- generators ---


def test_a_generator_is_started_for_each_pass_and_closed_with_it():
    events = []

    def endless():
        events.append("start")
        try:
            yield from itertools.count()
        finally:
            events.append("close")

    dataset = Dataset.from_generator(endless, output_types=tf.int64)
    assert _numbers(dataset.take(2)) == [0, 1]
    assert _numbers(dataset.take(3)) == [0, 1, 2]
    for number in dataset:
        if int(number) == 4:
            break
    del number
    gc.collect()
    assert events == ["start", "close"] * 3


def test_specs_of_a_generator_do_not_start_it():
    def never():
        raise AssertionError("started")
        yield

    dataset = Dataset.from_generator(
        never, output_types=(tf.float32, tf.int32), output_shapes=((None, 2), (None,))
    )
    assert dataset.batch(2).prefetch(1).element_spec[0].shape == (None, None, 2)


def test_the_traceback_of_a_generator_comes_out():
    def failing_generator():
        yield 1
        raise KeyError("the line that failed")

    for dataset in (
        Dataset.from_generator(failing_generator, tf.int32),
        Dataset.from_generator(failing_generator, tf.int32).prefetch(2),
    ):
        with pytest.raises(KeyError, match="the line that failed") as caught:
            _numbers(dataset)
        names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
        assert "failing_generator" in names


def test_what_a_generator_yields_is_checked_by_its_signature():
    dataset = Dataset.from_generator(
        lambda: iter([np.zeros((2, 3))]), output_signature=tf.TensorSpec((2, 4), tf.float32)
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"shape \(2, 3\).*\(2, 4\)"):
        list(dataset)


def test_nothing_is_read_ahead_of_what_is_asked_for():
    given = []

    def generate():
        for number in itertools.count():
            given.append(number)
            yield number

    dataset = Dataset.from_generator(generate, tf.int32).map(lambda x: x + 1).batch(2).take(2)
    assert len(list(dataset)) == 2
    assert given == [0, 1, 2, 3]


# --- errors ---


def test_errors_can_be_left_out():
    def checked(x):
        if int(x) == 1:
            raise ValueError("bad record")
        return x

    assert _numbers(Dataset.range(4).map(checked).ignore_errors()) == [0, 2, 3]
    batches = Dataset.range(6).map(checked).batch(2).ignore_errors()
    assert [b.tolist() for b in batches.as_numpy_iterator()] == [[2, 3], [4, 5]]


def test_an_error_of_a_function_is_its_own():
    def failing_function(x):
        raise LookupError("no such word")

    with pytest.raises(LookupError, match="no such word") as caught:
        list(Dataset.range(2).map(failing_function))
    names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert names[-1] == "failing_function"


# --- memory ---


def test_a_pass_over_a_large_array_takes_the_memory_of_a_batch():
    import tracemalloc

    array = np.zeros((5_000, 1_000), np.float64)
    dataset = Dataset.from_tensor_slices(array).shuffle(5_000).batch(50).prefetch(tf.data.AUTOTUNE)
    tracemalloc.start()
    for batch in dataset:
        assert batch.dtype == tf.float32
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # A batch as float64 and as float32 is 600 kB; the array is 40 MB.
    assert peak < 4_000_000
