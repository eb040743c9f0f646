"""Metrics made from their configs, over three batches."""

import json

import keras
import numpy as np
import tensorflow as tf
from keras.src import backend

from golden_file import Case, generator

M = keras.metrics
BATCHES = (4, 7, 3)
CLASSES = 4


def metric_case(name, metric, batch, weight=None, masked=False):
    """result.N is the metric's value, or values, after batch N."""
    rng = generator(name)
    # The names of metrics are counted, so they would depend on the order of cases.
    metric.name = metric.name.rstrip("0123456789").rstrip("_")
    case = Case(name, {"config": json.dumps(keras.saving.serialize_keras_object(metric))})
    for index, size in enumerate(BATCHES):
        y_true, y_pred = batch(rng, size)
        update = {"y_true": y_true, "y_pred": tf.constant(y_pred)}
        tensors = {"y_true": y_true, "y_pred": y_pred}
        if weight:
            tensors["sample_weight"] = update["sample_weight"] = weight(rng, size)
        if masked:
            tensors["mask"] = rng.integers(0, 2, y_pred.shape[:2]) > 0
            backend.set_keras_mask(update["y_pred"], tf.constant(tensors["mask"]))
        metric.update_state(**update)
        case.add_all({f"{key}.{index}": value for key, value in tensors.items()})
        case.add(f"result.{index}", metric.result())
    return case


def weights(*shape):
    return lambda rng, size: rng.uniform(0, 2, (size, *shape)).astype(np.float32)


def whole_weights(*shape):
    return lambda rng, size: rng.integers(0, 3, (size, *shape)).astype(np.float32)


def numbers(*shape):
    def batch(rng, size):
        draw = lambda: rng.standard_normal((size, *shape)).astype(np.float32)
        return draw(), draw()

    return batch


def binary(*shape, low=0.0, high=1.0):
    def batch(rng, size):
        y_pred = rng.uniform(low, high, (size, *shape)).astype(np.float32)
        return rng.integers(0, 2, (size, *shape)).astype(np.float32), y_pred

    return batch


def edges(rng, size):
    """Predictions at and beyond thresholds."""
    y_pred = rng.choice([-0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5], (size, 3)).astype(np.float32)
    return rng.integers(0, 2, (size, 3)).astype(np.float32), y_pred


def one_hot(*shape):
    def batch(rng, size):
        labels = rng.integers(0, CLASSES, (size, *shape))
        return np.eye(CLASSES, dtype=np.float32)[labels], rng.dirichlet(np.ones(CLASSES), (size, *shape)).astype(np.float32)

    return batch


def sparse(*shape):
    def batch(rng, size):
        labels = rng.integers(0, CLASSES, (size, *shape)).astype(np.int32)
        return labels, rng.dirichlet(np.ones(CLASSES), (size, *shape)).astype(np.float32)

    return batch


def class_numbers(*shape, low=0):
    def batch(rng, size):
        draw = lambda: rng.integers(low, CLASSES, (size, *shape)).astype(np.int32)
        return draw(), draw()

    return batch


def sorted_ids(rng, size):
    order = np.stack([rng.permutation(CLASSES) for _ in range(size)]).astype(np.float32)
    return rng.integers(0, CLASSES, size).astype(np.int32), order


def positive(*shape):
    def batch(rng, size):
        draw = lambda: rng.uniform(0.1, 2, (size, *shape)).astype(np.float32)
        return draw(), draw()

    return batch


