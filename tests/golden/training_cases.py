"""Whole models: three steps of SGD through train_on_batch on given data."""

import keras
import numpy as np

from golden_file import Case, generator, normal

BATCHES = 3
LEARNING_RATE = 0.05
layers = keras.layers


def mlp(rng):
    """Regression."""
    model = keras.Sequential(
        [
            keras.Input((6,)),
            layers.Dense(8, activation="tanh", name="hidden_1"),
            layers.Dense(5, activation="relu", name="hidden_2"),
            layers.Dense(2, name="head"),
        ]
    )
    batches = [([normal(rng, 7, 6)], normal(rng, 7, 2)) for _ in range(BATCHES)]
    text = "Input(6) > Dense(8, tanh, hidden_1) > Dense(5, relu, hidden_2) > Dense(2, head)"
    return model, "mean_squared_error", [], batches, text


def cnn(rng):
    """The softmax makes Keras compute the loss from the logits, unclipped."""
    model = keras.Sequential(
        [
            keras.Input((9, 7, 3)),
            layers.Conv2D(8, 3, padding="same", activation="relu", name="conv"),
            layers.MaxPooling2D(name="pool"),
            layers.BatchNormalization(name="norm"),
            layers.Dropout(0.0, name="dropout"),
            layers.Flatten(name="flatten"),
            layers.Dense(4, activation="softmax", name="head"),
        ]
    )
    batches = [([normal(rng, 6, 9, 7, 3)], rng.integers(0, 4, 6).astype(np.int32)) for _ in range(BATCHES)]
    text = (
        "Input(9 7 3) > Conv2D(8, 3x3, same, relu, conv) > MaxPooling2D(2x2) > BatchNormalization(norm)"
        " > Dropout(0) > Flatten > Dense(4, softmax, head)"
    )
    return model, "sparse_categorical_crossentropy", ["accuracy"], batches, text


def twin(rng):
    """A shared layer gets the gradients of both its uses."""
    left, right = keras.Input((5,), name="left"), keras.Input((5,), name="right")
    tower = layers.Dense(6, activation="relu", name="tower")
    joined = layers.Concatenate(name="joined")([tower(left), tower(right)])
    model = keras.Model([left, right], layers.Dense(1, activation="sigmoid", name="head")(joined))
    targets = lambda: rng.integers(0, 2, (8, 1)).astype(np.float32)
    batches = [([normal(rng, 8, 5), normal(rng, 8, 5)], targets()) for _ in range(BATCHES)]
    text = "tower = Dense(6, relu, tower); Dense(1, sigmoid, head)(concatenate(tower(x0), tower(x1)))"
    return model, "binary_crossentropy", ["accuracy"], batches, text


def frozen(rng):
    """A frozen BatchNormalization runs as in inference and keeps its statistics."""
    penalty = keras.regularizers.L2(0.02)
    model = keras.Sequential(
        [
            keras.Input((6,)),
            layers.Dense(7, activation="relu", kernel_regularizer=penalty, name="frozen_dense", trainable=False),
            layers.BatchNormalization(name="frozen_norm", trainable=False),
            layers.Dense(5, activation="elu", kernel_regularizer=penalty, name="hidden"),
            layers.BatchNormalization(name="norm"),
            layers.Dense(3, bias_regularizer=keras.regularizers.L1(0.01), name="head"),
        ]
    )
    batches = [([normal(rng, 10, 6)], np.eye(3, dtype=np.float32)[rng.integers(0, 3, 10)]) for _ in range(BATCHES)]
    text = (
        "Input(6) > Dense(7, relu, kernel L2 0.02, frozen, frozen_dense) > BatchNormalization(frozen, frozen_norm)"
        " > Dense(5, elu, kernel L2 0.02, hidden) > BatchNormalization(norm) > Dense(3, bias L1 0.01, head)"
    )
    return model, keras.losses.CategoricalCrossentropy(from_logits=True), ["accuracy"], batches, text


def weight_name(weight):
    """Layer and weight, without the model's running number."""
    return "/".join(weight.path.split("/")[-2:])


def set_weights(model, rng):
    for weight in model.weights:
        fan_in = int(np.prod(weight.shape[:-1])) if len(weight.shape) > 1 else 16
        value = normal(rng, *weight.shape, scale=1.3 / np.sqrt(fan_in))
        if weight.name in ("gamma", "moving_variance"):
            value = 1 + np.abs(value)
        weight.assign(value)


def training_case(build):
    rng = generator(build.__name__)
    model, loss, metrics, batches, text = build(rng)
    set_weights(model, rng)
    # XLA would round by the machine.
    model.compile(keras.optimizers.SGD(LEARNING_RATE), loss, metrics=metrics, jit_compile=False)

    loss_name = loss if isinstance(loss, str) else "categorical_crossentropy from_logits"
    case = Case(build.__name__, {"model": text, "loss": loss_name, "optimizer": "SGD", "learning_rate": LEARNING_RATE})
    case.meta["weights"] = [weight_name(w) for w in model.weights]
    case.add_all({f"w0.{weight_name(w)}": w.numpy() for w in model.weights})
    for index, (inputs, y) in enumerate(batches):
        logs = model.train_on_batch(inputs if len(inputs) > 1 else inputs[0], y, return_dict=True)
        case.add_all({f"x{i}.{index}": x for i, x in enumerate(inputs)} | {f"y.{index}": y})
        case.add_all({f"{key}.{index}": np.float32(value) for key, value in logs.items()})
    case.add_all({f"w{BATCHES}.{weight_name(w)}": w.numpy() for w in model.weights})
    first = batches[0][0]
    case.add("prediction", model.predict_on_batch(first if len(first) > 1 else first[0]))
    return case


def cases():
    for build in (mlp, cnn, twin, frozen):
        yield training_case(build)
