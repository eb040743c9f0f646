"""Losses: values, and gradients of sum(loss * dloss) with respect to y_pred."""

import keras
import numpy as np
import tensorflow as tf

from golden_file import Case, generator, normal

REDUCTIONS = ("sum_over_batch_size", "sum", "none", "mean", "mean_with_sample_weight")
CLASSES = 5


def loss_case(name, loss_class, y_true, y_pred, sample_weight=None, **options):
    """y_true, y_pred and sample_weight are functions of the case's random generator."""
    rng = generator(name)
    y_true, y_pred = y_true(rng), y_pred(rng)
    weight = sample_weight and sample_weight(rng)
    loss = loss_class(**{k: None if v == "none" else v for k, v in options.items()})

    y = tf.constant(y_pred)
    with tf.GradientTape() as tape:
        tape.watch(y)
        value = loss(y_true, y, sample_weight=weight)
        dloss = normal(rng, *value.shape) if value.shape.rank else np.float32(1)
        total = tf.reduce_sum(value * dloss)

    case = Case(name, {"loss": loss_class.__name__, **options})
    case.add_all({"y_true": y_true, "y_pred": y_pred})
    if weight is not None:
        case.add("sample_weight", weight)
    case.add_all({"loss": value, "dloss": dloss, "dy_pred": tape.gradient(total, y)})
    return case


def numbers(*shape):
    return lambda rng: normal(rng, *shape, scale=2)


def labels(*shape):
    return lambda rng: rng.integers(0, CLASSES, shape).astype(np.int32)


def one_hot(*shape):
    return lambda rng: np.eye(CLASSES, dtype=np.float32)[labels(*shape)(rng)]


def soft_labels(*shape):
    return lambda rng: rng.dirichlet(np.ones(CLASSES), shape).astype(np.float32)


def bits(*shape):
    return lambda rng: rng.integers(0, 2, shape).astype(np.float32)


def probabilities(*shape):
    return lambda rng: rng.uniform(0.02, 0.98, shape).astype(np.float32)


def distributions(*shape):
    return lambda rng: rng.dirichlet(np.ones(CLASSES), shape).astype(np.float32)


def weights(*shape):
    return lambda rng: rng.uniform(0, 2, shape).astype(np.float32)


def fixed(values, dtype=np.float32):
    return lambda rng: np.array(values, dtype)


# Keras clips probabilities to [1e-7, 1 - 1e-7]; what is clipped has no gradient.
EDGES = [0.0, 1e-9, 1e-8, 5e-7, 1e-4, 0.3, 0.9999, 0.9999995, 1.0]


def reductions(name, loss_class, y_true, y_pred, batch, **options):
    """Every reduction, with and without one weight for a sample."""
    for reduction in REDUCTIONS:
        chosen = {**options, "reduction": reduction}
        yield loss_case(f"{name}_{reduction}", loss_class, y_true, y_pred, **chosen)
        yield loss_case(f"{name}_{reduction}_weighted", loss_class, y_true, y_pred, weights(batch), **chosen)


def mean_squared_error_cases():
    mse = keras.losses.MeanSquaredError
    yield from reductions("mse", mse, numbers(4, 3), numbers(4, 3), 4)
    yield loss_case("mse_one_output", mse, numbers(6, 1), numbers(6, 1), weights(6))
    yield loss_case("mse_3d", mse, numbers(2, 4, 3), numbers(2, 4, 3))
    yield loss_case("mse_3d_weight_by_sample", mse, numbers(2, 4, 3), numbers(2, 4, 3), weights(2, 1))
    yield loss_case("mse_3d_weight_by_step", mse, numbers(2, 4, 3), numbers(2, 4, 3), weights(2, 4))
    yield loss_case("mse_flat_target", mse, numbers(4), numbers(4, 1), weights(4))


