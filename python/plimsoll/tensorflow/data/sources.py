"""The static methods of tf.data.Dataset that data begins with."""

import builtins
import glob

import numpy as np

from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow._dtypes import int64
from plimsoll.tensorflow.data import _choose, _sources
from plimsoll.tensorflow.data._generator import GeneratorStage, generator_signature
from plimsoll.tensorflow.data._order import ZipStage
from plimsoll.tensorflow.data._structure import map_structure
from plimsoll.tensorflow.data._values import to_array


def _dataset(stage):
    from plimsoll.tensorflow.data.dataset import Dataset

    return Dataset(stage)


def _stage_in(dataset, name: str):
    if isinstance(dataset, list):
        raise TypeError(
            f"Invalid input to `{name}`. Inputs are expected to be (nested) structures of "
            "`tf.data.Dataset` objects. Python `list` is not supported and you should use `tuple` "
            "instead."
        )
    if not hasattr(dataset, "_stage"):
        raise TypeError(
            f"Invalid input to `{name}`. Inputs are expected to be (nested) structures of "
            f"`tf.data.Dataset` objects. Got {type(dataset).__name__}."
        )
    return dataset._stage


class Sources:
    """The base of Dataset with what makes data sets of something else."""

    @staticmethod
    def from_tensor_slices(tensors, name=None):
        """Slices of arrays along their first axis.

        The arrays are neither copied nor cast as a whole: each batch is cast as it is read. So a
        later change of an array is seen by the data set.
        """
        return _dataset(_sources.ArraysStage(tensors))

    @staticmethod
    def from_tensors(tensors, name=None):
        return _dataset(_sources.SingleStage(tensors))

    @staticmethod
    def from_generator(
        generator,
        output_types=None,
        output_shapes=None,
        args=None,
        output_signature=None,
        name=None,
    ):
        """What a generator yields. The function is called anew for each pass over the data set."""
        signature = generator_signature(output_types, output_shapes, output_signature)
        return _dataset(GeneratorStage(generator, signature, args))

    @staticmethod
    def range(*args, **kwargs):
        dtype = kwargs.pop("output_type", int64)
        kwargs.pop("name", None)
        if kwargs or not 1 <= len(args) <= 3:
            raise TypeError("range: expected (stop), (start, stop) or (start, stop, step)")
        numbers = [int(arg) for arg in args]
        if len(numbers) == 3 and numbers[2] == 0:
            raise InvalidArgument("range: step must be a non-zero integer.")
        return _dataset(_sources.RangeStage(builtins.range(*numbers), dtype))

    @staticmethod
    def counter(start=0, step=1, dtype=int64, name=None):
        return _dataset(_sources.CounterStage(int(start), int(step), dtype))

    @staticmethod
    def zip(*args, datasets=None, name=None):
        """Elements of several data sets side by side: zip(a, b), zip((a, b)) or zip({'a': a})."""
        if bool(args) == (datasets is not None):
            raise TypeError("zip: expected data sets")
        if datasets is None:
            datasets = args[0] if len(args) == 1 else args
        return _dataset(ZipStage(map_structure(lambda d: _stage_in(d, "zip"), datasets)))

    @staticmethod
    def random(seed=None, rerandomize_each_iteration=None, name=None):
        return _dataset(_choose.RandomStage(seed, bool(rerandomize_each_iteration)))

    @staticmethod
    def choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset=True):
        stages = [dataset._stage for dataset in datasets]
        stage = _choose.ChooseStage(stages, choice_dataset._stage, stop_on_empty_dataset)
        return _dataset(stage)

    @staticmethod
    def sample_from_datasets(
        datasets,
        weights=None,
        seed=None,
        stop_on_empty_dataset=False,
        rerandomize_each_iteration=None,
    ):
        if hasattr(weights, "_stage"):
            raise InvalidArgument(
                "sample_from_datasets: expected a list of weights; a data set of weights is not "
                "known here"
            )
        weights = None if weights is None else to_array(weights)
        stages = [dataset._stage for dataset in datasets]
        another = rerandomize_each_iteration is None or bool(rerandomize_each_iteration)
        stage = _choose.SampleStage(stages, weights, seed, stop_on_empty_dataset, another)
        return _dataset(stage)

    @staticmethod
    def list_files(file_pattern, shuffle=None, seed=None, name=None):
        """The names of files that match one of the patterns, in another order each time."""
        patterns = [p.decode() for p in to_array(_plain_path(file_pattern)).ravel()]
        names = sorted({name for pattern in patterns for name in glob.glob(pattern)})
        if not names:
            raise InvalidArgument(f"list_files: No files matched pattern: {', '.join(patterns)}")
        dataset = Sources.from_tensor_slices(np.array(names, object))
        return dataset if shuffle is False else dataset.shuffle(len(names), seed=seed)


def _plain_path(pattern):
    if isinstance(pattern, (list, tuple)):
        return [_plain_path(item) for item in pattern]
    return str(pattern) if hasattr(pattern, "__fspath__") else pattern