def mean_cases():
    for name, metric, batch in (
        ("mse", M.MeanSquaredError, numbers(3)),
        ("mae", M.MeanAbsoluteError, numbers(3)),
        ("mape", M.MeanAbsolutePercentageError, numbers(3)),
        ("msle", M.MeanSquaredLogarithmicError, positive(3)),
        ("rmse", M.RootMeanSquaredError, numbers(3)),
        ("log_cosh", M.LogCoshError, numbers(3)),
        ("cosine", M.CosineSimilarity, numbers(3)),
        ("hinge", M.Hinge, binary(3)),
        ("squared_hinge", M.SquaredHinge, binary(3)),
        ("categorical_hinge", M.CategoricalHinge, one_hot()),
        ("kld", M.KLDivergence, one_hot()),
        ("poisson", M.Poisson, positive(3)),
        ("bce", M.BinaryCrossentropy, binary(3)),
        ("cce", M.CategoricalCrossentropy, one_hot()),
        ("scce", M.SparseCategoricalCrossentropy, sparse()),
        ("accuracy", M.Accuracy, class_numbers(2)),
        ("categorical_accuracy", M.CategoricalAccuracy, one_hot()),
    ):
        yield metric_case(name, metric(), batch)
        yield metric_case(f"{name}_weighted", metric(), batch, weights())
    yield metric_case("bce_options", M.BinaryCrossentropy(name="mine", from_logits=True, label_smoothing=0.1), binary(3, low=-2, high=2))
    yield metric_case("cce_options", M.CategoricalCrossentropy(from_logits=True, label_smoothing=0.1), one_hot())
    ignoring = {"from_logits": True, "ignore_class": 1}
    yield metric_case("scce_ignore", M.SparseCategoricalCrossentropy(**ignoring), sparse(2))
    yield metric_case("scce_ignore_weighted", M.SparseCategoricalCrossentropy(**ignoring), sparse(2), weights(2))
    yield metric_case("binary_accuracy_0.3", M.BinaryAccuracy(threshold=0.3), binary(1))
    for k in (1, 2):
        yield metric_case(f"top_{k}", M.TopKCategoricalAccuracy(k=k), one_hot())
        yield metric_case(f"sparse_top_{k}", M.SparseTopKCategoricalAccuracy(k=k), sparse(), weights())
    yield metric_case("top_2_steps", M.TopKCategoricalAccuracy(k=2), one_hot(3), weights(3))
    yield metric_case("sparse_top_2_steps", M.SparseTopKCategoricalAccuracy(k=2), sparse(3))
    yield metric_case("sorted_ids", M.SparseTopKCategoricalAccuracy(k=2, from_sorted_ids=True), sorted_ids)


def masked_cases():
    yield metric_case("masked_mse", M.MeanSquaredError(), numbers(3, 2), masked=True)
    yield metric_case("masked_mse_weighted", M.MeanSquaredError(), numbers(3, 2), weights(3), masked=True)
    yield metric_case("masked_sparse", M.SparseCategoricalAccuracy(), sparse(3), masked=True)
    yield metric_case("masked_rmse", M.RootMeanSquaredError(), numbers(3, 2), masked=True)


def threshold_cases():
    for name, metric in {"tp": M.TruePositives, "fp": M.FalsePositives, "tn": M.TrueNegatives, "fn": M.FalseNegatives}.items():
        yield metric_case(name, metric(), binary(3))
        yield metric_case(f"{name}_many", metric(thresholds=[0.7, 0.2]), binary(3), weights())
    for name, metric in {"precision": M.Precision, "recall": M.Recall}.items():
        yield metric_case(name, metric(), binary(1), weights())
        yield metric_case(f"{name}_one", metric(thresholds=0.3), binary())
        yield metric_case(f"{name}_many", metric(thresholds=[0.9, 0.1, 0.4]), binary(3))
        yield metric_case(f"{name}_twenty", metric(thresholds=[(i / 25) ** 2 for i in range(1, 21)]), binary(3), weights())
        yield metric_case(f"{name}_even_edges", metric(thresholds=[0.0, 0.25, 0.5, 0.75, 1.0]), edges)
        yield metric_case(f"{name}_edges", metric(thresholds=[0.0, 0.5, 0.75]), edges)
        yield metric_case(f"{name}_top_k", metric(top_k=2), one_hot())
        yield metric_case(f"{name}_top_k_class", metric(top_k=2, class_id=1, thresholds=0.3), one_hot(), weights())
        yield metric_case(f"{name}_class", metric(class_id=2), one_hot(3), weights(3))
    yield metric_case("sensitivity_at", M.SensitivityAtSpecificity(0.5), binary(3), weights())
    yield metric_case("specificity_at", M.SpecificityAtSensitivity(0.4, num_thresholds=7), binary(3))
    yield metric_case("precision_at", M.PrecisionAtRecall(0.5, num_thresholds=1), binary(3))
    yield metric_case("recall_at", M.RecallAtPrecision(0.6, class_id=1), one_hot())


