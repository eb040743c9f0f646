"""Recurrent layers and their wrappers: outputs, and the gradients of the outputs times given numbers."""

import json

import keras
import numpy as np
import tensorflow as tf
from keras import layers

from golden_file import Case, generator, normal

BATCH, STEPS, FEATURES = 3, 4, 2


def plain(config):
    """Without what differs from run to run."""
    if isinstance(config, dict):
        return {k: plain(v) for k, v in config.items() if k not in ("shared_object_id", "build_config")}
    if isinstance(config, list):
        return [plain(v) for v in config]
    return config


def random_mask(rng):
    """Samples that begin masked, have gaps, end masked, and one that is masked throughout."""
    mask = rng.uniform(size=(BATCH, STEPS)) < 0.6
    mask[0, :2], mask[-1, :] = (False, True), False
    return mask


def recurrent_case(name, layer, shape=(BATCH, STEPS, FEATURES), mask=False, states=(), training=None):
    """One call of a layer; `states` are the widths of an initial state."""
    rng = generator(name)
    x = tf.constant(normal(rng, *shape))
    options = {}
    case = Case(name, {"config": json.dumps(plain(keras.saving.serialize_keras_object(layer)))})
    case.add("x", x)
    if mask:
        options["mask"] = tf.constant(random_mask(rng))
        case.add("mask", options["mask"])
    if states:
        options["initial_state"] = [tf.constant(normal(rng, shape[0], width)) for width in states]
        case.add_all({f"state.{i}": state for i, state in enumerate(options["initial_state"])})
    if training is not None:
        options["training"] = case.meta["training"] = training
    layer.build(tuple(x.shape))
    for i, weight in enumerate(layer.weights):
        weight.assign(random_weight(rng, weight))
        case.add(f"w.{i}", weight)
    add_results(case, rng, layer, x, options)
    return case


def random_weight(rng, weight):
    value = normal(rng, *weight.shape, scale=0.6)
    return np.abs(value) + np.float32(0.5) if "variance" in weight.name else value


def add_results(case, rng, layer, x, options):
    sources = [x, *options.get("initial_state", [])]
    weights = [weight.value for weight in layer.trainable_weights]
    with tf.GradientTape() as tape:
        tape.watch(sources)
        outputs = layer(x, **options)
        outputs = list(outputs) if isinstance(outputs, (list, tuple)) else [outputs]
        seeds = [normal(rng, *y.shape) for y in outputs]
        total = tf.add_n([tf.reduce_sum(y * seed) for y, seed in zip(outputs, seeds)])
    gradients = tape.gradient(total, sources + weights, unconnected_gradients="zero")
    case.add_all({f"y.{i}": y for i, y in enumerate(outputs)})
    case.add_all({f"dy.{i}": seed for i, seed in enumerate(seeds)})
    for i, gradient in enumerate(gradients):
        case.add(["dx", *(f"dstate.{j}" for j in range(len(sources) - 1))][i] if i < len(sources) else f"dw.{i - len(sources)}", gradient)


def layer_cases():
    sequences = {"return_sequences": True}
    states = {"return_state": True}
    kinds = {
        "lstm": (layers.LSTM, (3, 3), {}),
        "gru": (layers.GRU, (3,), {}),
        "gru_before": (layers.GRU, (3,), {"reset_after": False}),
        "simple_rnn": (layers.SimpleRNN, (3,), {}),
    }
    for kind, (cls, widths, given) in kinds.items():

        def case(what, options={}, **call):
            return recurrent_case(f"{kind}_{what}", cls(3, name=kind, **given, **options), **call)

        yield case("plain")
        yield case("sequences", sequences)
        yield case("states", sequences | states, states=widths)
        yield case("backwards", sequences | states | {"go_backwards": True})
        yield case("no_bias", {"use_bias": False}, states=widths)
        yield case("mask", states, mask=True)
        yield case("mask_sequences", sequences | states, mask=True)
        yield case("mask_backwards", sequences | {"go_backwards": True}, mask=True)
        yield case("mask_zeros", sequences | {"zero_output_for_mask": True}, mask=True, states=widths)
        yield case("mask_zeros_last", {"zero_output_for_mask": True}, mask=True)
        yield case("mask_states", sequences | states, mask=True, states=widths)
        yield case("relu", {"activation": "relu"})
        yield case("softsign", {"activation": "softsign"} | sequences, mask=True, states=widths)
        if kind != "simple_rnn":
            yield case("hard_sigmoid", {"recurrent_activation": "hard_sigmoid"})
            yield case("other_gates", {"recurrent_activation": "elu"} | states, mask=True)


