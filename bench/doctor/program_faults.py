"""Trainings and mistakes of other kinds than the files beside it: those that only a script can make, of several
outputs, and of gradients that explode. They are newer than the thresholds."""
import numpy as np
import data as small
import everyday_data as sets
from training import Training, dense, fault, layer, of


def script_with_numbers(rng):
    """A script whose callback collects numbers."""
    x, y = small.table(rng)
    return Training([dense(64), dense(64), dense(3, "softmax")], x, y, "sparse_categorical_crossentropy", "accuracy",
                    epochs=30, script="keeps_numbers")


def two_heads(rng):
    """One model answers two questions: which class, and how much."""
    x, kind = small.table(rng)
    size = np.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.05 * rng.normal(size=len(x))
    size = ((size - size.mean()) / size.std())[:, None].astype("float32")
    return Training([of("Dense", ["in"], "one", units=96, activation="relu"),
                     of("Dense", ["one"], "two", units=64, activation="relu"),
                     of("Dense", ["two"], "kind", units=3, activation="softmax"),
                     of("Dense", ["two"], "size", units=1, activation="linear")],
                    x, {"kind": kind, "size": size}, "sparse_categorical_crossentropy,mse", epochs=40)


PROGRAMS = {function.__name__: function for function in (script_with_numbers, two_heads)}


@fault("memory_growth", "autoencoder")
def outputs_that_are_kept(it, rng):
    it.script = "keeps_outputs"


@fault("memory_growth", "digits", "digits_cnn", "images")
def gradients_that_are_kept(it, rng):
    it.script, it.split = "keeps_gradients", 0.0


@fault("data_bound", "table", "pair", "numbers", "images")
def a_generator_that_is_slow(it, rng):
    it.script = "slow_generator"


@fault("not_finite_op", "table", "iris", "logistic", "digits")
def a_logarithm_of_zero(it, rng):
    it.script = "log_of_relu"


@fault("not_finite_op", "table", "iris", "logistic", "digits")
def a_softmax_that_overflows(it, rng):
    it.script = "sharp_softmax"


@fault("exploding_gradients", "forecast")
def a_relu_that_feeds_itself(it, rng):
    """Sixty steps, each of which makes what it reads larger."""
    it.x, it.y = sets.signal(rng, steps=60)
    large = {"class_name": "RandomNormal", "config": {"mean": 0.0, "stddev": 0.3}}
    it.layers = [layer("SimpleRNN", units=32, activation="relu", recurrent_initializer=large), dense(1, "linear")]
    it.optimizer, it.rate = "sgd", 0.01


@fault("exploding_gradients", "sequences", "rhythms", "reviews_gru")
def a_relu_in_a_long_memory(it, rng):
    """A SimpleRNN with relu in place of what forgets, on sequences that are longer than it can bear."""
    if it.x.dtype.kind == "i":  # a review as one long sequence of words
        it.x = np.tile(it.x, (1, 4))
    else:
        it.x = np.repeat(it.x, 60 // it.x.shape[1] + 1, axis=1)
    large = {"class_name": "RandomNormal", "config": {"mean": 0.0, "stddev": 0.3}}
    first = [one for one in it.layers if one["class_name"] == "Embedding"]
    for one in first:
        one["config"]["mask_zero"] = False
    it.layers = [*first, layer("SimpleRNN", units=32, activation="relu", recurrent_initializer=large), it.layers[-1]]
    it.optimizer, it.rate = "sgd", 0.01


@fault("underfitting", "table", "pair", "multilabel")
def a_net_of_four(it, rng):
    """What a tutorial has for two numbers, for data that needs far more, and trained until nothing changes any more."""
    it.layers = [dense(4), it.layers[-1]]
    it.epochs, it.rate = 150, 3e-3


@fault("underfitting", "sine")
def a_fast_wave(it, rng):
    """Far more turns than eight units can make."""
    it.y = (np.sin(6 * it.x) + 0.03 * rng.normal(size=it.x.shape)).astype("float32")
    it.layers = [dense(8, "tanh"), dense(1, "linear")]


@fault("output_activation", "two_heads")
def a_relu_for_one_of_two(it, rng):
    it.layers[-1]["config"]["activation"] = "relu"


@fault("targets_not_scaled", "two_heads")
def prices_for_one_of_two(it, rng):
    it.y["size"] = it.y["size"] * 9000 + 50000
