"""Accuracy metrics over three batches, and what metrics=["accuracy"] stands for."""

import keras
import numpy as np

from golden_file import Case, generator

BATCHES = (4, 7, 3)
CLASSES = 5


def metric_case(name, metric, make_batch, weighted):
    """result.N is the metric's value after batch N."""
    name += "_weighted" if weighted else ""
    rng = generator(name)
    case = Case(name, {"metric": type(metric).__name__, "name": metric.name})
    for index, size in enumerate(BATCHES):
        y_true, y_pred = make_batch(rng, size)
        weight = rng.uniform(0, 2, size).astype(np.float32) if weighted else None
        metric.update_state(y_true, y_pred, sample_weight=weight)
        case.add_all({f"y_true.{index}": y_true, f"y_pred.{index}": y_pred})
        if weighted:
            case.add(f"sample_weight.{index}", weight)
        case.add(f"result.{index}", metric.result())
    return case


def scores(rng, size):
    return rng.dirichlet(np.ones(CLASSES), size).astype(np.float32)


def sparse_batch(rng, size):
    return rng.integers(0, CLASSES, size).astype(np.int32), scores(rng, size)


def sparse_column_batch(rng, size):
    return rng.integers(0, CLASSES, (size, 1)).astype(np.int32), scores(rng, size)


def categorical_batch(rng, size):
    return np.eye(CLASSES, dtype=np.float32)[rng.integers(0, CLASSES, size)], scores(rng, size)


def binary_batch(rng, size):
    return rng.integers(0, 2, (size, 1)).astype(np.float32), rng.random((size, 1), np.float32)


def binary_wide_batch(rng, size):
    return rng.integers(0, 2, (size, 3)).astype(np.float32), rng.random((size, 3), np.float32)


def accuracy_cases():
    metrics = keras.metrics
    for weighted in (False, True):
        yield metric_case("sparse_categorical_accuracy", metrics.SparseCategoricalAccuracy(), sparse_batch, weighted)
        yield metric_case("sparse_column", metrics.SparseCategoricalAccuracy(), sparse_column_batch, weighted)
        yield metric_case("categorical_accuracy", metrics.CategoricalAccuracy(), categorical_batch, weighted)
        yield metric_case("binary_accuracy", metrics.BinaryAccuracy(), binary_batch, weighted)
        yield metric_case("binary_wide", metrics.BinaryAccuracy(), binary_wide_batch, weighted)
        threshold = metrics.BinaryAccuracy(threshold=0.7)
        yield metric_case("binary_threshold_0.7", threshold, binary_batch, weighted)


CHOICES = {
    "flat_labels_many_outputs": ((4,), (4, 5), "sparse_categorical_crossentropy"),
    "column_labels_many_outputs": ((4, 1), (4, 5), "sparse_categorical_crossentropy"),
    "one_hot": ((4, 5), (4, 5), "categorical_crossentropy"),
    "multi_label": ((4, 5), (4, 5), "binary_crossentropy"),
    "one_output": ((4, 1), (4, 1), "binary_crossentropy"),
    "flat_labels_one_output": ((4,), (4, 1), "binary_crossentropy"),
    "labels_by_step": ((4, 3), (4, 3, 5), "sparse_categorical_crossentropy"),
    "regression": ((4, 1), (4, 1), "mean_squared_error"),
}


def choice_case(name, y_true_shape, y_pred_shape, loss):
    """Only shapes decide: one output is binary, fewer label dimensions are sparse."""
    rng = generator(name)
    model = keras.Sequential([keras.Input(y_pred_shape[1:]), keras.layers.Activation("linear")])
    model.compile(loss=loss, metrics=["accuracy"])
    y_pred = rng.uniform(0.1, 0.9, y_pred_shape).astype(np.float32)
    y_true = rng.integers(0, 2, y_true_shape).astype(np.float32)
    logs = model.evaluate(y_pred, y_true, verbose=0, return_dict=True)
    chosen = model.metrics[-1].metrics[0]
    meta = {"loss": loss, "y_true_shape": y_true_shape, "y_pred_shape": y_pred_shape}
    case = Case(f"accuracy_means_{name}", {**meta, "metric": type(chosen).__name__, "name": chosen.name})
    case.add_all({"y_true": y_true, "y_pred": y_pred, "accuracy": np.float32(logs["accuracy"])})
    return case


def cases():
    yield from accuracy_cases()
    for name, (y_true_shape, y_pred_shape, loss) in CHOICES.items():
        yield choice_case(name, y_true_shape, y_pred_shape, loss)
