"""Data of every form that fit, evaluate and predict take, as the engine's records."""
import contextlib

import numpy as np

from plimsoll import _convert, _core
from plimsoll.keras.models.streams import Stream


PROBE_BATCH = 97  # of placeholders with which a model is built


class Records:
    """An engine's data set, and what the trainer must know of it."""

    def __init__(self, source, names: list, targets: int, weights: int, batch_size=None,
                 may_shuffle=True, stream: Stream | None = None):
        # A stream would begin a pass to know its fields.
        self.specs = source.specs if stream is None else stream.specs
        self.names, self.targets, self.weights = names, targets, weights
        self._refuse_texts_as_targets()
        self.batch_size, self.may_shuffle, self.stream = batch_size, may_shuffle, stream
        self.count = None if stream is not None else len(source)
        self.dataset = _core.Dataset(source, names, targets, weights, batch_size)

    def _refuse_texts_as_targets(self) -> None:
        inputs = len(self.specs) - self.targets - self.weights
        if any(dtype == "string" for dtype, _ in self.specs[inputs:]):
            raise ValueError("the targets are texts, and a loss needs numbers; numbers of classes are "
                             "np.unique(y, return_inverse=True)[1]")

    def inputs(self):
        """Placeholders for what a model is called with: one, a list, or a dict by names."""
        count = len(self.specs) - self.targets - self.weights
        tensors = [_core.placeholder(dtype, [PROBE_BATCH, *shape]) for dtype, shape in self.specs[:count]]
        if any(self.names[:count]):
            return dict(zip(self.names, tensors))
        return tensors[0] if count == 1 else tensors

    def again(self, x):
        """The data once more, with the batch that was looked at."""
        return x if self.stream is None else self.stream.whole(x)

    def steps(self, options: dict):
        """The number of batches of an epoch, if it is known."""
        if options.get("steps_per_epoch"):
            return options["steps_per_epoch"]
        if self.stream is not None:
            return self.stream.batches
        size = self.batch_size or options.get("batch_size") or 32
        return -(-self.count // size)


@contextlib.contextmanager
def closing(*records):
    """Ends the iterators of streams when a run ends, however it ends."""
    try:
        yield
    except BaseException as error:
        for each in records:
            if each is not None and each.stream is not None:
                each.stream.raise_own(error)
        raise
    finally:
        for each in records:
            if each is not None and each.stream is not None:
                each.stream.close()


def for_engine(model, x, y, sample_weight, batch_size, what: str, shuffle: bool = False) -> Records:
    """The records of arrays, tensors, lists, dicts, a Dataset, a generator or a PyDataset.

    The batches of a PyDataset can be shuffled here; records are shuffled by the engine.
    """
    model._handle  # says so if a class of the user's has not called super().__init__()
    if is_batched(x):
        if y is not None:
            raise ValueError(f"{what}: y must not be given beside {type(x).__name__}, which has the "
                             "targets in its batches")
        return of_batches(x, what, shuffle)
    if what != "predict" and y is None and sample_weight is None and isinstance(x, tuple) and len(x) in (2, 3):
        x, y, sample_weight = (*x, None)[:3]
    return _of_arrays(model, x, y, sample_weight)


def validation_for_engine(model, data, batch_size) -> Records:
    if is_batched(data):
        return of_batches(data, "fit: validation_data")
    if not isinstance(data, (tuple, list)) or not 2 <= len(data) <= 3:
        raise ValueError("fit: validation_data must be (x, y), (x, y, sample_weight) or a Dataset")
    x, y, sample_weight = (*data, None)[:3]
    if is_batched(x):
        return of_batches(x, "fit: validation_data")
    return _of_arrays(model, x, y, sample_weight)


def is_batched(data) -> bool:
    """True for data that comes in batches: a Dataset, a generator, a PyDataset, a DataLoader."""
    if data is None or isinstance(data, (np.ndarray, list, tuple, dict)) or _convert.is_tensor(data):
        return False
    if hasattr(data, "__dataframe__") or hasattr(data, "iloc"):
        return False
    return hasattr(data, "_for_fit") or hasattr(data, "__next__") or (
        hasattr(data, "__getitem__") and hasattr(data, "__len__")) or hasattr(data, "__iter__")


# --- arrays -----------------------------------------------------------------------------------


def _of_arrays(model, x, y, sample_weight) -> Records:
    inputs, input_names = _columns(x, model, "inputs")
    targets, target_names = _columns(y, model, "outputs")
    weights, weight_names = _columns(sample_weight, model, "outputs")
    arrays = [_array(value) for value in (*inputs, *targets, *weights)]
    _check_lengths(model, arrays)
    names = input_names + target_names + weight_names
    return Records(_core.from_arrays(arrays), names if any(names) else [], len(targets),
                   len(weights))


def _check_lengths(model, arrays: list) -> None:
    sizes = {len(array) for array in arrays if getattr(array, "shape", ())}
    if len(sizes) > 1:
        shown = ", ".join(str(tuple(array.shape)) for array in arrays)
        raise ValueError(f"{model.name}: the data does not have the same number of records "
                         f"everywhere: the shapes are {shown}")


def _columns(data, model, side: str) -> tuple[list, list]:
    """The arrays of one side of the model, and their names."""
    if data is None:
        return [], []
    if isinstance(data, dict):
        return list(data.values()), [str(name) for name in data]
    if isinstance(data, (list, tuple)):
        ports = getattr(model._model, side)()
        many = len(ports) > 1 and len(data) == len(ports)
        if many or _is_list_of_arrays(data):
            return list(data), [""] * len(data)
    return [data], [""]


def _is_list_of_arrays(data) -> bool:
    return bool(data) and all(getattr(each, "ndim", 0) >= 1 for each in data) and not all(
        isinstance(each, (int, float)) for each in data)


def _array(value):
    """An array or a tensor; a data frame's values."""
    if isinstance(value, _core.Tensor):
        return value
    if isinstance(value, _core.Variable):
        return value.read_value()
    try:
        array = value.to_numpy() if hasattr(value, "to_numpy") else np.asarray(value)
    except ValueError as error:
        raise ValueError(f"the data is a list of parts of different shapes ({error}); for sequences, "
                         "keras.utils.pad_sequences makes them equally long") from None
    if array.dtype == object and array.size and not isinstance(array.flat[0], (str, bytes)):
        with contextlib.suppress(TypeError, ValueError):
            return array.astype(np.float32)
        raise ValueError(_no_numbers(array))
    return array


def _no_numbers(array) -> str:
    """What is wrong with an array of Python objects, by its first element that is no number."""
    for place, element in np.ndenumerate(array):
        if isinstance(element, (np.ndarray, list, tuple)):
            return ("the data is an array of arrays; if all have one shape, np.stack makes one array of "
                    "them, and keras.utils.pad_sequences if they are sequences of different lengths")
        try:
            float(element)
        except (TypeError, ValueError):
            where = f"record {place[0]}" + "".join(f", column {number}" for number in place[1:2])
            return f"the data is an array of Python objects, and {where} is {element!r}, which is no number"
    return "the data is an array of Python objects; make it an array of numbers"


# --- batches ----------------------------------------------------------------------------------


def of_batches(data, what: str, shuffle: bool = False) -> Records:
    """The records of data that comes in batches."""
    found = data._for_fit() if hasattr(data, "_for_fit") else None
    if found is not None and found[0] == "source":
        _, source, batch_size, spec = found
        names, targets, weights = _roles(_sorted(spec))
        return Records(source, names, targets, weights, batch_size, may_shuffle=False)
    stream = Stream.of(data, found, what, shuffle)
    names, targets, weights = _roles(stream.first)
    return Records(stream.source(), names, targets, weights, None, may_shuffle=False, stream=stream)


def _sorted(value):
    """Dicts by their keys, as the fields of a Dataset's source are."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return type(value)(map(_sorted, value)) if type(value) in (list, tuple) else value


def _roles(batch) -> tuple[list, int, int]:
    """The names of a batch's fields, and how many are targets and weights."""
    x, y, weight = unpack(batch)
    names = []
    for part in (x, y, weight):
        names += [str(name) for name in part] if isinstance(part, dict) else [""] * len(
            _convert.flatten(part))
    return (names if any(names) else [], len(_convert.flatten(y)), len(_convert.flatten(weight)))


def unpack(batch) -> tuple:
    """(x, y, sample_weight) of a batch in any of Keras's forms."""
    if isinstance(batch, (tuple, list)):
        if len(batch) == 1:
            return batch[0], None, None
        if isinstance(batch, tuple) or len(batch) in (2, 3):
            return (*batch, None, None)[:3]
    return batch, None, None


def flat_fields(batch) -> list:
    """The arrays of a batch in the order of its fields."""
    return [leaf for part in unpack(batch) for leaf in _convert.flatten(part)]


def batch_for_engine(model, x, y, sample_weight) -> tuple[list, list, list]:
    """One batch for train_on_batch: lists of tensors, in the order of the model's ports."""
    return tuple([_core.constant(_array(value))
                  for value in _columns(_in_order_of_ports(part, model, side), model, side)[0]]
                 for part, side in ((x, "inputs"), (y, "outputs"), (sample_weight, "outputs")))


def _in_order_of_ports(data, model, side: str):
    """The values of a dict as a list, if it names each port of that side of the model."""
    if not isinstance(data, dict):
        return data
    keys = model._model.structure().get(side, ("one", []))[1]
    for names in (keys, [name for name, _, _ in getattr(model._model, side)()]):
        if names and all(name in data for name in names):
            return [data[name] for name in names]
    return data


def specs_of_model(model) -> tuple[list, list, int]:
    """The fields of records for a plan: the model's inputs, and targets like its outputs."""
    inputs, outputs = model._model.inputs(), model._model.outputs()
    if not inputs:
        raise ValueError(f"{model.name}: its inputs are not known before it was called; pass x and y")
    fields = [(dtype, tuple(shape)[1:]) for _, dtype, shape in inputs]
    return fields + _target_specs(model, outputs), [], len(outputs)


def _target_specs(model, outputs: list) -> list:
    from plimsoll.keras.losses import Loss

    losses = model._compiled.losses if model._compiled else None
    found = []
    for number, (_, _, shape) in enumerate(outputs):
        loss = losses if isinstance(losses, Loss) else (
            losses[number] if isinstance(losses, list) else None)
        sizes = tuple(shape)[1:]
        is_sparse = "sparse" in str(getattr(loss, "name", ""))
        found.append(("int64" if is_sparse else "float32", sizes[:-1] if is_sparse else sizes))
    return found
