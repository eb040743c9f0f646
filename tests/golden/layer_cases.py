"""Layers: outputs, and the gradients of sum(y * dy) for the input and weights."""

import keras
import numpy as np
import tensorflow as tf

from golden_file import Case, generator, normal

ACTIVATIONS = (
    "linear relu sigmoid tanh softmax elu selu softplus softsign exponential gelu silu "
    "leaky_relu relu6 hard_sigmoid log_softmax"
).split()


def layer_case(name, layer_class, input_value, training=None, options=None, weights=None):
    """Runs one layer; weights maps a weight's name to values, random when absent."""
    options = options or {}
    rng = generator(name)
    layer = layer_class(**options)
    x = tf.constant(input_value(rng) if callable(input_value) else normal(rng, *input_value))
    layer.build(x.shape)
    set_weights(layer, rng, weights or {})

    case = Case(name, {"layer": layer_class.__name__, **options})
    if training is not None:
        case.meta["training"] = training
    if layer.weights:
        case.meta["weights"] = [w.name for w in layer.weights]
    case.add("x", x)
    case.add_all({f"w.{w.name}": w.numpy() for w in layer.weights})
    y, dy, dx, weight_gradients = run(layer, x, rng, training)
    case.add_all({"y": y, "dy": dy, "dx": dx})
    case.add_all({f"dw.{w.name}": g for w, g in zip(layer.trainable_weights, weight_gradients)})
    case.add_all({f"new.{w.name}": w.numpy() for w in layer.non_trainable_weights})
    return case


def set_weights(layer, rng, given):
    for weight in layer.weights:
        shape = weight.shape
        fan_in = int(np.prod(shape[:-1])) if len(shape) > 1 else 4
        value = normal(rng, *shape, scale=1.5 / np.sqrt(fan_in))
        if weight.name == "gamma":
            value = 1 + value
        if weight.name == "moving_variance":
            value = np.abs(value) + np.float32(0.5)
        weight.assign(given.get(weight.name, value))


def run(layer, x, rng, training):
    call = {} if training is None else {"training": training}
    dy = normal(rng, *layer.compute_output_shape(x.shape))

    def gradients(x):
        weights = [w.value for w in layer.trainable_weights]
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = layer(x, **call)
            total = tf.reduce_sum(y * dy)
        return y, tape.gradient(total, [x, *weights])

    # TensorFlow's own CPU kernels have no gradient for groups and dilation, XLA does.
    if isinstance(layer, keras.layers.Conv2D):
        gradients = tf.function(gradients, jit_compile=True, reduce_retracing=True)
    y, (dx, *dw) = gradients(x)
    return y.numpy(), dy, dx.numpy(), [g.numpy() for g in dw]


def dense_cases():
    for activation in ACTIVATIONS:
        options = {"units": 5, "activation": activation}
        yield layer_case(f"dense_{activation}", keras.layers.Dense, (4, 7), options=options)
    yield layer_case("dense_no_bias", keras.layers.Dense, (4, 7), options={"units": 5, "use_bias": False})
    yield layer_case("dense_3d", keras.layers.Dense, (2, 3, 7), options={"units": 5, "activation": "tanh"})
    yield layer_case("dense_one_unit", keras.layers.Dense, (3, 17), options={"units": 1})


def activation_cases():
    for activation in ACTIVATIONS:
        wide = lambda rng: normal(rng, 3, 11, scale=3)
        options = {"activation": activation}
        yield layer_case(f"activation_{activation}", keras.layers.Activation, wide, options=options)


