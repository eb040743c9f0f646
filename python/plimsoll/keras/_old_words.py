"""Keras 2's words for arguments, which scripts still use."""
import numpy as np

# A class's older name for an argument.
_RENAMED = {
    "LeakyReLU": {"alpha": "negative_slope"},
    "UnitNormalization": {"order": None},
    "BatchNormalization": {"renorm": None, "virtual_batch_size": None},
    "Nadam": {"schedule_decay": None},
}
_SHAPE_WORDS = ("batch_input_shape", "batch_shape", "input_shape", "input_dim", "input_length",
                "batch_size")
_REDUCTIONS = {None: "none", "auto": "sum_over_batch_size"}


def translate(row, owner, kwargs: dict) -> dict:
    """The keywords in Keras 3's words; what only old Keras knew is left on `owner`."""
    for old, new in _RENAMED.get(row.name, {}).items():
        if old in kwargs and old not in row.named:
            value = kwargs.pop(old)
            if new is not None:
                kwargs[new] = value
    if row.kind == "layers":
        _take_layer_words(row, owner, kwargs)
    elif row.kind == "optimizers":
        _take_optimizer_words(row, kwargs)
    return kwargs


def finish(row, given: dict) -> dict:
    """Values in Keras 3's words."""
    if row.kind == "losses" and "reduction" in given:
        reduction = given["reduction"]
        given["reduction"] = _REDUCTIONS.get(reduction, reduction)
    if row.kind == "optimizers" and given.get("epsilon", 0) is None:
        del given["epsilon"]
    return given


def _take_layer_words(row, owner, kwargs: dict) -> None:
    if "weights" in kwargs and "weights" not in row.default_config:
        owner._initial_weights = kwargs.pop("weights")
    words = {word: kwargs.pop(word) for word in _SHAPE_WORDS
             if word in kwargs and word not in row.named}
    shape = _batch_shape(words)
    if shape is not None:
        owner._batch_input_shape = shape


def _batch_shape(words: dict) -> tuple | None:
    batch = words.get("batch_size")
    if words.get("batch_input_shape") is not None:
        return _dimensions(words["batch_input_shape"])
    if words.get("batch_shape") is not None:
        return _dimensions(words["batch_shape"])
    if words.get("input_shape") is not None:
        return (batch, *_dimensions(words["input_shape"]))
    length = () if words.get("input_length") is None else _dimensions(words["input_length"])
    if words.get("input_dim") is not None:
        return (batch, *length, int(words["input_dim"]))
    return (batch, *length) if length else None


def _dimensions(shape) -> tuple:
    if isinstance(shape, (int, np.integer)):
        shape = (shape,)
    return tuple(None if size is None else int(size) for size in shape)


def _take_optimizer_words(row, kwargs: dict) -> None:
    if "lr" in kwargs:
        kwargs.setdefault("learning_rate", kwargs.pop("lr"))
    decay = kwargs.pop("decay", None)
    if decay:
        from plimsoll.keras.optimizers.schedules import InverseTimeDecay

        # Keras 2 divided the rate by 1 + decay * steps.
        rate = kwargs.get("learning_rate", row.named["learning_rate"].default)
        kwargs["learning_rate"] = InverseTimeDecay(rate, decay_steps=1, decay_rate=decay)
