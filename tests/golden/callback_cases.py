"""Callbacks that decide: numbers as the logs of one epoch after another, and what Keras does after each."""

import os
import tempfile

import keras
import numpy as np

from golden_file import Case

FALLING = [1.0, 0.9, 0.85, 0.86, 0.84, 0.845, 0.85, 0.86, 0.8, 0.81, 0.82, 0.83, 0.84]
RISING = [0.1, 0.3, 0.28, 0.32, 0.321, 0.322, 0.3, 0.35, 0.34, 0.33, 0.32, 0.31]
PLATEAU = [1.0, 0.5, 0.49995, 0.4999, 0.4998, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4]
GETTING_WORSE = [0.5, 0.6, 0.7, 0.8, 0.9]
NAN = float("nan")
NOT_FINITE = [0.5, NAN, 0.4, NAN, NAN, 0.45, 0.39]


def toy_model(learning_rate=0.1):
    """Trained once, so that Keras knows the metrics."""
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.compile(keras.optimizers.SGD(learning_rate), "mse", metrics=["accuracy", "mae"])
    model.fit(np.zeros((2, 2)), np.zeros((2, 1)), verbose=0)
    return model


def case_of(name, callback, options, values):
    case = Case(name, {"callback": callback, "monitor": options.get("monitor", "val_loss")} | options)
    case.meta["nan_at"] = np.flatnonzero(np.isnan(values)).tolist()
    case.add("values", np.nan_to_num(np.float32(values)))
    return case


def logs_of(monitor, value):
    return {"loss": 1.0, monitor: float(np.float32(value))}


def early_stopping(name, values, **options):
    """`stopped`: after how many epochs, 0 where never. `best`: the best epoch."""
    case = case_of(f"early_stopping_{name}", "EarlyStopping", options, values)
    callback = keras.callbacks.EarlyStopping(**options)
    model = toy_model()
    callback.set_model(model)
    callback.on_train_begin()
    model.stop_training, stopped = False, 0
    for epoch, value in enumerate(values):
        callback.on_epoch_end(epoch, logs_of(callback.monitor, value))
        if model.stop_training:
            stopped = epoch + 1
            break
    case.add("stopped", stopped)
    case.add("best", callback.best_epoch)
    return case


def reduce_lr(name, values, **options):
    """`rates`: the learning rate after each epoch."""
    case = case_of(f"reduce_lr_{name}", "ReduceLROnPlateau", options, values)
    callback = keras.callbacks.ReduceLROnPlateau(**options)
    model = toy_model()
    callback.set_model(model)
    callback.on_train_begin()
    rates = []
    for epoch, value in enumerate(values):
        callback.on_epoch_end(epoch, logs_of(callback.monitor, value))
        rates.append(float(model.optimizer.learning_rate))
    case.add("rates", np.float32(rates))
    return case


def checkpoint(name, values, **options):
    """`saved`: 1 after each epoch that is saved."""
    case = case_of(f"checkpoint_{name}", "ModelCheckpoint", options, values)
    callback = keras.callbacks.ModelCheckpoint("never.keras", save_best_only=True, **options)
    model = toy_model()
    saved = []
    model.save = lambda *_, **__: saved.append(1)
    callback.set_model(model)
    for epoch, value in enumerate(values):
        before = len(saved)
        callback.on_epoch_begin(epoch)
        callback.on_epoch_end(epoch, logs_of(callback.monitor, value))
        saved += [0] * (before == len(saved))
    case.add("saved", saved)
    return case


def file_name(name, pattern, epoch, batch, logs):
    """Meta `path`: what Keras makes of a file name with placeholders."""
    case = Case(f"file_name_{name}", {"callback": "ModelCheckpoint", "pattern": pattern, "epoch": epoch, "batch": batch})
    callback = keras.callbacks.ModelCheckpoint(pattern)
    case.meta["path"] = callback._get_file_path(epoch, batch, logs)
    case.meta["logs"] = list(logs)
    case.add("values", np.float32(list(logs.values())))
    return case


