"""Losses made from their configs: values, and gradients of sum(loss * dloss) with respect to y_pred."""

import json

import keras
import numpy as np
import tensorflow as tf
from keras.src import backend

from golden_file import Case, generator, normal
from loss_cases import bits, distributions, fixed, labels, numbers, one_hot, probabilities, weights

L = keras.losses
CLASSES = 5


def loss_case(name, loss, y_true, y_pred, weight=None, mask=None):
    rng = generator(name)
    y_true, y_pred = y_true(rng), y_pred(rng)
    weight = weight and weight(rng)
    mask = mask and mask(rng) > 0
    y = tf.constant(y_pred)
    with tf.GradientTape() as tape:
        tape.watch(y)
        if mask is not None:
            backend.set_keras_mask(y, tf.constant(mask))
        value = loss(y_true, y, sample_weight=weight)
        dloss = normal(rng, *value.shape) if value.shape.rank else np.float32(1)
        total = tf.reduce_sum(value * dloss)

    case = Case(name, {"config": json.dumps(keras.saving.serialize_keras_object(loss))})
    case.add_all({"y_true": y_true, "y_pred": y_pred})
    for key, value_or_none in (("sample_weight", weight), ("mask", mask)):
        if value_or_none is not None:
            case.add(key, value_or_none)
    case.add_all({"loss": value, "dloss": dloss, "dy_pred": tape.gradient(total, y)})
    return case


def positive(*shape):
    return lambda rng: rng.uniform(0.1, 3, shape).astype(np.float32)


def counts(*shape):
    return lambda rng: rng.integers(0, 5, shape).astype(np.int32)


def classes_first(*shape):
    return lambda rng: np.moveaxis(one_hot(*shape)(rng), -1, 1)


def signs(*shape):
    return lambda rng: rng.choice([-1.0, 1.0], shape).astype(np.float32)


KINDS = {
    "mae": (L.MeanAbsoluteError, numbers, numbers),
    "mape": (L.MeanAbsolutePercentageError, numbers, numbers),
    "msle": (L.MeanSquaredLogarithmicError, positive, numbers),
    "huber": (L.Huber, numbers, numbers),
    "log_cosh": (L.LogCosh, numbers, numbers),
    "cosine": (L.CosineSimilarity, numbers, numbers),
    "hinge": (L.Hinge, bits, numbers),
    "hinge_signs": (L.Hinge, signs, numbers),
    "squared_hinge": (L.SquaredHinge, bits, numbers),
    "poisson": (L.Poisson, counts, positive),
    "binary_focal": (L.BinaryFocalCrossentropy, bits, probabilities),
}


def kind_cases():
    """Each kind plain, weighted, and as values of three axes."""
    for name, (loss, y_true, y_pred) in KINDS.items():
        yield loss_case(name, loss(), y_true(4, 3), y_pred(4, 3))
        yield loss_case(f"{name}_weighted", loss(), y_true(4, 3), y_pred(4, 3), weights(4))
        yield loss_case(f"{name}_none", loss(reduction=None), y_true(2, 3, 2), y_pred(2, 3, 2), weights(2, 3))
    for name, loss in {"categorical_hinge": L.CategoricalHinge, "kld": L.KLDivergence, "focal": L.CategoricalFocalCrossentropy}.items():
        yield loss_case(name, loss(), one_hot(4), distributions(4))
        yield loss_case(f"{name}_weighted", loss(name="mine"), one_hot(4), distributions(4), weights(4))
    zeros = [[0.0, 0.0, 0.0], [1e-9, 2.0, -1e-9], [1.0, 1e-4, 0.0]]
    yield loss_case("mape_zeros", L.MeanAbsolutePercentageError(reduction="sum"), fixed(zeros), numbers(3, 3))
    yield loss_case("msle_negative", L.MeanSquaredLogarithmicError(), fixed(zeros), numbers(3, 3))
    yield loss_case("cosine_zeros", L.CosineSimilarity(reduction="none"), fixed(zeros), fixed(np.roll(zeros, 1, 0) + 0.5))
    yield loss_case("log_cosh_large", L.LogCosh(reduction="none"), fixed([[100.0, -100.0]]), fixed([[-50.0, 50.0]]))


