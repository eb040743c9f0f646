"""tf.data.Dataset: the methods that scripts call. Each makes a new data set with one stage more."""

import os

import numpy as np

from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow.data import _batches, _functions, _order
from plimsoll.tensorflow.data._ahead import PrefetchStage, take_stage
from plimsoll.tensorflow.data._cache import CacheStage, FileCacheStage
from plimsoll.tensorflow.data._filter import FilterStage, TakeWhileStage
from plimsoll.tensorflow.data._map import MapStage
from plimsoll.tensorflow.data._refused import Refused
from plimsoll.tensorflow.data._shuffle import ShuffleStage
from plimsoll.tensorflow.data._stage import INFINITE, UNKNOWN, Stage
from plimsoll.tensorflow.data._values import to_array, to_tensors
from plimsoll.tensorflow.data.iterator import Iterator, NumpyIterator
from plimsoll.tensorflow.data.options import Options
from plimsoll.tensorflow.data.sources import Sources

AUTOTUNE = -1
INFINITE_CARDINALITY = INFINITE
UNKNOWN_CARDINALITY = UNKNOWN


def _whole(value, name: str) -> int:
    """A whole number, also as a tensor or a NumPy number."""
    number = int(value)
    if number != value:
        raise TypeError(f"{name} must be a whole number, found {value!r}")
    return number


