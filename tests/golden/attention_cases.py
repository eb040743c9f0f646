"""Attention, embedding and normalisation of samples: layers by their saved configs, with masks."""

import json

import keras
import numpy as np
import tensorflow as tf
from keras import layers

from golden_file import Case, generator, normal

ZERO = 1e-5
CONFIG_KEYS = ("module", "class_name", "config", "registered_name")


def layer_case(name, layer, *inputs, masks=(), call=None, attention_mask=None, apart=False):
    """Runs a layer on inputs, which are shapes of normal numbers or arrays of whole ones."""
    rng = generator(name)
    values = [tf.constant(value if isinstance(value, np.ndarray) else normal(rng, *value)) for value in inputs]
    call = dict(call or {})
    arguments = values if apart or len(values) == 1 else [values]
    layer(*arguments, **call)
    for weight in layer.weights:
        fan_in = weight.shape[0] if len(weight.shape) else 1
        shift = 1 if weight.name in ("gamma", "scale") else 0
        weight.assign(shift + normal(rng, *weight.shape, scale=1 / np.sqrt(fan_in)))
    config = keras.saving.serialize_keras_object(layer)
    case = Case(name, {"config": json.dumps({key: config[key] for key in CONFIG_KEYS})})
    for key, value in call.items():
        case.meta[key] = value
    for number, value in enumerate(values):
        case.add(f"x{number}", value)
    for number, mask in enumerate(masks):
        if mask is not None:
            case.add(f"mask{number}", mask)
            keras.src.backend.set_keras_mask(values[number], tf.constant(mask, dtype="bool"))
    if attention_mask is not None:
        case.add("attention_mask", attention_mask)
        call["attention_mask"] = tf.constant(attention_mask, dtype="bool")
    case.meta["weights"] = [weight.path.split("/", 1)[1] for weight in layer.weights]
    for weight in layer.weights:
        case.add("w." + weight.path.split("/", 1)[1], weight.numpy())
    add_results(case, rng, layer, values, arguments, call)
    return case


def add_results(case, rng, layer, values, arguments, call):
    floats = [value for value in values if value.dtype.is_floating]
    weights = [weight.value for weight in layer.trainable_weights]
    with tf.GradientTape(persistent=True) as tape:
        for value in floats:
            tape.watch(value)
        made = layer(*arguments, **call)
        made = list(made) if isinstance(made, (list, tuple)) else [made]
        total = 0
        for number, y in enumerate(made):
            dy = normal(rng, *y.shape)
            case.add_all({f"y{number}": y, f"dy{number}": dy})
            total += tf.reduce_sum(y * dy)
    mask = keras.src.backend.get_keras_mask(made[0])
    if mask is not None:
        case.add("out_mask", mask)
    for number, value in enumerate(values):
        if value.dtype.is_floating:
            case.add(f"dx{number}", tape.gradient(total, value))
    for weight, value in zip(layer.trainable_weights, weights):
        gradient = tf.convert_to_tensor(tape.gradient(total, value)).numpy()
        if np.max(np.abs(gradient)) > ZERO:  # that of a key's bias is 0 but for rounding
            case.add("dw." + weight.path.split("/", 1)[1], gradient)


def multi_head_cases():
    attention = lambda **options: layers.MultiHeadAttention(name="it", **options)
    q, v, k = (2, 4, 6), (2, 5, 7), (2, 5, 3)
    last = np.array([[1, 1, 1, 0], [1, 1, 1, 1]])
    values = np.array([[1, 1, 0, 1, 0], [1, 1, 1, 1, 1]])
    case = lambda name, layer, *inputs, **more: layer_case("multi_head_" + name, layer, *inputs, apart=True, **more)
    yield case("self", attention(num_heads=2, key_dim=3), q, q)
    yield case("cross", attention(num_heads=2, key_dim=3, value_dim=4, use_bias=False), q, v, k)
    yield case("output_shape", attention(num_heads=3, key_dim=2, output_shape=5), q, v)
    yield case("output_shapes", attention(num_heads=3, key_dim=2, output_shape=(2, 3)), q, v)
    yield case("gate", attention(num_heads=2, key_dim=3, use_gate=True), q, q)
    yield case("causal", attention(num_heads=2, key_dim=3), q, q, call={"use_causal_mask": True})
    yield case("masks", attention(num_heads=2, key_dim=3), q, v, masks=(last, values))
    yield case("key_mask", attention(num_heads=2, key_dim=3), q, v, k, masks=(None, None, values))
    yield case("attention_mask", attention(num_heads=2, key_dim=3), q, v, attention_mask=(np.arange(40) % 3 > 0).reshape(2, 4, 5))
    yield case("all_masks", attention(num_heads=2, key_dim=3), q, q, masks=(last, last), call={"use_causal_mask": True}, attention_mask=np.ones((1, 4, 4)))
    yield case("scores", attention(num_heads=2, key_dim=3), q, v, masks=(None, values), call={"return_attention_scores": True})
    yield case("causal_scores", attention(num_heads=2, key_dim=3), q, q, call={"return_attention_scores": True, "use_causal_mask": True})
    yield case("dropout_inference", attention(num_heads=2, key_dim=3, dropout=0.5), q, v, masks=(None, values))
    yield case("window", attention(num_heads=2, key_dim=3, sliding_window=2), q, q)
    yield case("images", attention(num_heads=2, key_dim=3), (2, 2, 3, 4), (2, 3, 1, 4))
    yield case("image_scores", attention(num_heads=2, key_dim=3), (2, 2, 3, 4), (2, 3, 1, 4), call={"return_attention_scores": True})