def wrapper_cases():
    for mode in ("concat", "sum", "mul", "ave", None):
        inner = layers.LSTM(3, name="lstm", return_sequences=True)
        yield recurrent_case(f"bidirectional_{mode}", layers.Bidirectional(inner, merge_mode=mode, name="both"))
    inner = layers.GRU(3, name="gru", return_state=True)
    yield recurrent_case("bidirectional_states", layers.Bidirectional(inner, name="both"), states=(3, 3))
    inner = layers.LSTM(3, name="lstm", return_sequences=True)
    yield recurrent_case("bidirectional_mask", layers.Bidirectional(inner, name="both"), mask=True)
    inner = layers.SimpleRNN(3, name="simple")
    yield recurrent_case("bidirectional_mask_last", layers.Bidirectional(inner, name="both"), mask=True)
    other = layers.GRU(2, name="other", go_backwards=True, return_sequences=True)
    inner = layers.LSTM(3, name="lstm", return_sequences=True)
    yield recurrent_case("bidirectional_other", layers.Bidirectional(inner, backward_layer=other, name="both"))

    shape = (BATCH, STEPS, FEATURES)
    dense = layers.Dense(3, activation="tanh", name="dense")
    yield recurrent_case("time_distributed_dense", layers.TimeDistributed(dense, name="each"), shape)
    inner = layers.LSTM(3, name="lstm")
    yield recurrent_case("time_distributed_lstm", layers.TimeDistributed(inner, name="each"), (2, 3, 4, 2))
    norm = layers.BatchNormalization(name="norm")
    yield recurrent_case("time_distributed_norm", layers.TimeDistributed(norm, name="each"), shape, training=True)


def cell_cases():
    cell = layers.LSTMCell(3, name="cell")
    yield recurrent_case("rnn_lstm", layers.RNN(cell, name="rnn", return_sequences=True), mask=True)
    cells = [layers.GRUCell(3, name="first"), layers.LSTMCell(2, name="second"), layers.SimpleRNNCell(2, name="third")]
    stacked = layers.StackedRNNCells(cells, name="stacked")
    yield recurrent_case("rnn_stacked", layers.RNN(stacked, name="rnn", return_sequences=True))
    yield stacked_backwards_case()


def stacked_backwards_case():
    cells = [layers.SimpleRNNCell(3, name="first"), layers.GRUCell(2, name="second")]
    stacked = layers.StackedRNNCells(cells, name="stacked")
    return recurrent_case("rnn_stacked_backwards", layers.RNN(stacked, name="rnn", go_backwards=True), mask=True)


def stateful_case():
    """A batch begins with the state in which the one before ended."""
    rng = generator("stateful")
    layer = layers.LSTM(3, name="lstm", stateful=True, return_sequences=True)
    case = Case("stateful", {"config": json.dumps(plain(keras.saving.serialize_keras_object(layer)))})
    layer.build((2, 4, 3))
    for i, weight in enumerate(layer.weights):
        weight.assign(random_weight(rng, weight))
        case.add(f"w.{i}", weight)
    for i in range(3):
        x = normal(rng, 2, 4, 3)
        case.add_all({f"x.{i}": x, f"y.{i}": layer(x)})
    layer.reset_state()
    case.add("y.reset", layer(x))
    return case


def conv_lstm_cases():
    rows, images, volumes = (BATCH, STEPS, 5, 2), (BATCH, STEPS, 3, 4, 2), (2, 3, 2, 3, 2, 2)
    everything = {"return_sequences": True, "return_state": True}
    yield recurrent_case("conv_lstm1d", layers.ConvLSTM1D(2, 3, name="conv", strides=2, **everything), rows)
    yield recurrent_case("conv_lstm2d", layers.ConvLSTM2D(2, (2, 3), name="conv"), images)
    same = layers.ConvLSTM2D(2, 3, name="conv", padding="same", use_bias=False, recurrent_activation="hard_sigmoid", **everything)
    yield recurrent_case("conv_lstm2d_mask", same, images, mask=True)
    back = layers.ConvLSTM2D(2, 2, name="conv", go_backwards=True, activation="relu", return_sequences=True)
    yield recurrent_case("conv_lstm2d_backwards", back, images, mask=True)
    inner = layers.ConvLSTM2D(2, 2, name="conv", padding="same", return_sequences=True)
    yield recurrent_case("conv_lstm2d_bidirectional", layers.Bidirectional(inner, name="both"), images)
    yield recurrent_case("conv_lstm3d", layers.ConvLSTM3D(2, 2, name="conv", **everything), volumes)


def cases():
    yield from layer_cases()
    yield from wrapper_cases()
    yield from cell_cases()
    yield stateful_case()
    yield from conv_lstm_cases()
