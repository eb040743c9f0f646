"""adapt() and vocabularies of preprocessing layers."""
import numpy as np

from plimsoll import _convert, _core
from plimsoll.keras import _arguments
from plimsoll.keras._own_code import standardized


def adapt(layer, data, steps=None) -> None:
    """Learns from arrays, tensors, lists, or the batches of a Dataset."""
    data = standardized(layer, _all_of(data, steps))
    _core.adapt(layer._created, data)
    layer._adapted_shape = tuple(np.shape(data))


def statistic(layer, weight):
    """The mean or variance of a Normalization as Keras shows it: in a shape that broadcasts to the data."""
    rank = len(layer._adapted_shape)
    kept = [axis % rank for axis in layer._row_config()["axis"]]
    return _core.reshape(weight.read_value(), [
        size if axis in kept else 1 for axis, size in enumerate(layer._adapted_shape)])


def _all_of(data, steps):
    if isinstance(data, (np.ndarray, list, tuple)) or _convert.is_tensor(data) or hasattr(data, "iloc"):
        return np.asarray(data) if not _convert.is_tensor(data) else data
    parts = []
    for number, batch in enumerate(data):
        if steps is not None and number >= steps:
            break
        first = batch[0] if isinstance(batch, tuple) else batch
        array = np.asarray(first)
        parts.append(array if array.ndim else array[None])
    if not parts:
        raise ValueError("adapt: there is no data")
    return np.concatenate(parts) if all(part.shape[1:] == parts[0].shape[1:] for part in parts) else (
        np.concatenate([part.ravel() for part in parts]))


def vocabulary(handle, include_special_tokens: bool) -> list:
    words = list(_core.vocabulary(handle))
    if include_special_tokens:
        return words
    config = handle.config()["config"]
    special = config.get("num_oov_indices", 1) + (
        1 if config.get("mask_token") is not None or handle.class_name == "TextVectorization" else 0)
    return words[special:]


def as_long_as_the_longest(handle, numbers):
    """The numbers of words without the columns that no text of the batch reaches, unless a length was set.

    A tensor without a value keeps them all: its texts are not known.
    """
    config = handle.config()["config"]
    unknown = numbers.is_symbolic or numbers.is_placeholder
    if config["output_mode"] != "int" or config["output_sequence_length"] is not None or unknown:
        return numbers
    if not _has_value(numbers):
        return numbers
    used = np.flatnonzero(np.asarray(numbers).any(axis=0))
    return numbers[:, :int(used[-1]) + 1 if used.size else 0]


def _has_value(tensor) -> bool:
    """False while a step is recorded from placeholders."""
    try:
        np.asarray(tensor)
    except (ValueError, RuntimeError, NotImplementedError):
        return False
    return True


def set_vocabulary(layer, words, idf_weights=None) -> None:
    """Makes the engine's layer anew with these words."""
    config = layer._created.config()
    are_numbers = config["class_name"] == "IntegerLookup"
    settings = {**config["config"], "vocabulary": _arguments.words_of(words, are_numbers)}
    settings.pop("vocabulary_size", None)
    if idf_weights is not None:
        settings["idf_weights"] = [float(weight) for weight in idf_weights]
    layer._created = _core.layer_from_config({**config, "config": settings})