def attention_cases():
    q, v, k = (2, 4, 3), (2, 5, 6), (2, 5, 3)
    last = np.array([[1, 1, 1, 0], [1, 1, 1, 1]])
    values = np.array([[1, 1, 0, 1, 0], [1, 1, 1, 1, 1]])
    for name, layer in {
        "dot": lambda: layers.Attention(name="it"),
        "dot_scale": lambda: layers.Attention(use_scale=True, name="it"),
        "concat": lambda: layers.Attention(use_scale=True, score_mode="concat", name="it"),
        "additive": lambda: layers.AdditiveAttention(name="it"),
        "additive_plain": lambda: layers.AdditiveAttention(use_scale=False, name="it"),
    }.items():
        yield layer_case(f"attention_{name}", layer(), q, v, k)
        yield layer_case(f"attention_{name}_masks", layer(), q, v, k, masks=(last, values, None), call={"use_causal_mask": True})
        yield layer_case(f"attention_{name}_scores", layer(), q, k, masks=(None, values), call={"return_attention_scores": True})


def row_cases():
    steps = (2, 3, 4)
    for name, options in {
        "default": {},
        "two_axes": {"axis": [1, 2], "epsilon": 0.1},
        "first_axis": {"axis": 1},
        "no_center": {"center": False},
        "no_scale": {"scale": False},
        "plain": {"center": False, "scale": False},
        "rms_scaling": {"rms_scaling": True},
    }.items():
        yield layer_case(f"layer_normalization_{name}", layers.LayerNormalization(name="it", **options), steps)
    yield layer_case("rms_normalization", layers.RMSNormalization(name="it"), steps)
    yield layer_case("rms_normalization_two_axes", layers.RMSNormalization(axis=[1, 2], name="it"), steps)
    yield layer_case("unit_normalization", layers.UnitNormalization(name="it"), steps)
    yield layer_case("unit_normalization_two_axes", layers.UnitNormalization(axis=[1, 2], name="it"), steps)
    yield layer_case("group_normalization", layers.GroupNormalization(groups=2, name="it"), (2, 3, 2, 4))
    yield layer_case("instance_normalization", layers.GroupNormalization(groups=-1, name="it"), (2, 3, 2, 4))


def embedding_cases():
    numbers = np.array([[1, 0, 3], [2, 2, 0]], dtype="int32")
    yield layer_case("embedding", layers.Embedding(5, 4, name="it"), numbers)
    yield layer_case("embedding_mask", layers.Embedding(5, 4, mask_zero=True, name="it"), numbers)
    yield layer_case("embedding_flat", layers.Embedding(5, 4, name="it"), numbers[:, 0])


def einsum_cases():
    for name, shape, options in [
        ("dense", (2, 3, 4), {"equation": "abc,cd->abd", "output_shape": (None, 5), "bias_axes": "d"}),
        ("heads", (2, 3, 4), {"equation": "abc,cde->abde", "output_shape": (None, 2, 3), "bias_axes": "de"}),
        ("some_bias", (2, 3, 4), {"equation": "abc,cde->abde", "output_shape": (None, 2, 3), "bias_axes": "d"}),
        ("dots", (2, 3, 4), {"equation": "...x,xy->...y", "output_shape": 5, "bias_axes": "y", "activation": "relu"}),
        ("dots_behind", (2, 3, 4), {"equation": "ab...,bc->ac...", "output_shape": (5,), "bias_axes": "c"}),
        ("moved", (2, 3, 4), {"equation": "abc,bd->acd", "output_shape": (4, 5)}),
        ("shared", (2, 3, 4), {"equation": "abc,bcd->abd", "output_shape": (3, 5), "bias_axes": "bd"}),
    ]:
        yield layer_case(f"einsum_dense_{name}", layers.EinsumDense(name="it", **options), shape)


def group_query_cases():
    attention = lambda **options: layers.GroupQueryAttention(3, 4, 2, name="it", **options)
    query, value = (2, 4, 5), (2, 3, 5)
    masks = [np.array([[1, 1, 0, 1], [0, 1, 1, 1]]), np.array([[1, 0, 1], [1, 1, 0]])]
    yield layer_case("group_query", attention(), query, value, apart=True)
    yield layer_case("group_query_of_itself", attention(use_gate=True, use_bias=False), query, query, apart=True)
    yield layer_case("group_query_key", attention(), query, value, value, apart=True)
    yield layer_case("group_query_masks", attention(), query, value, masks=masks, apart=True)
    causal = {"use_causal_mask": True}
    yield layer_case("group_query_causal", attention(), query, query, call=causal, apart=True)
    yield layer_case("group_query_window", attention(sliding_window=2), query, query, call=causal, apart=True)
    scores = {"return_attention_scores": True}
    yield layer_case("group_query_scores", attention(), query, value, call=scores, masks=masks, apart=True)
    yield layer_case("group_query_dropout_inference", attention(dropout=0.5), query, value, masks=masks, apart=True)
    given = np.array([[[1, 0, 1]] * 4, [[1, 1, 0]] * 4])
    yield layer_case("group_query_given", attention(), query, value, attention_mask=given, apart=True)


def cases():
    for family in (multi_head_cases, attention_cases, row_cases, embedding_cases, einsum_cases, group_query_cases):
        yield from family()
