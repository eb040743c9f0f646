"""Pipelines of tf.data that run under TensorFlow and under Plimsoll, and reports of their elements.

python tf_data_pipelines.py tensorflow     prints the report as JSON
"""

import importlib
import json
import os
import sys
import tempfile

import numpy as np

from tf_data_from_outside import FROM_OUTSIDE, LABELS, ROWS

PIPELINES = {}


def pipeline(function):
    PIPELINES[function.__name__.replace("_", " ")] = function
    return function


def _table(**functions):
    for name, function in functions.items():
        PIPELINES[name.replace("_", " ")] = function


def _slices(tf, count=8):
    return tf.data.Dataset.from_tensor_slices((ROWS[:count], LABELS[:count]))


def _ragged(tf):
    lengths = [1, 3, 2, 5, 1, 4]
    return tf.data.Dataset.from_generator(
        lambda: (np.full(n, n, np.int32) for n in lengths),
        output_signature=tf.TensorSpec([None], tf.int32),
    )


_table(
    range_of_one=lambda tf: tf.data.Dataset.range(5),
    range_of_two=lambda tf: tf.data.Dataset.range(2, 5),
    range_with_a_step=lambda tf: tf.data.Dataset.range(1, 10, 3),
    range_downwards=lambda tf: tf.data.Dataset.range(5, 1, -2),
    range_of_another_type=lambda tf: tf.data.Dataset.range(3, output_type=tf.int32),
    range_that_is_empty=lambda tf: tf.data.Dataset.range(4, 2),
    range_without_a_step=lambda tf: tf.data.Dataset.range(1, 5, 0),
    slices_of_a_tuple=_slices,
    slices_of_a_list=lambda tf: tf.data.Dataset.from_tensor_slices([1, 2, 3]),
    slices_of_lists_in_a_tuple=lambda tf: tf.data.Dataset.from_tensor_slices(([1, 2], [3.0, 4.0])),
    slices_of_tuples_in_a_list=lambda tf: tf.data.Dataset.from_tensor_slices([(1, 2), (3, 4)]),
    slices_of_a_dict=lambda tf: tf.data.Dataset.from_tensor_slices(
        {"b": [1, 2], "a": (["x", "y"], [1.0, 2.0])}
    ),
    slices_of_texts=lambda tf: tf.data.Dataset.from_tensor_slices(np.array(["a", "bc"])).batch(2),
    slices_of_bytes_and_booleans=lambda tf: tf.data.Dataset.from_tensor_slices(
        (np.arange(4, dtype=np.uint8), np.array([True, False, True, True]))
    ),
    slices_of_different_lengths=lambda tf: tf.data.Dataset.from_tensor_slices(([1, 2], [3])),
    slices_of_a_number=lambda tf: tf.data.Dataset.from_tensor_slices(3),
    slices_of_ragged_rows=lambda tf: tf.data.Dataset.from_tensor_slices([[1, 2], [3]]),
    one_element=lambda tf: tf.data.Dataset.from_tensors({"a": [1, 2], "b": 3.0}),
    take=lambda tf: _slices(tf).take(3),
    take_nothing=lambda tf: _slices(tf).take(0),
    take_all=lambda tf: tf.data.Dataset.range(3).take(-1),
    take_too_many=lambda tf: tf.data.Dataset.range(3).take(9),
    skip=lambda tf: _slices(tf).skip(3),
    skip_all=lambda tf: tf.data.Dataset.range(3).skip(-1),
    skip_too_many=lambda tf: tf.data.Dataset.range(3).skip(5),
    shard=lambda tf: tf.data.Dataset.range(7).shard(3, 1),
    shard_out_of_range=lambda tf: tf.data.Dataset.range(7).shard(3, 3),
    repeat=lambda tf: tf.data.Dataset.range(3).repeat(2),
    repeat_never=lambda tf: tf.data.Dataset.range(3).repeat(0),
    repeat_for_ever=lambda tf: tf.data.Dataset.range(3).repeat().take(8),
    repeat_for_ever_by_number=lambda tf: tf.data.Dataset.range(3).repeat(-1).take(8),
    repeat_is_endless=lambda tf: tf.data.Dataset.range(3).repeat().batch(2).skip(1).take(2),
    concatenate=lambda tf: tf.data.Dataset.range(3).concatenate(tf.data.Dataset.range(7, 9)),
    concatenate_of_different_types=lambda tf: tf.data.Dataset.range(3).concatenate(
        tf.data.Dataset.from_tensors("a")
    ),
    concatenate_of_different_shapes=lambda tf: tf.data.Dataset.from_tensors([1]).concatenate(
        tf.data.Dataset.from_tensors([1, 2])
    ),
    zip_of_arguments=lambda tf: tf.data.Dataset.zip(tf.data.Dataset.range(3), _slices(tf)),
    zip_of_a_tuple=lambda tf: tf.data.Dataset.zip((tf.data.Dataset.range(3), _slices(tf))),
    zip_of_a_dict=lambda tf: tf.data.Dataset.zip({"a": tf.data.Dataset.range(3)}),
    zip_of_one=lambda tf: tf.data.Dataset.zip(tf.data.Dataset.range(3)),
    zip_of_a_tuple_of_one=lambda tf: tf.data.Dataset.zip((tf.data.Dataset.range(3),)),
    zip_of_a_list=lambda tf: tf.data.Dataset.zip([tf.data.Dataset.range(3)]),
    zip_that_is_nested=lambda tf: tf.data.Dataset.zip(
        tf.data.Dataset.range(2), (tf.data.Dataset.range(5), tf.data.Dataset.range(3))
    ),
    zip_with_an_endless_one=lambda tf: tf.data.Dataset.zip(
        tf.data.Dataset.range(5), tf.data.Dataset.range(2).repeat()
    ),
    enumerate=lambda tf: tf.data.Dataset.from_tensor_slices(["a", "b"]).enumerate(5),
    batch=lambda tf: _slices(tf).batch(3),
    batch_without_the_rest=lambda tf: _slices(tf).batch(3, drop_remainder=True),
    batch_of_batches=lambda tf: tf.data.Dataset.range(8).batch(2).batch(3),
    batch_of_a_ragged_rest=lambda tf: tf.data.Dataset.range(5).batch(2).batch(3),
    batch_of_nothing=lambda tf: tf.data.Dataset.range(5).batch(0),
    batch_of_ragged_rows=lambda tf: _ragged(tf).batch(2),
    batch_and_take=lambda tf: _slices(tf).batch(3).take(2),
    batch_and_skip=lambda tf: _slices(tf).batch(3).skip(1),
    batch_and_repeat=lambda tf: _slices(tf).batch(3).repeat(2),
    repeat_and_batch=lambda tf: _slices(tf).repeat(2).batch(3),
    batch_and_shard=lambda tf: _slices(tf).batch(3).shard(2, 0),
    batch_and_unbatch=lambda tf: _slices(tf).batch(3).unbatch(),
    batch_and_unbatch_of_whole_batches=lambda tf: _slices(tf).batch(3, True).unbatch(),
    rebatch=lambda tf: tf.data.Dataset.range(6).batch(2).rebatch(4),
    rebatch_by_turns=lambda tf: tf.data.Dataset.range(6).batch(2).rebatch([2, 1, 3]),
    rebatch_without_the_rest=lambda tf: tf.data.Dataset.range(7).batch(3).rebatch(2, True),
    padded_batch=lambda tf: _ragged(tf).padded_batch(2),
    padded_batch_to_a_shape=lambda tf: _ragged(tf).padded_batch(
        4, padded_shapes=[6], padding_values=-1, drop_remainder=True
    ),
    padded_batch_to_a_smaller_shape=lambda tf: _ragged(tf).padded_batch(2, padded_shapes=[2]),
    padded_batch_of_pairs=lambda tf: tf.data.Dataset.zip(_ragged(tf), _slices(tf)).padded_batch(
        3, padded_shapes=([None], ([4], []))
    ),
    window=lambda tf: tf.data.Dataset.range(7).window(3),
    window_with_shift_and_stride=lambda tf: tf.data.Dataset.range(7).window(3, shift=1, stride=2),
    window_without_the_rest=lambda tf: tf.data.Dataset.range(7).window(3, 2, 2, True),
    window_with_gaps=lambda tf: tf.data.Dataset.range(9).window(2, shift=4),
    window_of_pairs=lambda tf: _slices(tf, 5).window(2),
    window_as_batches=lambda tf: (
        tf.data.Dataset.range(7)
        .window(3, shift=1, drop_remainder=True)
        .flat_map(lambda w: w.batch(3))
    ),
    window_of_pairs_as_batches=lambda tf: (
        _slices(tf)
        .window(4, 2, drop_remainder=True)
        .flat_map(lambda x, y: tf.data.Dataset.zip((x.batch(4), y.batch(4))))
    ),
    prefetch=lambda tf: _slices(tf).batch(2).prefetch(tf.data.AUTOTUNE),
    prefetch_nothing=lambda tf: tf.data.Dataset.range(3).prefetch(0),
    prefetch_less_than_nothing=lambda tf: tf.data.Dataset.range(3).prefetch(-2),
    cache=lambda tf: _slices(tf).cache().batch(3).repeat(2),
    with_options=lambda tf: _slices(tf).with_options(tf.data.Options()),
    unique=lambda tf: tf.data.Dataset.from_tensor_slices([1, 2, 1, 3, 2]).unique(),
    counter=lambda tf: tf.data.Dataset.counter(3, 2).take(4),
    text_lines=lambda tf: tf.data.TextLineDataset(_text_file()),
    text_lines_of_several_files=lambda tf: tf.data.Dataset.from_tensor_slices(
        [_text_file(), _text_file()]
    ).interleave(tf.data.TextLineDataset, cycle_length=2),
    a_file_that_is_not_there=lambda tf: tf.data.TextLineDataset("/no/such/file"),
    files_that_are_not_there=lambda tf: tf.data.Dataset.list_files("/no/such/*"),
    shuffle_by_nothing=lambda tf: tf.data.Dataset.range(5).shuffle(0),
    shuffle_by_one=lambda tf: tf.data.Dataset.range(5).shuffle(1),
    shuffled=lambda tf: _slices(tf).shuffle(8),
    shuffled_and_repeated=lambda tf: _slices(tf).shuffle(8).repeat(2),
    shuffled_batches=lambda tf: _slices(tf).batch(3).shuffle(8),
    shuffled_through_a_small_buffer=lambda tf: _ragged(tf).shuffle(2),
    shuffled_numbers_beyond_the_buffer=lambda tf: tf.data.Dataset.range(100).shuffle(10),
)

