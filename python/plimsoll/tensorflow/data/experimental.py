"""tf.data.experimental: older names of what tf.data.Dataset has, and a few of its own."""

from plimsoll import _missing
from plimsoll.tensorflow._dtypes import int64
from plimsoll.tensorflow.data import _order
from plimsoll.tensorflow.data._csv import CsvDataset, make_csv_dataset
from plimsoll.tensorflow.data._sources import list_stage
from plimsoll.tensorflow.data.dataset import (
    AUTOTUNE,
    INFINITE_CARDINALITY,
    UNKNOWN_CARDINALITY,
    Dataset,
)
from plimsoll.tensorflow.data.iterator import Optional
from plimsoll.tensorflow.data.options import (
    AutoShardPolicy,
    AutotuneAlgorithm,
    AutotuneOptions,
    DistributeOptions,
    ExternalStatePolicy,
    OptimizationOptions,
    ThreadingOptions,
)


def cardinality(dataset):
    return dataset.cardinality()


def assert_cardinality(expected_cardinality):
    count = int(expected_cardinality)
    return lambda dataset: Dataset(_order.AssertCardinalityStage(dataset._stage, count))


def at(dataset, index):
    """The element of that number."""
    return dataset.skip(int(index)).take(1).get_single_element()


def from_list(elements, name=None):
    return Dataset(list_stage(elements))


def Counter(start=0, step=1, dtype=int64):
    return Dataset.counter(start, step, dtype)


def RandomDataset(seed=None, rerandomize_each_iteration=None, name=None):
    return Dataset.random(seed, rerandomize_each_iteration)


def get_single_element(dataset):
    return dataset.get_single_element()


def get_structure(dataset_or_iterator):
    return dataset_or_iterator.element_spec


def get_next_as_optional(iterator):
    return iterator.get_next_as_optional()


def prefetch_to_device(device, buffer_size=None):
    """There is one device, so this is prefetch()."""
    return lambda dataset: dataset.prefetch(AUTOTUNE if buffer_size is None else buffer_size)


def copy_to_device(target_device, source_device="/cpu:0"):
    """There is one device, so nothing is to be done."""
    return lambda dataset: dataset


def map_and_batch(
    map_func,
    batch_size,
    num_parallel_batches=None,
    drop_remainder=False,
    num_parallel_calls=None,
):
    return lambda dataset: dataset.map(map_func).batch(batch_size, drop_remainder)


def shuffle_and_repeat(buffer_size, count=None, seed=None):
    return lambda dataset: dataset.shuffle(buffer_size, seed).repeat(count)


def parallel_interleave(
    map_func,
    cycle_length,
    block_length=1,
    sloppy=False,
    buffer_output_elements=None,
    prefetch_input_elements=None,
):
    return lambda dataset: dataset.interleave(map_func, cycle_length, block_length)


def enumerate_dataset(start=0):
    return lambda dataset: dataset.enumerate(start)


def choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset=False):
    return Dataset.choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset)


def sample_from_datasets(datasets, weights=None, seed=None, stop_on_empty_dataset=False):
    return Dataset.sample_from_datasets(datasets, weights, seed, stop_on_empty_dataset)


def _as_method(name: str):
    """A function that gives a transformation for Dataset.apply()."""

    def transformation(*args, **kwargs):
        return lambda dataset: getattr(dataset, name)(*args, **kwargs)

    transformation.__name__ = name
    transformation.__doc__ = f"For apply(): Dataset.{name} with these arguments."
    return transformation


bucket_by_sequence_length = _as_method("bucket_by_sequence_length")
group_by_window = _as_method("group_by_window")
ignore_errors = _as_method("ignore_errors")
scan = _as_method("scan")
snapshot = _as_method("snapshot")
take_while = _as_method("take_while")
unbatch = _as_method("unbatch")
unique = _as_method("unique")
dense_to_ragged_batch = _as_method("ragged_batch")
rejection_resample = _as_method("rejection_resample")


def save(dataset, path, compression=None, shard_func=None, checkpoint_args=None):
    return dataset.save(path)


def load(path, element_spec=None, compression=None, reader_func=None):
    return Dataset.load(path)


def __getattr__(name):
    raise _missing.missing(__name__, name, __all__)


__all__ = [
    "AUTOTUNE",
    "INFINITE_CARDINALITY",
    "UNKNOWN_CARDINALITY",
    "AutoShardPolicy",
    "AutotuneAlgorithm",
    "AutotuneOptions",
    "Counter",
    "CsvDataset",
    "DistributeOptions",
    "ExternalStatePolicy",
    "OptimizationOptions",
    "Optional",
    "RandomDataset",
    "ThreadingOptions",
    "assert_cardinality",
    "at",
    "bucket_by_sequence_length",
    "cardinality",
    "choose_from_datasets",
    "copy_to_device",
    "dense_to_ragged_batch",
    "enumerate_dataset",
    "from_list",
    "get_next_as_optional",
    "get_single_element",
    "get_structure",
    "group_by_window",
    "ignore_errors",
    "load",
    "make_csv_dataset",
    "map_and_batch",
    "parallel_interleave",
    "prefetch_to_device",
    "rejection_resample",
    "sample_from_datasets",
    "save",
    "scan",
    "shuffle_and_repeat",
    "snapshot",
    "take_while",
    "unbatch",
    "unique",
]
