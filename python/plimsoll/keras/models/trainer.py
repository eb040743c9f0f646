"""Trainer: compile, fit, evaluate and predict, as Keras has them."""
import functools
import os
import warnings

import numpy as np

from plimsoll import _convert, _core
from plimsoll.errors import NotFinite
from plimsoll.keras.models import data, python_loop, steps, stopping
from plimsoll.keras.models.batches import packed, weighted
from plimsoll.keras.models.compiled import Compiled
from plimsoll.keras.models.plan import MemoryPlan
from plimsoll.keras.models.profile import StepProfile
from plimsoll.keras.models.progress import progress_for
from plimsoll.keras.models.replay import ReplayedStep


class Trainer:
    """The part of Model that trains."""

    _compiled = None
    compiled = property(lambda self: self._compiled is not None)

    def compile(self, optimizer="rmsprop", loss=None, loss_weights=None, metrics=None,
                weighted_metrics=None, run_eagerly=False, steps_per_execution=1,
                jit_compile="auto", auto_scale_loss=True, **kwargs) -> None:
        """Says how the model is trained: an optimizer, a loss and metrics, by name or as objects."""
        kwargs.pop("sample_weight_mode", None)
        if kwargs:
            raise TypeError(f"compile() got an unexpected argument '{next(iter(kwargs))}'")
        if _are_metrics(loss_weights):  # Keras 2 had the metrics in the third place
            loss_weights, metrics = metrics, loss_weights
        self._compiled = Compiled(self, optimizer, loss, loss_weights, metrics, weighted_metrics)
        self.run_eagerly = run_eagerly
        self._compiled.hand_over()

    @property
    def optimizer(self):
        return None if self._compiled is None else self._compiled.optimizer

    @optimizer.setter
    def optimizer(self, optimizer) -> None:
        old = self._compiled
        kept = () if old is None else (old.given_loss, old.loss_weights, old.given_metrics, old.given_weighted)
        Trainer.compile(self, optimizer, *kept, run_eagerly=getattr(self, "run_eagerly", False))

    @property
    def loss(self):
        return None if self._compiled is None else self._compiled.given_loss

    @property
    def metrics(self) -> list:
        """The metrics that are reported: compile's and the model's own."""
        own = steps.own_metrics(self)
        if self._compiled is None:
            return own
        tracker = [] if self._compiled.losses is None else [steps.loss_tracker(self)]
        compiled = [self.compiled_metrics] if self._compiled.metrics_for_user() else []
        return [*tracker, *compiled, *own]

    # --- runs --------------------------------------------------------------------------------

    def fit(self, x=None, y=None, batch_size=None, epochs=1, verbose="auto", callbacks=None,
            validation_split=0.0, validation_data=None, shuffle=True, class_weight=None,
            sample_weight=None, initial_epoch=0, steps_per_epoch=None, validation_steps=None,
            validation_batch_size=None, validation_freq=1, *, memory=None, on_bad_record="fail",
            max_bad=None, on_bad_step="stop", run=None, max_time=None, allow_changed=False,
            doctor=False, **kwargs):
        """Trains. `memory` ("2GiB") is all that the process may take; the run is fitted into it.
        `run` is the folder of the run, as `plimsoll train` leaves it: plimsoll.runs, plimsoll.report and the
        commands read it, and a run that was killed or stopped goes on from its checkpoints, bit for bit.
        SIGTERM and SIGHUP end it in good order with plimsoll.Stopped, and `max_time` ("11h") with
        plimsoll.OutOfTime, which the script ends with unless it catches them.
        `on_bad_step` says what happens if a loss or a gradient is not finite: "stop" raises NotFinite,
        "skip" leaves the step and its bad records out, "rollback" goes back to a checkpoint of `run` with
        half the learning rate, "repair" does whichever of the two helps.
        class_weight="balanced" gives each class records / (classes * records of the class).
        With `doctor`, what spoils the run is reported as soon as it shows (plimsoll.doctor).
        """
        _take_old_words(kwargs, "fit")
        if isinstance(x, _core.Tensor) is False and x is None:
            raise ValueError("fit: there is no data; pass x and y, a Dataset or a generator")
        if batch_size is not None and not hasattr(batch_size, "__index__"):
            raise ValueError(f"fit: batch_size must be a whole number, found {batch_size!r}")
        options = {"batch_size": batch_size, "epochs": epochs, "callbacks": callbacks,
                   "shuffle": shuffle, "class_weight": class_weight,
                   "initial_epoch": initial_epoch, "steps_per_epoch": steps_per_epoch,
                   "validation_split": validation_split, "validation_steps": validation_steps,
                   "validation_batch_size": validation_batch_size,
                   "validation_freq": validation_freq, "memory": memory,
                   "on_bad_record": on_bad_record, "max_bad": max_bad, "on_bad_step": on_bad_step,
                   "run": None if run is None else os.fspath(run), "max_time": max_time,
                   "allow_changed": allow_changed, "doctor": doctor,
                   "verbose": _verbose(verbose)}
        backup = _backup_of(callbacks, options)
        if python_loop.is_needed(self):
            if backup is not None:
                options["run"], options["backup"] = None, backup
            python_loop.refuse_words_of_the_engine(self, options)
            return python_loop.fit(self, x, y, sample_weight, validation_data, options)
        with stopping.last_line(self, options):
            history = self._fit_in_engine(x, y, sample_weight, validation_data, options)
        if backup is not None:
            backup.end()
        return history

    def _fit_in_engine(self, x, y, sample_weight, validation_data, options: dict):
        from plimsoll.keras.callbacks.callback_list import CallbackList
        from plimsoll.keras.callbacks import History
        from plimsoll.keras.models.files import save_for_run

        self._require_compiled("fit()")
        # A run that goes on begins with a pass of its own, whose order must be that of the first.
        records = data.for_engine(self, x, y, sample_weight, options["batch_size"], "fit",
                                  shuffle=bool(options["shuffle"]) and options["run"] is None)
        validation = None
        if validation_data is not None:
            validation = data.validation_for_engine(
                self, validation_data, options["validation_batch_size"] or options["batch_size"])
        self._build_for(records)
        if self.built and not self.trainable_variables:
            warnings.warn(f"{self.name}: has no trainable weight, so fit() changes nothing", stacklevel=3)
            return python_loop.fit(self, records.again(x), y, sample_weight, validation_data, options)
        history = History()
        callbacks = CallbackList.of_run(options["callbacks"], self, history, {
            "verbose": options["verbose"], "epochs": options["epochs"], "steps": records.steps(options)})
        frequency = options.pop("validation_freq")
        engine = {**{key: options[key] for key in (
            "epochs", "batch_size", "steps_per_epoch", "initial_epoch", "validation_split",
            "validation_steps", "validation_batch_size", "memory", "on_bad_record", "max_bad",
            "on_bad_step", "run", "checkpoint_steps", "allow_changed")},
            "save_model": functools.partial(save_for_run, self) if options["has_record"] else None,
            **stopping.engine_options(options),
            "shuffle": bool(options["shuffle"]) and records.may_shuffle,
            "class_weight": _class_weights(options["class_weight"], "balanced"),
            "validation_data": None if validation is None else validation.dataset,
            "validation_freq": frequency if isinstance(frequency, int) else 1,
            "validation_epochs": None if isinstance(frequency, int) else list(frequency),
            "callbacks": callbacks.for_engine() + progress_for(options["verbose"])}
        history._is_shuffled = engine["shuffle"]
        history._has_class_weights = bool(options["class_weight"])
        if options["doctor"]:
            history.doctor = _core.LiveDoctor(records.dataset, history._is_shuffled, history._has_class_weights)
            engine["callbacks"].append(history.doctor.callback())
        engine["batch_size"] = records.batch_size if records.batch_size else options["batch_size"]
        self.history = history
        try:
            with data.closing(records, validation):
                found = self._model.fit(records.dataset, engine)
        except NotFinite as error:
            callbacks.end_not_finite(error, options["initial_epoch"] + len(history.epoch))
            return history
        finally:
            engine["callbacks"].clear()  # ends the moving line, which a traceback would keep
        history.take(found)
        self._plan = found["plan"]
        return history

    def _build_for(self, records) -> None:
        """Builds a Sequential that waits for initial values of the user's own, and a model class."""
        if self._runs_in_python and not self._built:
            self._build_on(records.inputs())
            return
        waits = any(layer._initial_weights is not None or layer._python_arguments
                    for layer in self.__dict__.get("_added", ()))
        if waits and not self.built:
            self.build((None, *records.specs[0][1]))

    def evaluate(self, x=None, y=None, batch_size=None, verbose="auto", sample_weight=None,
                 steps=None, callbacks=None, return_dict=False, *, memory=None, on_bad_record="fail",
                 max_bad=None, **kwargs):
        """The loss and the metrics of the data. Bad records are as in fit()."""
        _take_old_words(kwargs, "evaluate")
        options = {"batch_size": batch_size, "steps": steps, "callbacks": callbacks, "memory": memory,
                   "on_bad_record": on_bad_record, "max_bad": max_bad, "verbose": _verbose(verbose)}
        if python_loop.is_needed(self, *python_loop.TEST_STEPS):
            python_loop.refuse_words_of_the_engine(self, options)
            logs = python_loop.evaluate(self, x, y, sample_weight, options)
        else:
            self._require_compiled("evaluate()")
            records = data.for_engine(self, x, y, sample_weight, batch_size, "evaluate")
            self._build_for(records)
            with data.closing(records):
                logs = self._model.evaluate(records.dataset, self._engine_options(options, records))
        names = self._report_order(logs)
        if return_dict:
            return {name: logs[name] for name in names}
        values = [logs[name] for name in names]
        return values[0] if len(values) == 1 else values

    def predict(self, x, batch_size=None, verbose="auto", steps=None, callbacks=None, *,
                memory=None, on_bad_record="fail", max_bad=None, **kwargs):
        """The outputs for the data, as arrays. Bad records are as in fit(): the row of one that is left out is NaN."""
        _take_old_words(kwargs, "predict")
        options = {"batch_size": batch_size, "steps": steps, "callbacks": callbacks, "memory": memory,
                   "on_bad_record": on_bad_record, "max_bad": max_bad, "verbose": _verbose(verbose)}
        if python_loop.is_needed(self, "predict_step"):
            python_loop.refuse_words_of_the_engine(self, options)
            return python_loop.predict(self, x, options)
        records = data.for_engine(self, x, None, None, batch_size, "predict")
        self._build_for(records)
        with data.closing(records):
            outputs = self._model.predict(records.dataset, self._engine_options(options, records))
        return _convert.own_arrays(self._packed(outputs))

    def _packed(self, outputs: list):
        from plimsoll.keras.models import network_call

        if self._runs_in_python:
            form = next((form for form in self._forms if form.outputs is not None), None)
            return outputs[0] if form is None else _convert.put_tensors(form.outputs, outputs)
        return network_call.packed(self, outputs)

    def _engine_options(self, options: dict, records) -> dict:
        from plimsoll.keras.callbacks.callback_list import CallbackList

        callbacks = CallbackList(options["callbacks"], model=self, verbose=options["verbose"])
        return {"batch_size": records.batch_size or options["batch_size"],
                **{word: options[word] for word in ("steps", "memory", "on_bad_record", "max_bad")},
                "callbacks": callbacks.for_engine() + progress_for(options["verbose"])}

    def _report_order(self, logs: dict) -> list:
        """The loss, the metrics as compile() was given them, losses of outputs, and the rest by name."""
        first = [name for name in self.metrics_names if name in logs]
        return first + sorted(name for name in logs if name not in first)

    # --- single batches ----------------------------------------------------------------------

    def train_on_batch(self, x, y=None, sample_weight=None, class_weight=None, return_dict=False):
        """One step on one batch."""
        batch = weighted(packed(x, y, sample_weight), _class_weights(class_weight))
        if python_loop.is_needed(self):
            return self._as_result(python_loop.train_on_batch(self, batch), return_dict)
        self._require_compiled("train_on_batch()")
        logs = self._model.train_on_batch(*data.batch_for_engine(self, *data.unpack(batch)))
        return self._as_result(logs, return_dict)

    def test_on_batch(self, x, y=None, sample_weight=None, return_dict=False):
        """The loss and the metrics of one batch."""
        if python_loop.is_needed(self, *python_loop.TEST_STEPS):
            logs = python_loop.test_on_batch(self, packed(x, y, sample_weight))
        else:
            self._require_compiled("test_on_batch()")
            logs = self._model.test_on_batch(*data.batch_for_engine(self, x, y, sample_weight))
        return self._as_result(logs, return_dict)

    def predict_on_batch(self, x):
        """The outputs for one batch."""
        if python_loop.is_needed(self, "predict_step"):
            return python_loop.predict_on_batch(self, x)
        return _convert.map_structure(np.array, self(x, training=False))

    def _as_result(self, logs: dict, return_dict: bool):
        names = self._report_order(logs)
        if return_dict:
            return {name: logs[name] for name in names}
        values = [logs[name] for name in names]
        return values[0] if len(values) == 1 else values

    # --- steps of the user's own -------------------------------------------------------------

    def train_step(self, data):
        """One step of fit; a class of your own may say it otherwise."""
        return steps.default_train_step(self, data)

    def test_step(self, data):
        return steps.default_test_step(self, data)

    def predict_step(self, data):
        return self(steps.unpack(data)[0], training=False)

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        """The loss of compile(), with what layers add to it."""
        return steps.compute_loss(self, y, y_pred, sample_weight)

    def compute_metrics(self, x, y, y_pred, sample_weight=None) -> dict:
        """Updates the metrics of compile() and returns their results."""
        return steps.compute_metrics(self, y, y_pred, sample_weight)

    def compiled_loss(self, y, y_pred, sample_weight=None, regularization_losses=None):
        loss = steps.compiled_loss(self, y, y_pred, sample_weight)
        for penalty in regularization_losses or ():
            loss = loss + penalty
        return loss

    @property
    def compiled_metrics(self):
        return steps.CompiledMetrics(self)

    def get_metrics_result(self) -> dict:
        return steps.as_numbers({metric.name: metric.result() for metric in self.metrics})

    def reset_metrics(self) -> None:
        for metric in self.metrics:
            metric.reset_state()

    def make_train_function(self, force=False):
        return None

    # --- the doctor --------------------------------------------------------------------------

    def doctor(self, x=None, y=None, *, history=None, thresholds=None):
        """Why the model learns badly, as plimsoll.doctor says it."""
        import plimsoll

        return plimsoll.doctor(self, x, y, history=history, thresholds=thresholds)

    def replay(self, run, step=None, at=None) -> ReplayedStep:
        """A step of fit(run=…) whose loss or gradients were not finite, operation by operation.

        The model is compiled as in that run, and is afterwards as it was before the step: the last that was
        kept, or `step`. `at` is a layer or an operation, which is shown with its inputs.
        """
        self._require_compiled("replay()")
        return ReplayedStep.of(self, os.fspath(run), step, at or "")

    # --- memory ------------------------------------------------------------------------------

    def plan(self, x=None, y=None, batch_size=32, *, memory=None) -> MemoryPlan:
        """The memory of a training step, before any: of data like x and y, or of the model's inputs."""
        self._require_compiled("plan()")
        return MemoryPlan.of(self, x, y, batch_size, memory)

    def profile(self, x, y=None, batch_size=None, steps=20, *, memory=None) -> StepProfile:
        """Trains some steps and measures their operations. The steps are real: they change the weights."""
        if python_loop.is_needed(self):
            raise ValueError(f"{self.name}: a model with a train_step or an optimizer of its own trains in "
                             "a Python loop, which cannot be profiled")
        return StepProfile.of(self, x, y, batch_size, steps, memory)

    def _require_compiled(self, what: str) -> None:
        if self._compiled is None and not self._model.compiled:
            raise ValueError(f"{self.name}: call compile() before {what}")
        if self._compiled is not None:
            self._compiled.hand_over()

    # Keras 2's names.
    def fit_generator(self, generator, steps_per_epoch=None, epochs=1, **kwargs):
        return self.fit(generator, steps_per_epoch=steps_per_epoch, epochs=epochs, **kwargs)

    def evaluate_generator(self, generator, steps=None, **kwargs):
        return self.evaluate(generator, steps=steps, **kwargs)

    def predict_generator(self, generator, steps=None, **kwargs):
        return self.predict(generator, steps=steps, **kwargs)


