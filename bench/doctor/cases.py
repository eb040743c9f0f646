"""Trainings that are sound, and the same with one mistake in them, as people make them."""
import copy
import numpy as np
import data as sets
import everyday_faults  # noqa: F401 (registers its mistakes)
import training
from everyday_models import EVERYDAY
from forum_programs import FORUM
from program_faults import PROGRAMS
from training import FAULTS, Training, dense, layer


def table(rng):
    x, y = sets.table(rng)
    width = int(rng.choice([48, 64, 96]))
    return Training([dense(width), dense(width), dense(3, "softmax")], x, y,
                    "sparse_categorical_crossentropy", "accuracy", epochs=30)


def pair(rng):
    x, y = sets.pair(rng)
    return Training([dense(int(rng.choice([32, 64]))), dense(32, rng.choice(["relu", "elu", "tanh"])),
                     dense(1, "sigmoid")], x, y[:, None].astype("float32"),
                    "binary_crossentropy", "accuracy", epochs=30)


def images(rng):
    x, y = sets.images(rng)
    return Training([layer("Conv2D", filters=int(rng.choice([8, 16])), kernel_size=[3, 3], activation="relu"),
                     layer("MaxPooling2D", pool_size=[2, 2]),
                     layer("Conv2D", filters=16, kernel_size=[3, 3], activation="relu"),
                     layer("Flatten"), dense(32), dense(4, "softmax")],
                    x, np.eye(4, dtype="float32")[y], "categorical_crossentropy", "accuracy", epochs=25)


def numbers(rng):
    x, y = sets.numbers(rng)
    return Training([dense(64), dense(64), dense(1, "linear")], x, y, str(rng.choice(["mse", "mse", "mae"])),
                    epochs=30)


MODELS = {"table": table, "pair": pair, "images": images, "numbers": numbers}
CLASSIFIERS = ("table", "pair", "images")


def sequences(rng):
    x, y = sets.sequences(rng)
    return Training([layer("LSTM", units=24), dense(1, "sigmoid")], x, y[:, None].astype("float32"),
                    "binary_crossentropy", "accuracy", epochs=25, rate=3e-3)


def normalised(rng):
    """A table that is not scaled, and BatchNormalization that sees to it."""
    it = table(rng)
    it.layers.insert(0, layer("BatchNormalization"))
    it.x = it.x * 40 + 100
    return it


def deep(rng):
    it = table(rng)
    it.layers = [dense(48) for _ in range(5)] + [dense(3, "softmax")]
    return it


def dropping(rng):
    it = pair(rng)
    it.layers.insert(1, layer("Dropout", rate=float(rng.choice([0.1, 0.2]))))
    return it


def with_sgd(rng):
    it = table(rng)
    it.optimizer, it.rate, it.epochs = "sgd", 0.1, 60
    return it


def with_rmsprop(rng):
    it = images(rng)
    it.optimizer = "rmsprop"
    return it


def logits(rng):
    """A head without activation and a small penalty: the usual regression with decay."""
    it = numbers(rng)
    it.layers[0]["config"]["kernel_regularizer"] = {"class_name": "L2", "config": {"l2": 1e-5}}
    return it


def tanh_hidden(rng):
    it = numbers(rng)
    for one in it.layers[:-1]:
        one["config"]["activation"] = "tanh"
    it.epochs, it.rate = 50, 3e-3
    return it


HEALTHY = {**MODELS, "sequences": sequences, "normalised": normalised, "deep": deep, "dropping": dropping,
           "with_sgd": with_sgd, "with_rmsprop": with_rmsprop, "logits": logits, "tanh_hidden": tanh_hidden, **EVERYDAY,
           **FORUM, **PROGRAMS}


def fault(cause, *models):
    return training.fault(cause, *(models or tuple(MODELS)))


@fault("learning_rate_high")
def rate_of_one(it, rng):
    it.rate = float(rng.choice([0.5, 1.0, 2.0]))


@fault("learning_rate_high")
def rate_a_little_high(it, rng):
    it.rate = float(rng.choice([0.1, 0.2]))


@fault("learning_rate_high")
def sgd_that_explodes(it, rng):
    it.optimizer, it.rate = "sgd", float(rng.choice([5.0, 20.0]))


@fault("learning_rate_low")
def tiny_rate(it, rng):
    it.rate = float(rng.choice([1e-6, 1e-7]))


@fault("learning_rate_low")
def slow_sgd(it, rng):
    it.optimizer, it.rate = "sgd", float(rng.choice([1e-5, 1e-4]))


@fault("optimizer", "table", "images", "numbers")
def adadelta_as_it_comes(it, rng):
    it.optimizer = "adadelta"


@fault("output_activation", *CLASSIFIERS)
def relu_at_the_end(it, rng):
    it.layers[-1]["config"]["activation"] = "relu"


@fault("output_activation", *CLASSIFIERS)
def no_activation_at_the_end(it, rng):
    it.layers[-1]["config"]["activation"] = "linear"


@fault("output_activation", "pair")
def softmax_on_one_unit(it, rng):
    it.layers[-1]["config"]["activation"] = "softmax"


@fault("output_activation", "numbers")
def squashed_numbers(it, rng):
    it.layers[-1]["config"]["activation"] = str(rng.choice(["sigmoid", "softmax", "relu"]))


@fault("loss_mismatch", "images", "pair")
def squares_for_classes(it, rng):
    it.loss = str(rng.choice(["mse", "mae"]))


@fault("loss_mismatch", "images")
def binary_loss_for_many(it, rng):
    it.loss = "binary_crossentropy"