_table(
    map=lambda tf: tf.data.Dataset.range(5).map(lambda x: x * 2),
    map_of_pairs=lambda tf: _slices(tf).map(lambda x, y: (x / 2.0, y + 1)).batch(3),
    map_of_dicts=lambda tf: tf.data.Dataset.from_tensor_slices({"a": [1, 2]}).map(
        lambda d: {"b": d["a"] * 3, "a": d["a"]}
    ),
    map_to_a_list=lambda tf: tf.data.Dataset.range(2).map(lambda x: [x, x + 1]),
    map_of_batches=lambda tf: _slices(tf).batch(3).map(lambda x, y: (x + 1.0, y)),
    map_in_parallel=lambda tf: _slices(tf).map(
        lambda x, y: (x * x, y), num_parallel_calls=tf.data.AUTOTUNE
    ),
    map_and_cache=lambda tf: _slices(tf).map(lambda x, y: (-x, y)).cache().repeat(2).batch(5),
    map_with_the_wrong_arguments=lambda tf: tf.data.Dataset.range(2).map(lambda x, y: x),
    filter=lambda tf: tf.data.Dataset.range(10).filter(lambda x: x % 3 == 0),
    filter_of_pairs=lambda tf: _slices(tf).filter(lambda x, y: y > 0).batch(2),
    filter_by_a_number=lambda tf: tf.data.Dataset.range(3).filter(lambda x: x),
    take_while=lambda tf: tf.data.Dataset.range(9).take_while(lambda x: x < 3),
    flat_map=lambda tf: tf.data.Dataset.range(4).flat_map(tf.data.Dataset.range),
    interleave=lambda tf: tf.data.Dataset.range(1, 6).interleave(
        lambda x: tf.data.Dataset.from_tensors(x).repeat(x + 1), cycle_length=2, block_length=3
    ),
    interleave_one_by_one=lambda tf: tf.data.Dataset.range(6).interleave(
        lambda x: tf.data.Dataset.range(x * 10, x * 10 + x), cycle_length=3
    ),
    scan=lambda tf: tf.data.Dataset.range(5).scan(np.int64(0), lambda s, x: (s + x, s * 10)),
    group_by_window=lambda tf: tf.data.Dataset.range(10).group_by_window(
        lambda x: x % 2, lambda key, window: window.batch(3), window_size=3
    ),
    group_by_window_of_sizes=lambda tf: tf.data.Dataset.range(10).group_by_window(
        lambda x: x % 2,
        lambda key, window: window.batch(4),
        window_size_func=lambda key: key + 1,
    ),
    buckets=lambda tf: _ragged(tf).bucket_by_sequence_length(
        lambda x: tf.shape(x)[0], [2, 4], [2, 2, 2]
    ),
    buckets_to_their_boundary=lambda tf: _ragged(tf).bucket_by_sequence_length(
        lambda x: tf.shape(x)[0], [3, 6], [2, 2, 2], pad_to_bucket_boundary=True
    ),
    choose=lambda tf: tf.data.Dataset.choose_from_datasets(
        [tf.data.Dataset.range(3), tf.data.Dataset.range(10, 13)],
        tf.data.Dataset.from_tensor_slices(np.array([0, 1, 1, 0, 0, 0, 1, 1])),
    ),
    choose_beyond_the_end=lambda tf: tf.data.Dataset.choose_from_datasets(
        [tf.data.Dataset.range(3), tf.data.Dataset.range(10, 13)],
        tf.data.Dataset.from_tensor_slices(np.array([0, 1, 1, 0, 0, 0, 0, 1, 1])),
        stop_on_empty_dataset=False,
    ),
    shuffled_sample_of_all=lambda tf: tf.data.Dataset.sample_from_datasets(
        [tf.data.Dataset.range(3), tf.data.Dataset.range(10, 13)], weights=[0.9, 0.1]
    ),
    apply=lambda tf: tf.data.Dataset.range(6).apply(lambda d: d.skip(2)),
    unbatched_by_apply=lambda tf: (
        tf.data.Dataset.range(4).batch(2).apply(tf.data.experimental.unbatch())
    ),
    known_by_assertion=lambda tf: (
        tf.data.Dataset.range(4)
        .filter(lambda x: x > 1)
        .apply(tf.data.experimental.assert_cardinality(2))
    ),
    wrongly_known_by_assertion=lambda tf: (
        tf.data.Dataset.range(4)
        .filter(lambda x: x > 1)
        .apply(tf.data.experimental.assert_cardinality(3))
    ),
)