def option_cases():
    focal = {"apply_class_balancing": True, "alpha": 0.4, "gamma": 1.5, "label_smoothing": 0.1}
    yield loss_case("binary_focal_all", L.BinaryFocalCrossentropy(**focal), bits(4, 3), probabilities(4, 3))
    yield loss_case("binary_focal_logits", L.BinaryFocalCrossentropy(from_logits=True, axis=0), bits(4, 3), numbers(4, 3))
    focal = {"alpha": 0.4, "gamma": 1.5, "label_smoothing": 0.1, "from_logits": True}
    yield loss_case("focal_all", L.CategoricalFocalCrossentropy(**focal), one_hot(4), numbers(4, CLASSES))
    yield loss_case("focal_axis", L.CategoricalFocalCrossentropy(axis=1), one_hot(4, 5), probabilities(4, 5, CLASSES))
    yield loss_case("bce_axis", L.BinaryCrossentropy(axis=0, reduction=None), bits(4, 3), probabilities(4, 3))
    # TensorFlow's gradient from logits is right only where targets sum to 1.
    smooth = L.CategoricalCrossentropy(axis=1, label_smoothing=0.1)
    yield loss_case("cce_axis", smooth, classes_first(2, 3), probabilities(2, CLASSES, 3))
    from_logits = L.CategoricalCrossentropy(axis=1, from_logits=True)
    yield loss_case("cce_axis_logits", from_logits, classes_first(2, 3), numbers(2, CLASSES, 3))
    yield loss_case("dice", L.Dice(), bits(2, 3, 4), probabilities(2, 3, 4))
    yield loss_case("dice_axis", L.Dice(axis=(1, 2), reduction="mean"), bits(2, 3, 4), probabilities(2, 3, 4), weights(2))
    yield loss_case("dice_one_axis", L.Dice(axis=1, reduction="none"), bits(2, 3), probabilities(2, 3))
    yield loss_case("tversky", L.Tversky(alpha=0.3, beta=0.8, axis=1), bits(2, 3), probabilities(2, 3))


def masked_cases():
    """What the mask that comes with predictions leaves out does not count."""
    mask = fixed([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 1]])
    for reduction in ("sum_over_batch_size", "sum", "none", "mean", "mean_with_sample_weight"):
        loss = L.MeanSquaredError(reduction=reduction)
        shapes = numbers(3, 4, 2), numbers(3, 4, 2)
        yield loss_case(f"masked_{reduction}", loss, *shapes, mask=mask)
        yield loss_case(f"masked_{reduction}_weighted", loss, *shapes, weights(3, 4), mask)
        yield loss_case(f"masked_{reduction}_by_sample", loss, *shapes, weights(3, 1), mask)
    nothing = fixed([[0, 0, 0, 0]] * 3)
    yield loss_case("masked_all", L.MeanSquaredError(), numbers(3, 4, 2), numbers(3, 4, 2), mask=nothing)
    ignored = fixed([[3, 2, 0, 2], [1, 4, 2, 0], [2, 2, 1, 3]], np.int32)
    sparse = L.SparseCategoricalCrossentropy(from_logits=True, ignore_class=2)
    yield loss_case("masked_ignore_class", sparse, ignored, numbers(3, 4, CLASSES), mask=mask)
    sparse = L.SparseCategoricalCrossentropy(from_logits=True)
    yield loss_case("masked_sparse", sparse, labels(3, 4), numbers(3, 4, CLASSES), weights(3, 4), mask)


def cases():
    yield from kind_cases()
    yield from option_cases()
    yield from masked_cases()