def _backup_of(callbacks, options: dict):
    """BackupAndRestore among the callbacks: it is the run's folder of checkpoints."""
    from plimsoll.keras.callbacks import BackupAndRestore

    options["checkpoint_steps"] = None
    options["has_record"] = options["run"] is not None
    listed = callbacks if isinstance(callbacks, (list, tuple)) else [callbacks]
    backups = [each for each in listed if isinstance(each, BackupAndRestore)]
    if not backups:
        return None
    if options["run"] is not None or len(backups) > 1:
        raise ValueError("fit: BackupAndRestore names the folder of the run; leave `run` out, and give one "
                         "BackupAndRestore")
    options["run"], options["checkpoint_steps"] = backups[0].folder, backups[0].steps
    return backups[0]


_OLD_WORDS = ("workers", "max_queue_size", "use_multiprocessing", "pickle_safe", "nb_worker")


def _take_old_words(kwargs: dict, what: str) -> None:
    for word in _OLD_WORDS:
        kwargs.pop(word, None)
    if kwargs:
        raise TypeError(f"{what}() got an unexpected keyword argument '{next(iter(kwargs))}'")


def _are_metrics(given) -> bool:
    """True for what compile() takes as metrics: names, functions and objects instead of numbers."""
    flat = [each for part in _convert.flatten(given) for each in _convert.flatten(part)]
    return bool(flat) and all(isinstance(each, str) or callable(each) for each in flat)


def _verbose(value) -> int:
    if value == "auto":
        return 1
    return int(value)


def _class_weights(weights, word: str | None = None) -> dict | str | None:
    """Weights by number; a `word` that the engine makes them of stays."""
    if isinstance(weights, str) and weights == word:
        return word
    if weights is not None and not hasattr(weights, "items"):
        raise ValueError("fit: class_weight must be a dict of a weight for each class number, such as "
                         f"{{0: 1.0, 1: 2.5}}, found {weights!r}")
    return None if not weights else {int(key): float(value) for key, value in weights.items()}