def _images(tf):
    images = np.arange(6 * 4 * 4).reshape(6, 4, 4).astype(np.uint8)
    return tf.data.Dataset.from_tensor_slices((images, LABELS[:6]))


# As public scripts write them.
_table(
    images_as_fractions=lambda tf: (
        _images(tf)
        .map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
        .cache()
        .batch(4)
        .prefetch(tf.data.AUTOTUNE)
    ),
    images_with_channels_and_classes=lambda tf: (
        _images(tf)
        .map(lambda x, y: (tf.expand_dims(x, -1), tf.one_hot(y, 3)))
        .batch(4, drop_remainder=True)
    ),
    images_as_rows=lambda tf: _images(tf).map(lambda x, y: (tf.reshape(x, [-1]), y)).batch(3),
    images_of_batches=lambda tf: (
        _images(tf).batch(4).map(lambda x, y: (tf.cast(x, tf.float32)[..., tf.newaxis] / 255.0, y))
    ),
    images_with_the_sums_of_their_rows=lambda tf: _images(tf).map(
        lambda x, y: tf.reduce_sum(tf.cast(x, tf.int32), axis=1)
    ),
    images_of_one_class=lambda tf: _images(tf).filter(lambda x, y: tf.equal(y, 1)).batch(2),
    images_as_their_own_targets=lambda tf: _images(tf).map(lambda x, y: (x, x)).batch(4),
    images_alone=lambda tf: _images(tf).batch(4).map(lambda x, y: x).unbatch().take(3),
    shuffled_images=lambda tf: (
        _images(tf)
        .shuffle(100)
        .map(lambda x, y: {"image": x, "label": tf.cast(y, tf.int32)})
        .repeat(2)
    ),
    windows_of_a_series=lambda tf: (
        tf.data.Dataset.from_tensor_slices(ROWS.ravel())
        .window(6, shift=1, drop_remainder=True)
        .flat_map(lambda window: window.batch(6))
        .map(lambda window: (window[:-1], window[-1]))
        .batch(4)
    ),
    texts_shifted_by_one=lambda tf: (
        tf.data.Dataset.from_tensor_slices(np.arange(20))
        .batch(5, drop_remainder=True)
        .map(lambda x: (x[:-1], x[1:]))
        .batch(2, drop_remainder=True)
    ),
    pairs_of_data_sets=lambda tf: tf.data.Dataset.zip(
        (_images(tf).map(lambda x, y: x), tf.data.Dataset.range(100).map(lambda n: n * n))
    ).batch(4),
    a_split_for_validation=lambda tf: _images(tf).skip(4).concatenate(_images(tf).take(2)).batch(8),
    values_at_a_condition=lambda tf: tf.data.Dataset.range(6).map(
        lambda x: tf.where(x % 2 == 0, x, -x)
    ),
)