def csv(name, rows, **options):
    """Meta `line.N`: the file's lines; `row.N`: the logs that made them."""
    case = Case(f"csv_{name}", {"callback": "CSVLogger"} | options)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log.csv")
        callback = keras.callbacks.CSVLogger(path, **options)
        callback.on_train_begin()
        for epoch, row in enumerate(rows):
            callback.on_epoch_end(epoch, row)
            case.meta[f"row.{epoch}"] = [f"{key}={value}" for key, value in row.items()]
        callback.on_train_end()
        text = open(path, newline="").read()
    assert text.endswith("\r\n")
    lines = text[:-2].split("\r\n")
    case.meta["lines"] = len(lines)
    case.meta |= {f"line.{i}": line for i, line in enumerate(lines)}
    return case


def cases():
    yield early_stopping("defaults", FALLING)
    yield early_stopping("patience", FALLING, patience=3)
    yield early_stopping("patience_of_two", FALLING, patience=2)
    yield early_stopping("never", FALLING, patience=20)
    yield early_stopping("min_delta", PLATEAU, min_delta=0.001, patience=2)
    yield early_stopping("by_accuracy", RISING, monitor="val_accuracy", patience=2)
    yield early_stopping("by_error", FALLING, monitor="mae", patience=2)
    yield early_stopping("by_max", RISING, monitor="val_loss", mode="max", patience=3)
    yield early_stopping("start_later", GETTING_WORSE, start_from_epoch=2, patience=1)
    yield early_stopping("worse_at_once", GETTING_WORSE)
    yield early_stopping("baseline", FALLING, baseline=0.88, patience=2)
    yield early_stopping("baseline_never_met", FALLING, baseline=0.1, patience=4)
    yield early_stopping("not_finite", NOT_FINITE, patience=2)
    yield reduce_lr("defaults", PLATEAU)
    yield reduce_lr("patience", PLATEAU, patience=2, factor=0.5)
    yield reduce_lr("min_delta", PLATEAU, patience=1, factor=0.5, min_delta=0.01)
    yield reduce_lr("no_delta", PLATEAU, patience=1, factor=0.5, min_delta=0)
    yield reduce_lr("cooldown", PLATEAU, patience=1, factor=0.5, cooldown=2)
    yield reduce_lr("min_lr", PLATEAU, patience=1, factor=0.2, min_lr=0.01)
    yield reduce_lr("by_accuracy", RISING, monitor="val_accuracy", patience=1, factor=0.5)
    yield reduce_lr("not_finite", NOT_FINITE, patience=1, factor=0.5)
    yield checkpoint("best", FALLING)
    yield checkpoint("best_accuracy", RISING, monitor="val_accuracy")
    yield checkpoint("threshold", FALLING, initial_value_threshold=0.85)
    yield checkpoint("max", FALLING, mode="max")
    logs = {"loss": 0.125, "val_loss": 0.3333333432674408, "accuracy": 0.9375}
    yield file_name("plain", "m.keras", 0, None, logs)
    yield file_name("epoch", "m{epoch:02d}-{val_loss:.2f}.keras", 4, None, logs)
    yield file_name("batch", "e{epoch:03d}b{batch:d}.keras", 11, 41, logs)
    yield file_name("formats", "{epoch}_{accuracy:.1%}_{loss:.3e}_{val_loss:08.3f}_{loss:g}.keras", 0, None, logs)
    yield file_name("raw", "{loss}-{accuracy}.keras", 99, None, logs)
    yield file_name("braces", "{{x}}{epoch:4d}.keras", 6, None, logs)
    yield csv("plain", [{"loss": 0.5, "accuracy": 1.0}, {"loss": 0.25, "accuracy": 0.1, "learning_rate": 1e-05}])
    yield csv("validation", [{"loss": 100.0, "val_loss": 1e16}, {"loss": 0.0001}], separator=";")