@fault("loss_mismatch", "numbers")
def classes_loss_for_numbers(it, rng):
    it.loss = "binary_crossentropy"
    it.layers[-1]["config"]["activation"] = "sigmoid"


@fault("missing_nonlinearity")
def no_activations(it, rng):
    for one in it.layers[:-1]:
        if "activation" in one["config"]:
            one["config"]["activation"] = "linear"


@fault("inputs_not_normalised")
def raw_pixels(it, rng):
    it.x = it.x * 255 if it.x.ndim == 4 else it.x * float(rng.choice([100, 300])) + float(rng.choice([0, 200]))


@fault("inputs_not_normalised", "table", "numbers", "pair")
def columns_of_all_sizes(it, rng):
    it.x = it.x * (10.0 ** rng.uniform(-1, 4, size=it.x.shape[1])).astype("float32")


@fault("constant_input")
def data_of_zeros(it, rng):
    it.x = np.zeros_like(it.x) + float(rng.choice([0, 1]))


@fault("bad_initialisation")
def weights_of_zero(it, rng):
    for one in it.layers:
        if "units" in one["config"] or "filters" in one["config"]:
            one["config"]["kernel_initializer"] = {"class_name": str(rng.choice(["Zeros", "Ones"])), "config": {}}


@fault("bad_initialisation")
def huge_weights(it, rng):
    for one in it.layers:
        if "units" in one["config"] or "filters" in one["config"]:
            one["config"]["kernel_initializer"] = {
                "class_name": "RandomNormal", "config": {"mean": 0.0, "stddev": float(rng.choice([3.0, 10.0]))}}


@fault("too_few_epochs")
def one_epoch(it, rng):
    it.epochs = int(rng.choice([1, 2]))


@fault("batch_size")
def everything_at_once(it, rng):
    it.batch, it.epochs = len(it.x), 10


@fault("over_regularised", "table", "pair", "numbers")
def dropout_of_nearly_all(it, rng):
    it.layers.insert(1, layer("Dropout", rate=float(rng.choice([0.9, 0.95]))))
    it.layers.insert(-1, layer("Dropout", rate=0.9))


@fault("over_regularised")
def strong_penalty(it, rng):
    for one in it.layers:
        if "units" in one["config"] or "filters" in one["config"]:
            one["config"]["kernel_regularizer"] = {"class_name": "L2",
                                                   "config": {"l2": float(rng.choice([0.3, 1.0]))}}


@fault("frozen_weights", "table", "pair", "images")
def frozen_layers(it, rng):
    for one in it.layers[:-1]:
        one["config"]["trainable"] = False


@fault("not_shuffled", "table", "images")
def sorted_and_not_shuffled(it, rng):
    labels = it.y.argmax(1) if it.y.ndim == 2 else it.y
    order = np.argsort(labels, kind="stable")
    it.x, it.y, it.more = it.x[order], it.y[order], ("--no-shuffle",)


@fault("class_imbalance", "pair")
def one_class_is_rare(it, rng):
    labels = it.y[:, 0]
    rare = np.flatnonzero(labels == 1)
    keep = np.concatenate([np.flatnonzero(labels == 0), rare[:max(6, len(rare) // 40)]])
    rng.shuffle(keep)
    it.x, it.y, it.epochs = it.x[keep], it.y[keep], 8


@fault("targets_not_scaled", "numbers")
def prices(it, rng):
    it.y = it.y * float(rng.choice([500, 20000])) + float(rng.choice([1000, 100000]))


@fault("model_capacity", "table", "images")
def one_hidden_unit(it, rng):
    for one in it.layers[:-1]:
        if "units" in one["config"]:
            one["config"]["units"] = 1


@fault("vanishing_gradients", "table", "pair", "numbers")
def many_sigmoids(it, rng):
    it.layers = [dense(24, "sigmoid") for _ in range(int(rng.choice([8, 10])))] + [it.layers[-1]]


@fault("overfitting", "table", "pair")
def few_records(it, rng):
    it.x, it.y = it.x[:120], it.y[:120]
    it.layers = [dense(256), dense(256), it.layers[-1]]
    it.epochs, it.split = 120, 0.3


@fault("bad_record")
def one_infinite_number(it, rng):
    it.x = it.x.copy()
    it.x[int(rng.integers(0, len(it.x)))].flat[0] = rng.choice([np.inf, np.nan])


@fault("labels_out_of_range", "table")
def labels_from_one(it, rng):
    it.y = it.y + 1


@fault("dead_relu", "table", "numbers", "pair")
def units_that_never_fire(it, rng):
    it.layers = [dense(32), dense(32), it.layers[-1]]
    it.layers[1]["config"]["bias_initializer"] = {"class_name": "Constant", "config": {"value": -50.0}}


# Causes whose harm does not show in how well the training data is learnt.
HARM_OF_OTHER_RECORDS = {"overfitting", "not_shuffled", "class_imbalance", "label_noise", "bad_record"}


def is_unseen(name):
    """A third of the mistakes and of the sound models, which thresholds are not chosen by, and all newer ones."""
    if name in PROGRAMS or (name in FAULTS and FAULTS[name][2].__module__ == "program_faults"):
        return True
    is_new = name in EVERYDAY or (name in FAULTS and FAULTS[name][2].__module__ == "everyday_faults")
    return is_new and sum(map(ord, name)) % 3 == 0


def make(name, model, seed, is_sound=False):
    """A training with the mistake `name`; or, with the same data, without it."""
    rng = np.random.default_rng([seed, sum(map(ord, name + model))])
    it = copy.deepcopy(HEALTHY[model](rng))
    if name != "healthy" and not is_sound:
        FAULTS[name][2](it, rng)
    return it
