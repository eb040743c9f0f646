"""fit, evaluate and predict step by step in Python, for models with steps of their own."""
import time

import numpy as np

from plimsoll import _convert, _core
from plimsoll._memory import limited_memory
from plimsoll.keras._own_code import computes_with_values
from plimsoll.keras.models.data import unpack
from plimsoll.keras.models.line import LoopLine
from plimsoll.keras.models.loop_backup import LoopBackup
from plimsoll.keras.models.steps import as_numbers

# Words of fit that only the engine's own loop knows, the value that means "not given", and why not.
_OF_THE_ENGINE = {
    "on_bad_step": ("stop", "which stops at a bad step; leave on_bad_step out"),
    "on_bad_record": ("fail", "which does not look at single records; leave on_bad_record out, and leave bad records "
                              "out of the data"),
    "max_bad": (None, "which leaves no record out; leave max_bad out"),
    "doctor": (False, "which the doctor cannot watch; leave doctor out"),
    "run": (None, "which writes no folder of a run; leave `run` out, and give keras.callbacks.BackupAndRestore(folder) "
                  "for checkpoints"),
    "max_time": (None, "which has no checkpoint within an epoch to end with; leave max_time out"),
}

# The methods of a class that evaluate calls.
TEST_STEPS = ("test_step", "compute_loss", "compute_metrics")


def is_needed(model, *steps) -> bool:
    """True if the engine's own loop cannot run the model: a step, an optimizer or code that computes
    with values is the user's, or compile() was given run_eagerly=True."""
    if computes_with_values(model) or getattr(model, "run_eagerly", False):
        return True
    steps = steps or ("train_step", *TEST_STEPS)
    for name in steps:
        if not _is_ours(getattr(type(model), name)):
            return True
    compiled = model._compiled
    return compiled is not None and not compiled.is_for_engine()


def _is_ours(function) -> bool:
    return str(getattr(function, "__module__", "")).startswith("plimsoll.")


def refuse_words_of_the_engine(model, options: dict) -> None:
    """ValueError for what a run was asked for and a loop in Python does not do."""
    for word, (absent, why) in _OF_THE_ENGINE.items():
        if options.get(word, absent) != absent:
            raise ValueError(f"{model.name}: a model with a step or an optimizer of its own, or with run_eagerly, "
                             f"runs in a Python loop, {why}")


def _tensors(batch):
    """A batch as the steps see it: tensors."""
    return _convert.map_structure(
        lambda leaf: leaf if leaf is None or _convert.is_tensor(leaf) else _core.constant(leaf), batch)


# --- fit --------------------------------------------------------------------------------------


def fit(model, x, y, sample_weight, validation_data, options: dict):
    from plimsoll.keras.callbacks import History
    from plimsoll.keras.callbacks.callback_list import CallbackList
    from plimsoll.keras.models.batches import Batches, balanced_weights

    split = options["validation_split"]
    if split:
        x, y, sample_weight, validation_data = _split(x, y, sample_weight, split)
    class_weight = options["class_weight"]
    if isinstance(class_weight, str) and class_weight == "balanced":
        class_weight = balanced_weights(y)
    batches = Batches(x, y, sample_weight, options["batch_size"], options["shuffle"],
                      options["steps_per_epoch"], class_weight)
    history = History()
    callbacks = CallbackList.of_run(options["callbacks"], model, history,
                                    {"epochs": options["epochs"], "steps": batches.count,
                                     "verbose": options["verbose"]})
    with limited_memory(options["memory"]), LoopLine(options["verbose"]) as line:
        history.take_loop(_fit_batches(model, batches, validation_data, callbacks, options, line))
    return history


def _fit_batches(model, batches, validation_data, callbacks, options: dict, line) -> float:
    """The mean seconds of a step."""
    model.stop_training = False
    steps, seconds = 0, 0.0
    backup = None if options.get("backup") is None else LoopBackup(options["backup"], model, callbacks)
    callbacks.on_train_begin()
    for epoch in range(_first_epoch(model, batches, backup, options), options["epochs"]):
        callbacks.on_epoch_begin(epoch)
        line.begin("epoch", batches.count, epoch, options["epochs"])
        begun = time.monotonic()
        logs, count = _train_epoch(model, batches.epoch(epoch), callbacks, line)
        steps, seconds = steps + count, seconds + time.monotonic() - begun
        if validation_data is not None and _validates(options["validation_freq"], epoch):
            found = _validate(model, validation_data, callbacks, options)
            logs.update({f"val_{name}": value for name, value in found.items()})
        callbacks.on_epoch_end(epoch, logs)
        line.end(logs)
        if backup is not None:
            backup.save(epoch + 1)
        if model.stop_training:
            break
    callbacks.on_train_end()
    if backup is not None:
        backup.end()
    return seconds / steps if steps else 0.0


def _first_epoch(model, batches, backup, options: dict) -> int:
    if backup is None or not backup.has_checkpoint():
        return options["initial_epoch"]
    if not model.built:
        model._build_on(unpack(_tensors(batches.first()))[0])
    done = backup.restore()
    batches.skip_epochs(done - options["initial_epoch"])
    return done