def auc_cases():
    for curve in ("ROC", "PR", "PRGAIN"):
        for method in ("interpolation", "minoring", "majoring"):
            weight = weights() if method == "minoring" else None
            metric = M.AUC(num_thresholds=13, curve=curve, summation_method=method)
            yield metric_case(f"auc_{curve.lower()}_{method}", metric, binary(3), weight)
    yield metric_case("auc", M.AUC(), binary(1))
    yield metric_case("auc_edges", M.AUC(num_thresholds=5), edges)
    yield metric_case("auc_thresholds", M.AUC(thresholds=[0.8, 0.3, 0.35]), binary(3), weights())
    yield metric_case("auc_even_thresholds", M.AUC(thresholds=[0.25, 0.5, 0.75], curve="PR"), edges)
    yield metric_case("auc_logits", M.AUC(from_logits=True), binary(2, low=-3, high=3))
    yield metric_case("auc_multi_label", M.AUC(multi_label=True, num_thresholds=11), binary(3), weights())
    yield metric_case("auc_multi_label_pr", M.AUC(multi_label=True, num_labels=3, curve="PR"), binary(3))
    yield metric_case("auc_multi_label_uneven", M.AUC(multi_label=True, thresholds=[0.1, 0.7]), binary(3))
    yield metric_case("auc_label_weights", M.AUC(multi_label=True, label_weights=[1.0, 2.0, 0.5]), binary(3))
    yield metric_case("auc_label_weights_flat", M.AUC(label_weights=[1.0, 2.0, 0.5]), binary(3), weights())


def score_cases():
    for average in (None, "micro", "macro", "weighted"):
        yield metric_case(f"f1_{average}", M.F1Score(average=average), one_hot())
        yield metric_case(f"fbeta_{average}", M.FBetaScore(average=average, beta=2.0, threshold=0.3), one_hot(), weights())
    zeros = lambda rng, size: (np.eye(3, dtype=np.float32)[rng.integers(0, 3, size)], np.zeros((size, 3), np.float32))
    yield metric_case("f1_zeros", M.F1Score(), zeros)
    for aggregation in (None, "uniform_average", "variance_weighted_average"):
        yield metric_case(f"r2_{aggregation}", M.R2Score(class_aggregation=aggregation), numbers(2))
        yield metric_case(f"r2_{aggregation}_adjusted", M.R2Score(class_aggregation=aggregation, num_regressors=3), numbers(2), weights())


def overlap_cases():
    yield metric_case("mean_iou", M.MeanIoU(num_classes=CLASSES), class_numbers(5))
    yield metric_case("mean_iou_absent", M.MeanIoU(num_classes=CLASSES + 2), class_numbers(5))
    yield metric_case("mean_iou_outside", M.MeanIoU(num_classes=CLASSES - 1), class_numbers(5, low=-1))
    yield metric_case("mean_iou_ignore", M.MeanIoU(num_classes=CLASSES, ignore_class=1), class_numbers(5), whole_weights(5))
    yield metric_case("mean_iou_fractions", M.MeanIoU(num_classes=CLASSES), class_numbers(5), weights(5))
    yield metric_case("mean_iou_float", M.MeanIoU(num_classes=CLASSES, dtype="float32"), class_numbers(5), weights(5))
    dense = {"sparse_y_true": False, "sparse_y_pred": False}
    yield metric_case("mean_iou_dense", M.MeanIoU(num_classes=CLASSES, **dense), one_hot(3))
    yield metric_case("iou", M.IoU(num_classes=CLASSES, target_class_ids=[0, 2]), class_numbers(5))
    yield metric_case("iou_sparse_true", M.IoU(num_classes=CLASSES, target_class_ids=[1], sparse_y_pred=False), sparse(3))
    yield metric_case("binary_iou", M.BinaryIoU(threshold=0.3), binary(5))
    yield metric_case("binary_iou_one", M.BinaryIoU(target_class_ids=[1]), binary(5), whole_weights(5))
    yield metric_case("one_hot_iou", M.OneHotIoU(num_classes=CLASSES, target_class_ids=[0, 3]), one_hot(3))
    yield metric_case("one_hot_mean_iou", M.OneHotMeanIoU(num_classes=CLASSES, ignore_class=0), one_hot(3))


def cases():
    yield from mean_cases()
    yield from masked_cases()
    yield from threshold_cases()
    yield from auc_cases()
    yield from score_cases()
    yield from overlap_cases()
