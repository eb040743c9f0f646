"""Regularizers: the penalty of a weight and its gradient."""

import keras
import tensorflow as tf

from golden_file import Case, generator, normal

SETTINGS = {
    "l1": ("L1", {}),
    "l1_0.3": ("L1", {"l1": 0.3}),
    "l2": ("L2", {}),
    "l2_0.05": ("L2", {"l2": 0.05}),
    "l1l2": ("L1L2", {}),
    "l1l2_both": ("L1L2", {"l1": 0.1, "l2": 0.02}),
    "orthogonal": ("OrthogonalRegularizer", {}),
    "orthogonal_columns": ("OrthogonalRegularizer", {"factor": 0.3, "mode": "columns"}),
}


def regularizer_case(name, class_name, options):
    regularizer = getattr(keras.regularizers, class_name)(**options)
    weight = tf.constant(normal(generator(name), 3, 4))
    with tf.GradientTape() as tape:
        tape.watch(weight)
        # A penalty of nothing is a constant, so it is tied to the weight.
        penalty = regularizer(weight) + 0 * tf.reduce_sum(weight)
    case = Case(name, {"regularizer": class_name, **options})
    case.meta |= {f"default.{k}": v if isinstance(v, str) else float(f"{v:.7g}") for k, v in regularizer.get_config().items() if k not in options}
    case.add_all({"w": weight, "penalty": penalty, "dw": tape.gradient(penalty, weight)})
    return case


def cases():
    for name, (class_name, options) in SETTINGS.items():
        yield regularizer_case(name, class_name, options)