def binary_crossentropy_cases():
    bce = keras.losses.BinaryCrossentropy
    edge_targets = np.tile(np.array([[0.0], [1.0]], np.float32), (1, len(EDGES)))
    for logits in (False, True):
        name = "bce_logits" if logits else "bce"
        y_pred = numbers(4, 3) if logits else probabilities(4, 3)
        yield from reductions(name, bce, bits(4, 3), y_pred, 4, from_logits=logits)
        smooth = {"from_logits": logits, "label_smoothing": 0.2}
        yield loss_case(f"{name}_smoothing", bce, bits(4, 3), y_pred, **smooth)
        yield loss_case(f"{name}_smoothing_weighted", bce, bits(4, 3), y_pred, weights(4), **smooth)
        one = numbers(5, 1) if logits else probabilities(5, 1)
        yield loss_case(f"{name}_one_output", bce, bits(5, 1), one, from_logits=logits)
        yield loss_case(f"{name}_flat_target", bce, bits(5), one, weights(5), from_logits=logits)
    yield loss_case("bce_edges", bce, fixed(edge_targets), fixed([EDGES, EDGES]), reduction="none")
    large = [-200.0, -30.0, -5.0, 0.0, 5.0, 30.0, 200.0]
    large_targets = [[0.0] * 7, [1.0] * 7, [0.5] * 7]
    yield loss_case("bce_logits_large", bce, fixed(large_targets), fixed([large] * 3), from_logits=True, reduction="none")


def categorical_crossentropy_cases():
    cce = keras.losses.CategoricalCrossentropy
    for logits in (False, True):
        name = "cce_logits" if logits else "cce"
        y_pred = numbers(4, CLASSES) if logits else distributions(4)
        yield from reductions(name, cce, one_hot(4), y_pred, 4, from_logits=logits)
        smooth = {"from_logits": logits, "label_smoothing": 0.1}
        yield loss_case(f"{name}_smoothing", cce, one_hot(4), y_pred, **smooth)
        yield loss_case(f"{name}_smoothing_weighted", cce, one_hot(4), y_pred, weights(4), **smooth)
        yield loss_case(f"{name}_soft_labels", cce, soft_labels(4), y_pred, from_logits=logits)
        deep = numbers(2, 3, CLASSES) if logits else distributions(2, 3)
        yield loss_case(f"{name}_3d", cce, one_hot(2, 3), deep, weights(2, 3), from_logits=logits)
    edges, targets = edge_distributions()
    yield loss_case("cce_edges", cce, fixed(np.eye(3)[targets]), fixed(edges), reduction="none")
    # Rows that do not sum to 1 are divided by their sum first.
    yield loss_case("cce_not_normalized", cce, one_hot(4), probabilities(4, CLASSES))


def sparse_categorical_crossentropy_cases():
    scce = keras.losses.SparseCategoricalCrossentropy
    for logits in (False, True):
        name = "scce_logits" if logits else "scce"
        y_pred = numbers(4, CLASSES) if logits else distributions(4)
        yield from reductions(name, scce, labels(4), y_pred, 4, from_logits=logits)
        yield loss_case(f"{name}_column_labels", scce, labels(4, 1), y_pred, from_logits=logits)
        deep = numbers(2, 3, CLASSES) if logits else distributions(2, 3)
        for suffix, weight in (("", None), ("_weight_by_sample", weights(2, 1)), ("_weight_by_step", weights(2, 3))):
            yield loss_case(f"{name}_3d{suffix}", scce, labels(2, 3), deep, weight, from_logits=logits)
        yield loss_case(f"{name}_3d_none", scce, labels(2, 3), deep, from_logits=logits, reduction="none")
        ignored = fixed([3, 2, 0, 2, 1, 4], np.int32)
        yield loss_case(f"{name}_ignore_class", scce, ignored, double(y_pred), from_logits=logits, ignore_class=2)
    edges, targets = edge_distributions()
    yield loss_case("scce_edges", scce, fixed(targets, np.int32), fixed(edges), reduction="none")
    yield loss_case("scce_not_normalized", scce, labels(4), probabilities(4, CLASSES))
    large = [[100.0, 0.0, -100.0], [1000.0, 999.0, 0.0], [-1000.0, -1001.0, -999.5]]
    options = {"from_logits": True, "reduction": "none"}
    yield loss_case("scce_logits_large", scce, fixed([2, 1, 0], np.int32), fixed(large), **options)


def double(y_pred):
    """Six rows made of two draws of four."""
    return lambda rng: np.concatenate([y_pred(rng), y_pred(rng)])[:6]


def edge_distributions():
    rows = [[p, 1 - p, 0.0] for p in EDGES]
    return np.array(rows + rows, np.float32), [0] * len(rows) + [1] * len(rows)


def cases():
    yield from mean_squared_error_cases()
    yield from binary_crossentropy_cases()
    yield from categorical_crossentropy_cases()
    yield from sparse_categorical_crossentropy_cases()
