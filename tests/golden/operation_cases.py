"""Operations of keras.ops as a functional model saves them: outputs, and the gradients of sum(y * dy)."""

import json

import keras
import numpy as np
import tensorflow as tf
from keras import ops

from golden_file import Case, generator, normal

BATCH = 2
# Inputs by name: shape of a sample, dtype, and whether values are positive.
INPUTS = {
    "x": ((3, 4), "float32", False),
    "y": ((3, 4), "float32", False),
    "p": ((3, 4), "float32", True),
    "v": ((4,), "float32", False),
    "m": ((4, 5), "float32", False),
    "q": ((2, 3, 4), "float32", False),
    "k": ((2, 3, 4), "float32", False),
    "z": ((2, 3, 4), "float32", False),
    "s": ((4, 2, 3), "float32", False),
    "i": ((3, 4), "int32", False),
    "u": ((3, 4), "uint8", False),
    "b": ((3, 4), "bool", False),
    "c": ((3, 4), "bool", False),
    "w": ((3,), "int32", False),
}

OPERATIONS = {
    "abs": lambda x: ops.abs(x),
    "abs_int": lambda i: ops.abs(i),
    "add": lambda x, y: x + y,
    "add_number": lambda x: x + 3.0,
    "add_int_to_float": lambda x: 2 + x,
    "add_float_to_int": lambda i: i + 0.5,
    "add_int_to_int": lambda i: i + 2,
    "add_int_tensor": lambda x, i: x + i,
    "add_bool_tensor": lambda i, b: i + b,
    "add_broadcast": lambda q, x: ops.add(q[:, 0], x),
    "add_constant": lambda x: ops.add(x, np.array([1.0, 2.0, 3.0, 4.0], dtype="float32")),
    "all": lambda b: ops.all(b, axis=-1),
    "amax": lambda x: ops.amax(x, axis=1),
    "any": lambda b: ops.any(b, axis=1, keepdims=True),
    "argmax": lambda x: ops.argmax(x, axis=-1),
    "argmax_keepdims": lambda x: ops.argmax(x, axis=1, keepdims=True),
    "argmin": lambda x: ops.argmin(x, axis=1),
    "average": lambda x: ops.average(x, axis=1),
    "average_weighted": lambda x: ops.average(x, axis=-1, weights=np.array([1.0, 2.0, 3.0, 1.0], dtype="float32")),
    "cast_int": lambda x: ops.cast(x, "int32"),
    "cast_bool": lambda i: ops.cast(i, "bool"),
    "cast_float": lambda i: ops.cast(i, "float32"),
    "ceil": lambda x: ops.ceil(x),
    "celu": lambda x: ops.celu(x, alpha=0.7),
    "clip": lambda x: ops.clip(x, -0.5, 1),
    "clip_int": lambda i: ops.clip(i, -1, 2),
    "concatenate": lambda x, y: ops.concatenate([x, y], axis=-1),
    "concatenate_mixed": lambda x, i: ops.concatenate([x, i], axis=1),
    "cos": lambda x: ops.cos(x),
    "count_nonzero": lambda i: ops.count_nonzero(i, axis=1),
    "cumsum": lambda x: ops.cumsum(x, axis=1),
    "cumsum_int": lambda i: ops.cumsum(i, axis=-1),
    "depth_to_space": lambda q: ops.depth_to_space(q, 2),
    "divide": lambda x, p: x / p,
    "divide_by_number": lambda x: x / 4,
    "divide_int": lambda i: i / 4,
    "divide_no_nan": lambda x, i: ops.divide_no_nan(x, ops.cast(i, "float32")),
    "dot": lambda x, m: ops.dot(x, ops.convert_to_tensor(np.eye(4, 3, dtype="float32"))),
    "dot_product_attention": lambda q, k, z: ops.dot_product_attention(q, k, z, is_causal=True),
    "dot_product_attention_mask": lambda q, k, z: ops.dot_product_attention(q, k, z, mask=np.array([[[[True, False], [True, True]]]]), scale=0.7),
    "einsum": lambda x, y: ops.einsum("bij,bkj->bik", x, y),
    "einsum_heads": lambda q, x: ops.einsum("bhqd,bkd->bhqk", q, x),
    "elu": lambda x: ops.elu(x, alpha=0.5),
    "equal": lambda i: ops.equal(i, 1),
    "erf": lambda x: ops.erf(x),
    "exp": lambda x: ops.exp(x),
    "expand_dims": lambda x: ops.expand_dims(x, 1),
    "expand_dims_last": lambda x: ops.expand_dims(x, -1),
    "expm1": lambda x: ops.expm1(x),
    "flip": lambda x: ops.flip(x, axis=1),
    "flip_two": lambda x: ops.flip(x, axis=(1, 2)),
    "floor": lambda x: ops.floor(x),
    "floor_divide": lambda i: i // 2,
    "full_like": lambda x: ops.full_like(x, 2.5),
    "gelu": lambda x: ops.gelu(x),
    "gelu_exact": lambda x: keras.activations.gelu(x),
    "get_item_index": lambda x: x[:, 0],
    "get_item_negative": lambda x: x[:, -1, :],
    "get_item_slice": lambda x: x[:, 1:, ::2],
    "get_item_backwards": lambda x: x[..., ::-1],
    "get_item_new_axis": lambda x: x[:, None, :, 1:-1],
    "get_item_dots": lambda q: q[..., 1:3],
    "get_item_number_behind": lambda q: q[..., 1],
    "glu": lambda x: ops.glu(x),
    "greater": lambda x: x > 0.0,
    "greater_equal": lambda x, y: x >= y,
    "hard_shrink": lambda x: ops.hard_shrink(x),
    "hard_sigmoid": lambda x: ops.hard_sigmoid(x),
    "hard_silu": lambda x: ops.hard_silu(x),
    "hard_tanh": lambda x: ops.hard_tanh(x),
    "layer_norm": lambda x: ops.layer_normalization(x),
    "layer_norm_weights": lambda x: ops.layer_normalization(x, gamma=np.arange(1, 5, dtype="float32"), beta=np.ones(4, dtype="float32"), epsilon=0.01),
    "leaky_relu": lambda x: ops.leaky_relu(x, negative_slope=0.3),
    "less": lambda x: x < 0,
    "less_equal": lambda i: i <= 0,
    "log": lambda p: ops.log(p),
    "log10": lambda p: ops.log10(p),
    "log1p": lambda p: ops.log1p(p),
    "log2": lambda p: ops.log2(p),
    "log_sigmoid": lambda x: ops.log_sigmoid(x),
    "log_softmax": lambda x: ops.log_softmax(x, axis=1),
    "logaddexp": lambda x, y: ops.logaddexp(x, y),
    "logical_and": lambda b, c: ops.logical_and(b, c),
    "logical_not": lambda b: ops.logical_not(b),
    "logical_or": lambda b, c: ops.logical_or(b, c),
    "logical_xor": lambda b, c: ops.logical_xor(b, c),
    "logsumexp": lambda x: ops.logsumexp(x, axis=-1),
    "matmul": lambda x, m: ops.matmul(x, m),
    "matmul_vector": lambda m: ops.matmul(m, np.arange(5, dtype="float32")),
    "max": lambda x: ops.max(x, axis=-1),
    "maximum": lambda x, y: ops.maximum(x, y),
    "maximum_number": lambda x: ops.maximum(x, 0.5),
    "mean": lambda x: ops.mean(x, axis=1, keepdims=True),
    "mean_all": lambda x: ops.mean(x),
    "mean_int": lambda i: ops.mean(i, axis=-1),
    "min": lambda x: ops.min(x, axis=(1, 2)),
    "minimum": lambda x: ops.minimum(0.5, x),
    "mod": lambda i: i % 3,
    "moments": lambda x: ops.moments(x, axes=[1])[1],
    "moveaxis": lambda q: ops.moveaxis(q, 1, -1),
    "multiply": lambda x, y: x * y,
    "multiply_number": lambda x: 0.5 * x,
    "negative": lambda x: -x,
    "norm": lambda x: ops.norm(x, axis=-1),
    "norm_one": lambda x: ops.norm(x, ord=1, axis=-1, keepdims=True),
    "normalize": lambda x: ops.normalize(x, axis=-1),
    "normalize_one": lambda x: ops.normalize(x, axis=1, order=1),
    "not_equal": lambda i: i != 0,
    "one_hot": lambda w: ops.one_hot(w, 3),
    "one_hot_axis": lambda w: ops.one_hot(w, 4, axis=1),
    "ones_like": lambda x: ops.ones_like(x),
    "pad": lambda x: ops.pad(x, ((0, 0), (1, 2), (0, 1))),
    "pad_value": lambda x: ops.pad(x, ((0, 0), (1, 0), (0, 1)), constant_values=2.5),
    "pad_reflect": lambda x: ops.pad(x, ((0, 0), (1, 2), (0, 1)), mode="reflect"),
    "pad_symmetric": lambda x: ops.pad(x, ((0, 0), (1, 2), (0, 1)), mode="symmetric"),
    "power": lambda p: ops.power(p, 1.5),
    "power_two": lambda x: x**2,
    "power_tensor": lambda p, x: p**x,
    "prod": lambda x: ops.prod(x, axis=-1),
    "reciprocal": lambda p: ops.reciprocal(p),
    "relu": lambda x: ops.relu(x),
    "relu6": lambda x: ops.relu6(x),
    "relu_activation": lambda x: keras.activations.relu(x, negative_slope=0.1, max_value=1.0, threshold=0.2),
    "repeat": lambda x: ops.repeat(x, 2, axis=1),
    "repeat_each": lambda x: ops.repeat(x, [1, 0, 2], axis=1),
    "reshape": lambda x: ops.reshape(x, (-1, 2, 6)),
    "resize": lambda s: ops.image.resize(s, (3, 5)),
    "rms_norm": lambda x: ops.rms_normalization(x, scale=np.arange(1, 5, dtype="float32")),
    "roll": lambda x: ops.roll(x, 1, axis=1),
    "round": lambda x: ops.round(x),
    "rsqrt": lambda p: ops.rsqrt(p),
    "selu": lambda x: ops.selu(x),
    "sigmoid": lambda x: ops.sigmoid(x),
    "sign": lambda x: ops.sign(x),
    "silu": lambda x: ops.silu(x),
    "sin": lambda x: ops.sin(x),
    "soft_shrink": lambda x: ops.soft_shrink(x),
    "softmax": lambda x: ops.softmax(x, axis=-1),
    "softplus": lambda x: ops.softplus(x),
    "softsign": lambda x: ops.softsign(x),
    "space_to_depth": lambda s: ops.space_to_depth(s, 2),
    "sparse_plus": lambda x: ops.sparse_plus(x),
    "sparse_sigmoid": lambda x: ops.sparse_sigmoid(x),
    "sparsemax": lambda x: ops.sparsemax(x),
    "split": lambda x: ops.split(x, 2, axis=-1)[1],
    "split_at": lambda x: ops.split(x, [1, 3], axis=-1)[1],
    "sqrt": lambda p: ops.sqrt(p),
    "square": lambda x: ops.square(x),
    "squareplus": lambda x: ops.squareplus(x, b=3),
    "squeeze": lambda x: ops.squeeze(x[:, :1], axis=1),
    "stack": lambda x, y: ops.stack([x, y], axis=1),
    "std": lambda x: ops.std(x, axis=-1),
    "stop_gradient": lambda x: ops.stop_gradient(x),
    "subtract": lambda x, y: x - y,
    "subtract_from_number": lambda x: 2.0 - x,
    "sum": lambda x: ops.sum(x, axis=(1, 2)),
    "sum_bool": lambda b: ops.sum(b, axis=-1),
    "swapaxes": lambda q: ops.swapaxes(q, 1, 3),
    "take": lambda x: ops.take(x, np.array([2, 0, -1], dtype="int32"), axis=1),
    "take_tensor": lambda v, w: ops.take(v, w, axis=None),
    "tanh": lambda x: ops.tanh(x),
    "tanh_shrink": lambda x: ops.tanh_shrink(x),
    "threshold": lambda x: ops.threshold(x, 0.3, -1.0),
    "tile": lambda x: ops.tile(x, [1, 2, 3]),
    "transpose": lambda q: ops.transpose(q, (0, 2, 3, 1)),
    "unstack": lambda x: ops.unstack(x, axis=1)[2],
    "var": lambda x: ops.var(x, axis=1, keepdims=True),
    "where": lambda b, x, y: ops.where(b, x, y),
    "where_number": lambda b, x: ops.where(b, x, 0.0),
    "zeros_like": lambda x: ops.zeros_like(x),
}