def _text_file():
    name = os.path.join(tempfile.mkdtemp(), "lines.txt")
    with open(name, "wb") as file:
        file.write(b"first\r\nsecond\n\nlast")
    return name


_table(**FROM_OUTSIDE)


def _plain(tf, value):
    """An element as JSON."""
    if isinstance(value, tuple):
        return {"tuple": [_plain(tf, item) for item in value]}
    if isinstance(value, dict):
        return {"dict": {key: _plain(tf, item) for key, item in value.items()}}
    if isinstance(value, tf.data.Dataset):
        return {"dataset": [_plain(tf, item) for item in value]}
    array = np.asarray(value)
    if array.dtype.kind in "SO":
        return ["string", list(array.shape), [text.decode() for text in array.ravel().tolist()]]
    return [str(array.dtype), list(array.shape), array.ravel().tolist()]


def _kind(tf, error):
    if isinstance(error, TypeError):
        return "type"
    is_value = isinstance(error, (ValueError, OSError, getattr(tf.errors, "OpError", ())))
    return "value" if is_value else type(error).__name__


def _report(tf, make):
    report = {}
    try:
        dataset = make(tf)
        report["cardinality"] = int(dataset.cardinality())
        report["spec"] = repr(dataset.element_spec)
        report["elements"] = [_plain(tf, element) for element in dataset]
        report["again"] = [_plain(tf, element) for element in dataset]
    except Exception as error:  # the kind of the error is what is compared
        report["error"] = _kind(tf, error)
        report["message"] = str(error)[:300]
    return report


def report_of(module_name, names=None):
    tf = importlib.import_module(module_name)
    return {name: _report(tf, PIPELINES[name]) for name in names or PIPELINES}


if __name__ == "__main__":
    print(json.dumps(report_of(sys.argv[1])))
