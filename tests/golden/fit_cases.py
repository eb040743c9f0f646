"""Whole fits, without shuffling: the history, what evaluate says afterwards, and the weights."""

import keras
import numpy as np

from golden_file import Case, generator, normal

layers = keras.layers
SAMPLES = 10


def classifier(rng, **compile_options):
    model = keras.Sequential(
        [
            keras.Input((4,)),
            layers.Dense(5, activation="tanh", name="hidden"),
            layers.Dense(3, activation="softmax", name="head"),
        ]
    )
    compile_options.setdefault("loss", "sparse_categorical_crossentropy")
    model.compile(keras.optimizers.SGD(0.2), **compile_options)
    return model, {"x": normal(rng, SAMPLES, 4)}, {"y": rng.integers(0, 3, SAMPLES).astype(np.int32)}


def regressor(rng, **compile_options):
    model = keras.Sequential(
        [keras.Input((4,)), layers.Dense(3, activation="tanh", kernel_regularizer="l2", name="hidden"), layers.Dense(2, name="head")]
    )
    model.compile(keras.optimizers.SGD(0.1), loss="mse", **compile_options)
    return model, {"x": normal(rng, SAMPLES, 4)}, {"y": normal(rng, SAMPLES, 2)}


def two_outputs(rng, **compile_options):
    x = keras.Input((4,), name="x")
    hidden = layers.Dense(5, activation="tanh", name="hidden")(x)
    kind = layers.Dense(3, activation="softmax", name="kind")(hidden)
    area = layers.Dense(1, name="area")(hidden)
    model = keras.Model(x, [kind, area])
    model.compile(keras.optimizers.SGD(0.1), **compile_options)
    targets = {"kind": rng.integers(0, 3, SAMPLES).astype(np.int32), "area": normal(rng, SAMPLES, 1)}
    return model, {"x": normal(rng, SAMPLES, 4)}, targets


def masked(rng, **compile_options):
    """Steps of zeros do not count."""
    model = keras.Sequential([keras.Input((4, 3)), layers.Masking(name="mask"), layers.Dense(2, name="head")])
    model.compile(keras.optimizers.SGD(0.1), loss="mse", **compile_options)
    x = normal(rng, SAMPLES, 4, 3)
    x[rng.random((SAMPLES, 4)) < 0.3] = 0
    return model, {"x": x}, {"y": normal(rng, SAMPLES, 4, 2)}


def history_lists(history):
    return {key: np.float32(values) for key, values in history.history.items()}


def weight_name(weight):
    return "/".join(weight.path.split("/")[-2:])


def fit_case(name, build, compile_options, sample_weight=None, class_weight=None, **fit_options):
    rng = generator("fit_" + name)
    model, inputs, targets = build(rng, **compile_options)
    case = Case(name, {"model": build.__name__} | {k: v for k, v in fit_options.items()})
    for weight in model.weights:
        weight.assign(normal(rng, *weight.shape, scale=0.5))
    case.add_all({f"w0.{weight_name(w)}": w.numpy() for w in model.weights})
    case.add_all(inputs)
    case.add_all(targets)
    x = inputs["x"]
    y = list(targets.values()) if len(targets) > 1 else targets["y"]
    weights = None
    if sample_weight is not None:
        given = {k: np.float32(v) for k, v in sample_weight(rng).items()}
        case.add_all({f"sample_weight.{k}": v for k, v in given.items()})
        weights = [given[k] for k in targets] if len(targets) > 1 else given["y"]
    if class_weight:
        case.meta["class_weight"] = [f"{k}:{v}" for k, v in class_weight.items()]
    history = model.fit(
        x, y, sample_weight=weights, class_weight=class_weight, shuffle=False, verbose=0, **fit_options
    )
    case.add_all({f"history.{k}": v for k, v in history_lists(history).items()})
    results = model.evaluate(x, y, batch_size=3, sample_weight=weights, verbose=0, return_dict=True)
    case.add_all({f"evaluate.{k}": np.float32(v) for k, v in results.items()})
    case.add_all({f"w1.{weight_name(w)}": w.numpy() for w in model.weights})
    return case


def one_weight(rng):
    return {"y": rng.random(SAMPLES) * 2}


def weight_of_each(rng):
    return {"kind": rng.random(SAMPLES), "area": rng.random(SAMPLES) * 3}


def weight_of_steps(rng):
    return {"y": rng.random((SAMPLES, 4))}


def one_hot(rng, **compile_options):
    model, inputs, targets = classifier(rng, loss="categorical_crossentropy", **compile_options)
    return model, inputs, {"y": np.eye(3, dtype=np.float32)[targets["y"]]}


def cases():
    accuracy = dict(metrics=["accuracy"])
    both = dict(metrics=["mae"], weighted_metrics=["mae", "mse"])
    yield fit_case("uneven_batches", classifier, accuracy, batch_size=4, epochs=2)
    yield fit_case("validation_split", classifier, accuracy, batch_size=3, epochs=2, validation_split=0.3)
    yield fit_case("validation_every_second_epoch", classifier, accuracy, batch_size=4, epochs=4, validation_split=0.3, validation_freq=2, validation_batch_size=2)
    yield fit_case("validation_steps", classifier, accuracy, batch_size=2, epochs=1, validation_split=0.5, validation_steps=2)
    yield fit_case("steps_per_epoch", classifier, accuracy, batch_size=2, epochs=4, steps_per_epoch=2)
    yield fit_case("steps_without_batch_size", classifier, accuracy, epochs=2, steps_per_epoch=3)
    yield fit_case("initial_epoch", classifier, accuracy, batch_size=4, epochs=3, initial_epoch=1)
    yield fit_case("penalty", regressor, dict(metrics=["mae"], loss_weights=[0.5]), batch_size=4, epochs=2)
    yield fit_case("sample_weight", regressor, both, one_weight, batch_size=4, epochs=2)
    yield fit_case("sample_weight_in_validation", regressor, both, one_weight, batch_size=4, epochs=2, validation_split=0.4)
    yield fit_case("class_weight", classifier, accuracy | dict(weighted_metrics=["accuracy"]), class_weight={0: 0.5, 2: 3.0}, batch_size=4, epochs=2)
    yield fit_case("class_weight_one_hot", one_hot, accuracy | dict(weighted_metrics=["accuracy"]), class_weight={0: 0.5, 1: 2.0, 2: 3.0}, batch_size=4, epochs=2)
    pair = dict(
        loss={"area": "mse", "kind": "sparse_categorical_crossentropy"},
        loss_weights={"kind": 2.0, "area": 0.25},
        metrics={"kind": ["accuracy"], "area": ["mae", "mse"]},
        weighted_metrics={"area": ["mae"]},
    )
    yield fit_case("two_outputs", two_outputs, pair, batch_size=4, epochs=2, validation_split=0.2)
    yield fit_case("two_outputs_weighted", two_outputs, pair, weight_of_each, batch_size=4, epochs=2)
    untrained = dict(loss=["sparse_categorical_crossentropy", None], metrics=[["accuracy"], ["mae"]])
    yield fit_case("one_output_without_loss", two_outputs, untrained, batch_size=4, epochs=2)
    yield fit_case("masked", masked, both, batch_size=4, epochs=2)
    yield fit_case("masked_and_weighted", masked, both, weight_of_steps, batch_size=4, epochs=2)