def values_of(rng, name):
    shape, dtype, positive = INPUTS[name]
    if dtype == "float32":
        value = normal(rng, BATCH, *shape)
        return np.abs(value) + np.float32(0.3) if positive else value
    low = 0 if name == "w" or dtype in ("uint8", "bool") else -3
    high = 2 if dtype == "bool" else 3
    return rng.integers(low, high, (BATCH, *shape)).astype(dtype)


def without_shapes(node):
    """A node's tensors by the name of the layer that makes them."""
    if isinstance(node, dict) and node.get("class_name") == "__keras_tensor__":
        return {"class_name": "__keras_tensor__", "config": {"keras_history": node["config"]["keras_history"]}}
    if isinstance(node, dict):
        return {key: without_shapes(value) for key, value in node.items()}
    return [without_shapes(value) for value in node] if isinstance(node, list) else node


def tensors_of(node):
    if isinstance(node, dict) and node.get("class_name") == "__keras_tensor__":
        return [node["config"]["keras_history"]]
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else []
    return [found for child in children for found in tensors_of(child)]


def operation_case(name, function):
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    symbols = [keras.Input(INPUTS[n][0], dtype=INPUTS[n][1], name=n) for n in names]
    output = function(*symbols)
    maker, _, index = output._keras_history
    model = keras.Model(symbols, output)
    (entry,) = [entry for entry in model.get_config()["layers"] if entry["name"] == maker.name]
    node = without_shapes(json.loads(json.dumps(entry.pop("inbound_nodes")))[0])
    rng = generator("operation_" + name)
    values = {n: tf.constant(values_of(rng, n)) for n in names}
    case = Case(name, {"output": index, "operation": json.dumps(entry), "node": json.dumps(node)})

    # What the operation reads may be made by others before it.
    reads = [tuple(history) for history in tensors_of(node)]
    before = keras.Model(symbols, [output_of(model, layer, output) for layer, _, output in reads])
    inputs = before([values[n] for n in names])
    inputs = inputs if isinstance(inputs, list) else [inputs]
    case.meta["inputs"] = len(inputs)
    with tf.GradientTape() as tape:
        for value in inputs:
            tape.watch(value)
        made = maker(*filled(node["args"], iter(inputs)), **filled(node["kwargs"], iter([])))
        y = made[index] if isinstance(made, (list, tuple)) else made
        dy = normal(rng, *y.shape)
        total = tf.reduce_sum(y * dy) if y.dtype.is_floating else None
    for number, value in enumerate(inputs):
        case.add(f"x{number}", value)
        case.meta[f"dtype.x{number}"] = value.dtype.name
    case.meta["dtype"] = y.dtype.name
    case.add("y", y)
    if total is None:
        return case
    case.add("dy", dy)
    for number, gradient in enumerate(tape.gradient(total, inputs)):
        if gradient is not None:
            case.add(f"dx{number}", tf.convert_to_tensor(gradient))
    return case


def output_of(model, layer, index):
    (operation,) = [operation for operation in model.operations if operation.name == layer]
    made = operation.output
    return made[index] if isinstance(made, (list, tuple)) else made


def filled(json_value, inputs):
    """Arguments with tensors where the node has them."""
    if isinstance(json_value, dict) and json_value.get("class_name") == "__keras_tensor__":
        return next(inputs)
    if isinstance(json_value, dict) and "class_name" in json_value:
        return keras.saving.deserialize_keras_object(json_value)
    if isinstance(json_value, dict):
        return {key: filled(value, inputs) for key, value in json_value.items()}
    if isinstance(json_value, list):
        return [filled(value, inputs) for value in json_value]
    return json_value


def cases():
    for name, function in OPERATIONS.items():
        keras.backend.clear_session()
        yield operation_case(name, function)