CONVOLUTIONS = {
    "valid_3x3": ((2, 6, 5, 3), {"filters": 4, "kernel_size": (3, 3)}),
    "same_3x3": ((2, 5, 7, 3), {"filters": 4, "kernel_size": (3, 3), "padding": "same"}),
    "1x1": ((2, 5, 4, 8), {"filters": 3, "kernel_size": (1, 1)}),
    "1x1_stride_2": ((2, 5, 6, 8), {"filters": 3, "kernel_size": (1, 1), "strides": (2, 2)}),
    "5x3_valid": ((2, 9, 7, 3), {"filters": 4, "kernel_size": (5, 3)}),
    "5x3_same": ((2, 9, 7, 1), {"filters": 4, "kernel_size": (5, 3), "padding": "same"}),
    "stride_2_valid": ((2, 9, 7, 3), {"filters": 4, "kernel_size": (3, 3), "strides": (2, 2)}),
    "stride_2_same": ((2, 9, 7, 3), {"filters": 4, "kernel_size": (3, 3), "strides": (2, 2), "padding": "same"}),
    "stride_2_same_even": ((2, 8, 6, 3), {"filters": 4, "kernel_size": (3, 3), "strides": (2, 2), "padding": "same"}),
    "stride_2_1_valid": ((2, 9, 7, 3), {"filters": 4, "kernel_size": (3, 3), "strides": (2, 1)}),
    "stride_2_1_same": ((2, 8, 7, 3), {"filters": 4, "kernel_size": (3, 3), "strides": (2, 1), "padding": "same"}),
    "dilation_2_valid": ((2, 9, 7, 3), {"filters": 4, "kernel_size": (3, 3), "dilation_rate": (2, 2)}),
    "dilation_2_same": ((2, 9, 7, 3), {"filters": 4, "kernel_size": (3, 3), "dilation_rate": (2, 2), "padding": "same"}),
    "groups_2": ((2, 6, 5, 8), {"filters": 6, "kernel_size": (3, 3), "groups": 2, "padding": "same"}),
    "no_bias": ((2, 6, 5, 3), {"filters": 4, "kernel_size": (3, 3), "use_bias": False}),
    "relu": ((2, 6, 5, 1), {"filters": 8, "kernel_size": (3, 3), "activation": "relu"}),
    "8_to_16": ((2, 6, 7, 8), {"filters": 16, "kernel_size": (3, 3), "padding": "same", "activation": "relu"}),
    "16_to_24": ((1, 9, 7, 16), {"filters": 24, "kernel_size": (3, 3), "padding": "same"}),
    "16_to_8_valid": ((1, 9, 7, 16), {"filters": 8, "kernel_size": (3, 3), "strides": (2, 2)}),
    "even_kernel_same": ((2, 6, 5, 3), {"filters": 4, "kernel_size": (2, 4), "padding": "same"}),
}


def convolution_cases():
    for name, (shape, options) in CONVOLUTIONS.items():
        yield layer_case(f"conv2d_{name}", keras.layers.Conv2D, shape, options=options)


POOLINGS = {
    "2": {"pool_size": (2, 2)},
    "3": {"pool_size": (3, 3)},
    "2_same": {"pool_size": (2, 2), "padding": "same"},
    "3_same": {"pool_size": (3, 3), "padding": "same"},
    "2_stride_1": {"pool_size": (2, 2), "strides": (1, 1)},
    "3_stride_1_same": {"pool_size": (3, 3), "strides": (1, 1), "padding": "same"},
    "3_stride_2": {"pool_size": (3, 3), "strides": (2, 2)},
    "3_stride_2_same": {"pool_size": (3, 3), "strides": (2, 2), "padding": "same"},
    "3x2_stride_2_1": {"pool_size": (3, 2), "strides": (2, 1)},
}


def pooling_cases():
    for prefix, layer in (("max", keras.layers.MaxPooling2D), ("average", keras.layers.AveragePooling2D)):
        for name, options in POOLINGS.items():
            yield layer_case(f"{prefix}_pooling_{name}", layer, distinct(2, 9, 7, 3), options=options)
        even = distinct(1, 6, 8, 8)
        yield layer_case(f"{prefix}_pooling_even", layer, even, options={"pool_size": (2, 2)})
    for keepdims in (False, True):
        name = "global_average_pooling" + ("_keepdims" if keepdims else "")
        yield layer_case(name, keras.layers.GlobalAveragePooling2D, (2, 5, 7, 3), options={"keepdims": keepdims})


def distinct(*shape):
    """Values with no ties, so that a maximum has one place."""
    count = int(np.prod(shape))
    return lambda rng: (rng.permutation(count).reshape(shape) / count - 0.5).astype(np.float32)


def batch_normalization_cases():
    shapes = {"2d": (6, 5), "4d": (3, 4, 5, 3)}
    settings = {
        "": {},
        "_no_center": {"center": False},
        "_no_scale": {"scale": False},
        "_plain": {"center": False, "scale": False},
        "_settings": {"momentum": 0.8, "epsilon": 0.01},
    }
    for rank, shape in shapes.items():
        for suffix, options in settings.items():
            for training in (True, False):
                name = f"batch_normalization_{rank}{suffix}_{'training' if training else 'inference'}"
                shifted = lambda rng: normal(rng, *shape, scale=2) + normal(rng, shape[-1])
                yield layer_case(name, keras.layers.BatchNormalization, shifted, training, options)


def shape_cases():
    yield layer_case("flatten", keras.layers.Flatten, (2, 3, 4, 5))
    yield layer_case("flatten_2d", keras.layers.Flatten, (2, 3))
    yield layer_case("reshape", keras.layers.Reshape, (2, 12), options={"target_shape": (3, 4)})
    yield layer_case("reshape_unknown", keras.layers.Reshape, (2, 3, 8), options={"target_shape": (-1, 2, 4)})
    yield layer_case("rescaling", keras.layers.Rescaling, (2, 3, 4), options={"scale": 1 / 255, "offset": 0.5})
    yield layer_case("dropout_inference", keras.layers.Dropout, (3, 4), False, {"rate": 0.5})


def cases():
    for family in (
        dense_cases,
        activation_cases,
        convolution_cases,
        pooling_cases,
        batch_normalization_cases,
        shape_cases,
    ):
        yield from family()