class Dataset(Sources, Refused):
    """Elements that come one after the other, each a tensor or a nested structure of tensors.

    A data set never changes: a method returns a new one. Nothing is read before it is iterated
    over, and nothing but cache() holds all of it in memory. What differs from TensorFlow:

    - Arrays are neither copied nor cast as a whole. float64 comes out as float32.
    - shuffle() of records that can be read in any order is one of all records, whatever the size
      of the buffer, and takes no memory. Without a seed it follows from tf.random.set_seed.
    - A function may use values: x.numpy(), if, for and Python's libraries work in map(). If it
      draws no random numbers and mixes no records, it is called with many records at once.
    - prefetch() has one thread. It is left out where elements come from memory.
    - Errors of functions and generators are raised as they are, with their own traceback.
    """

    def __init__(self, stage: Stage, options: Options | None = None):
        self._stage = stage
        self._options = options

    def _with(self, stage: Stage) -> "Dataset":
        return Dataset(stage, self._options)

    # --- what it holds ---

    @property
    def element_spec(self):
        return self._stage.spec()

    def cardinality(self):
        return to_tensors(np.asarray(self._stage.cardinality(), np.int64))

    def __len__(self) -> int:
        size = self._stage.cardinality()
        if size == INFINITE:
            raise TypeError("The dataset is infinite.")
        if size == UNKNOWN:
            raise TypeError("The dataset length is unknown.")
        return size

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator:
        return Iterator(self._stage)

    def as_numpy_iterator(self) -> NumpyIterator:
        return NumpyIterator(self._stage)

    def get_single_element(self, name=None):
        elements = list(self.take(2))
        if len(elements) != 1:
            problem = "was empty" if not elements else "had more than one element"
            raise InvalidArgument(f"get_single_element: Dataset {problem}.")
        return elements[0]

    def reduce(self, initial_state, reduce_func, name=None):
        return _functions.reduced(self._stage, initial_state, reduce_func)

    def options(self) -> Options:
        return self._options or Options()

    def with_options(self, options: Options, name=None) -> "Dataset":
        return Dataset(self._stage, self.options().merge(options))

    def __repr__(self) -> str:
        return f"<Dataset element_spec={self.element_spec}>"

    # --- elements by their numbers ---

    def take(self, count, name=None) -> "Dataset":
        return self._with(take_stage(self._stage, _whole(count, "count")))

    def skip(self, count, name=None) -> "Dataset":
        return self._with(_order.SkipStage(self._stage, _whole(count, "count")))

    def shard(self, num_shards, index, name=None) -> "Dataset":
        stage = _order.ShardStage(
            self._stage, _whole(num_shards, "num_shards"), _whole(index, "index")
        )
        return self._with(stage)

    def repeat(self, count=None, name=None) -> "Dataset":
        count = -1 if count is None else _whole(count, "count")
        return self._with(_order.RepeatStage(self._stage, count))

    def concatenate(self, dataset, name=None) -> "Dataset":
        return self._with(_order.ConcatenateStage(self._stage, dataset._stage))

    def enumerate(self, start=0, name=None) -> "Dataset":
        return self._with(_order.enumerate_stage(self._stage, _whole(start, "start")))

    def shuffle(
        self, buffer_size, seed=None, reshuffle_each_iteration=True, name=None
    ) -> "Dataset":
        """Elements in another order.

        Records that can be read in any order, those of arrays and what take, skip, batch and the
        like make of them, are shuffled as a whole whatever buffer_size is, which takes no memory.
        Others go through a buffer of that size, as TensorFlow's do.
        """
        reshuffle = reshuffle_each_iteration is None or bool(reshuffle_each_iteration)
        size = _whole(buffer_size, "buffer_size")
        return self._with(ShuffleStage(self._stage, size, seed, reshuffle))

    def cache(self, filename="", name=None) -> "Dataset":
        filename = to_array(filename).item() if not hasattr(filename, "__fspath__") else filename
        filename = os.fsdecode(filename)
        return self._with(
            FileCacheStage(self._stage, filename) if filename else CacheStage(self._stage)
        )

    def snapshot(self, path, compression="AUTO", reader_func=None, shard_func=None, name=None):
        """Keeps the elements in a file in the folder `path`, as cache(path + '/snapshot') does."""
        os.makedirs(path, exist_ok=True)
        return self.cache(os.path.join(path, "snapshot"))

    def prefetch(self, buffer_size, name=None) -> "Dataset":
        size = _whole(buffer_size, "buffer_size")
        if size < AUTOTUNE:
            raise InvalidArgument(f"prefetch: buffer_size must be >= 0 or AUTOTUNE, found {size}")
        return self._with(PrefetchStage(self._stage, size))

    def ignore_errors(self, log_warning=False, name=None) -> "Dataset":
        return self._with(_functions.IgnoreErrorsStage(self._stage, log_warning))

    def unique(self, name=None) -> "Dataset":
        return self._with(_functions.UniqueStage(self._stage))

    # --- batches ---

    def batch(
        self,
        batch_size,
        drop_remainder=False,
        num_parallel_calls=None,
        deterministic=None,
        name=None,
    ) -> "Dataset":
        stage = _batches.BatchStage(self._stage, batch_size, bool(drop_remainder))
        return self._with(stage)

    def padded_batch(
        self, batch_size, padded_shapes=None, padding_values=None, drop_remainder=False, name=None
    ) -> "Dataset":
        stage = _batches.PaddedBatchStage(
            self._stage, batch_size, padded_shapes, padding_values, bool(drop_remainder)
        )
        return self._with(stage)

    def unbatch(self, name=None) -> "Dataset":
        return self._with(_batches.UnbatchStage(self._stage))

    def rebatch(self, batch_size, drop_remainder=False, name=None) -> "Dataset":
        sizes = to_array(batch_size)
        return self._with(_batches.RebatchStage(self._stage, sizes, bool(drop_remainder)))

    def window(self, size, shift=None, stride=1, drop_remainder=False, name=None) -> "Dataset":
        size = _whole(size, "size")
        shift = size if shift is None else _whole(shift, "shift")
        stage = _batches.WindowStage(
            self._stage, size, shift, _whole(stride, "stride"), bool(drop_remainder)
        )
        return self._with(stage)

    def bucket_by_sequence_length(
        self,
        element_length_func,
        bucket_boundaries,
        bucket_batch_sizes,
        padded_shapes=None,
        padding_values=None,
        pad_to_bucket_boundary=False,
        no_padding=False,
        drop_remainder=False,
        name=None,
    ) -> "Dataset":
        from plimsoll.tensorflow.data._buckets import Buckets

        buckets = Buckets(element_length_func, bucket_boundaries, bucket_batch_sizes)
        buckets.padding = (padded_shapes, padding_values, pad_to_bucket_boundary, no_padding)
        buckets.drop_remainder = drop_remainder
        return self.group_by_window(buckets.number, buckets.batch, window_size_func=buckets.size)

    # --- functions ---

    def apply(self, transformation_func) -> "Dataset":
        dataset = transformation_func(self)
        if not isinstance(dataset, Dataset):
            raise TypeError(
                "apply: `transformation_func` must return a `tf.data.Dataset` object. Got "
                f"{type(dataset).__name__}."
            )
        return dataset

    def map(
        self,
        map_func,
        num_parallel_calls=None,
        deterministic=None,
        synchronous=None,
        use_unbounded_threadpool=False,
        name=None,
    ) -> "Dataset":
        return self._with(MapStage(self._stage, map_func))

    def filter(self, predicate, name=None) -> "Dataset":
        return self._with(FilterStage(self._stage, predicate))

    def take_while(self, predicate, name=None) -> "Dataset":
        return self._with(TakeWhileStage(self._stage, predicate))

    def flat_map(self, map_func, name=None) -> "Dataset":
        return self._with(_functions.FlatMapStage(self._stage, map_func))

    def interleave(
        self,
        map_func,
        cycle_length=None,
        block_length=None,
        num_parallel_calls=None,
        deterministic=None,
        name=None,
    ) -> "Dataset":
        cycle = AUTOTUNE if cycle_length is None else _whole(cycle_length, "cycle_length")
        if cycle == AUTOTUNE:
            cycle = os.cpu_count() or 1
        block = 1 if block_length is None else _whole(block_length, "block_length")
        return self._with(_functions.InterleaveStage(self._stage, map_func, cycle, block))

    def scan(self, initial_state, scan_func, name=None) -> "Dataset":
        return self._with(_functions.ScanStage(self._stage, initial_state, scan_func))

    def group_by_window(
        self, key_func, reduce_func, window_size=None, window_size_func=None, name=None
    ) -> "Dataset":
        if (window_size is None) == (window_size_func is None):
            raise ValueError("group_by_window: expected either window_size or window_size_func")

        def size_of(key):
            if window_size_func is None:
                return int(window_size)
            return int(to_array(window_size_func(to_tensors(np.asarray(key, np.int64)))))

        return self._with(
            _functions.GroupByWindowStage(self._stage, key_func, reduce_func, size_of)
        )

    # --- for the trainer ---

    def _for_fit(self):
        """What fit, evaluate and predict read batches from. See _for_fit.py."""
        from plimsoll.tensorflow.data._for_fit import for_fit

        return for_fit(self._stage)