def _train_epoch(model, batches, callbacks, line) -> tuple[dict, int]:
    """The numbers of the epoch, and how many steps it had."""
    _reset_metrics(model)
    logs, number = {}, -1
    for number, batch in enumerate(batches):
        callbacks.on_train_batch_begin(number)
        logs = model.train_step(_tensors(batch))
        is_due = line.count(_samples(batch))
        if is_due or callbacks.has("on_train_batch_end"):
            logs = as_numbers(logs)
            callbacks.on_train_batch_end(number, logs)
        if is_due:
            line.draw(logs)
        if model.stop_training:
            break
    return as_numbers(logs), number + 1


def _samples(batch) -> int:
    shape = np.shape(_convert.flatten(batch)[0])
    return shape[0] if shape else 1


def _reset_metrics(model) -> None:
    model.reset_metrics()
    tracker = model.__dict__.get("_loss_tracker")
    if tracker is not None:
        tracker.reset_state()


def _validates(frequency, epoch: int) -> bool:
    if isinstance(frequency, int):
        return (epoch + 1) % frequency == 0
    return epoch + 1 in frequency


def _split(x, y, sample_weight, share: float):
    """The last part of the data is for validation."""
    size = len(_convert.flatten(x)[0])
    at = size - int(size * share) if int(size * share) else size

    def part(value, rows):
        return None if value is None else _convert.map_structure(lambda leaf: np.asarray(leaf)[rows], value)

    first, last = slice(0, at), slice(at, size)
    validation = (part(x, last), part(y, last), part(sample_weight, last))
    if validation[2] is None:
        validation = validation[:2]
    return part(x, first), part(y, first), part(sample_weight, first), validation


def _validate(model, validation_data, callbacks, options: dict) -> dict:
    x, y, sample_weight = unpack(validation_data) if isinstance(
        validation_data, (tuple, list)) else (validation_data, None, None)
    return evaluate(model, x, y, sample_weight, {
        "batch_size": options["validation_batch_size"] or options["batch_size"],
        "steps": options["validation_steps"], "verbose": 0, "callbacks": callbacks, "memory": None})


# --- evaluate and predict ---------------------------------------------------------------------


def evaluate(model, x, y, sample_weight, options: dict) -> dict:
    """`callbacks` may be fit's, which validates."""
    from plimsoll.keras.models.batches import Batches

    batches = Batches(x, y, sample_weight, options["batch_size"], False, options["steps"], None)
    callbacks = _callbacks(model, options, batches)
    _reset_metrics(model)
    logs = {}
    with limited_memory(options["memory"]), LoopLine(options["verbose"]) as line:
        callbacks.on_test_begin()
        line.begin("evaluate", batches.count)
        for number, batch in enumerate(batches.epoch(0)):
            callbacks.on_test_batch_begin(number)
            logs = model.test_step(_tensors(batch))
            is_due = line.count(_samples(batch))
            if is_due or callbacks.has("on_test_batch_end"):
                logs = as_numbers(logs)
                callbacks.on_test_batch_end(number, logs)
            if is_due:
                line.draw(logs)
        logs = as_numbers(logs)
        callbacks.on_test_end(logs)
        line.end(logs)
    return logs


def _callbacks(model, options: dict, batches):
    from plimsoll.keras.callbacks.callback_list import CallbackList

    given = options["callbacks"]
    return given if isinstance(given, CallbackList) else CallbackList(
        given, model=model, verbose=options["verbose"], steps=batches.count)


def predict(model, x, options: dict):
    from plimsoll.keras.models.batches import Batches

    batches = Batches(x, None, None, options["batch_size"], False, options["steps"], None)
    callbacks, parts = _callbacks(model, options, batches), []
    with limited_memory(options["memory"]), LoopLine(options["verbose"]) as line:
        callbacks.on_predict_begin()
        line.begin("predict", batches.count)
        for number, batch in enumerate(batches.epoch(0)):
            callbacks.on_predict_batch_begin(number)
            outputs = _convert.map_structure(np.asarray, model.predict_step(_tensors(batch)))
            parts.append(outputs)
            callbacks.on_predict_batch_end(number, {"outputs": outputs})
            if line.count(_samples(batch)):
                line.draw({})
        callbacks.on_predict_end()
        line.end({})
    leaves = [_convert.flatten(part) for part in parts]
    joined = iter([np.concatenate(column) for column in zip(*leaves)])
    return _convert.map_structure(lambda _: next(joined), parts[0])


# --- single batches ---------------------------------------------------------------------------


def train_on_batch(model, batch) -> dict:
    """The numbers of this batch alone, as the engine gives them."""
    _reset_metrics(model)
    return as_numbers(model.train_step(_tensors(batch)))


def test_on_batch(model, batch) -> dict:
    _reset_metrics(model)
    return as_numbers(model.test_step(_tensors(batch)))


def predict_on_batch(model, x):
    return _convert.map_structure(np.array, model.predict_step(_tensors(x)))
