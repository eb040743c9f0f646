"""Programs as people post them in questions to forums: activations as layers, older settings, and the mistakes in them.
Rules were written with these in mind, so they say nothing about programs that were not."""
import numpy as np
import everyday_data as sets
import data as small
from training import Training, dense, fault, hidden, last, layer


def separate_activations(rng):
    """Activations are layers of their own, the last one too."""
    x, y = small.pair(rng)
    return Training([dense(32, "linear"), layer("Activation", activation="relu"), dense(32, "linear"),
                     layer("Activation", activation="relu"), dense(1, "linear"),
                     layer("Activation", activation="sigmoid")], x, y[:, None].astype("float32"),
                    "binary_crossentropy", "accuracy", epochs=30)


def small_weights(rng):
    """The initial weights of older scripts: init="uniform", which is -0.05 to 0.05."""
    x, _, y = sets.patients(rng)
    uniform = {"class_name": "RandomUniform", "config": {"minval": -0.05, "maxval": 0.05}}
    return Training([dense(12, kernel_initializer=uniform), dense(8, kernel_initializer=uniform),
                     dense(1, "sigmoid", kernel_initializer=uniform)], x, y[:, None].astype("float32"),
                    "binary_crossentropy", "accuracy", epochs=100, batch=10)


def two_rows(rng):
    """Two classes as rows of two, with a loss that takes each as a question of its own."""
    x, y = small.pair(rng)
    return Training([dense(64), dense(32), dense(2, "softmax")], x, np.eye(2, dtype="float32")[y],
                    "binary_crossentropy", "accuracy", epochs=30)


FORUM = {function.__name__: function for function in (separate_activations, small_weights, two_rows)}


@fault("learning_rate_low", "separate_activations")
def separate_and_slow(it, rng):
    it.rate = float(rng.choice([1e-6, 1e-7]))


@fault("output_activation", "separate_activations")
def separate_relu_at_the_end(it, rng):
    last(it)["activation"] = "relu"


@fault("output_activation", "separate_activations")
def separate_activation_forgotten(it, rng):
    it.layers.pop()


@fault("model_capacity", "pair", "sine", "xor")
def no_hidden_layer(it, rng):
    it.layers = [it.layers[-1]]


@fault("saturation", "table", "pair", "digits", "multilabel", "diabetes")
def softmax_in_hidden_layers(it, rng):
    for one in hidden(it):
        one["config"]["activation"] = "softmax"


@fault("optimizer", "pair", "table")
def sigmoids_and_plain_sgd(it, rng):
    for one in hidden(it):
        one["config"]["activation"] = "sigmoid"
    it.optimizer, it.rate = "sgd", 0.01


@fault("output_activation", "multilabel")
def softmax_for_many_labels(it, rng):
    last(it)["activation"] = "softmax"


@fault("output_activation", "diabetes", "pair")
def tanh_and_squares(it, rng):
    last(it)["activation"], it.loss = "tanh", "mse"


@fault("loss_mismatch", "iris", "digits")
def a_number_for_classes(it, rng):
    it.y = (it.y.argmax(1) if it.y.ndim == 2 else it.y)[:, None].astype("float32")
    last(it)["units"], last(it)["activation"], it.loss, it.metrics = 1, "linear", "mse", ""


@fault("class_imbalance", "diabetes", "digits")
def one_class_only(it, rng):
    it.y = np.zeros_like(it.y)


@fault("labels_out_of_range", "pair", "diabetes")
def two_other_numbers(it, rng):
    it.y = [it.y + 1, it.y * 255, it.y * 2 - 1][int(rng.integers(3))]


@fault("over_regularised", "sequences")
def recurrent_dropout(it, rng):
    it.layers[0]["config"]["dropout"] = 0.95


@fault("over_regularised", "pair", "numbers")
def weights_that_decay(it, rng):
    it.optimizer, it.more = "adamw", ("--weight-decay", "50")
