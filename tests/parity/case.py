"""A case: a model, how it is compiled, and the data it sees. Modules NAME_models.py register them."""

import zlib
from dataclasses import dataclass, field
from typing import Callable

import numpy as np

BATCH = 8
STEPS = 20  # of training on either side
FURTHER = 5  # steps of the other side, which goes on from a saved file
SAMPLES = BATCH * (STEPS + FURTHER)

CASES = {}


@dataclass
class Case:
    """`build` takes a generator of numbers and returns (model, inputs, targets, …): see `parity_case`."""

    name: str
    build: Callable
    loss: object
    optimizer: Callable = None
    metrics: object = None
    loss_weights: object = None
    # Of the SGD that every model is trained with.
    learning_rate: float = 0.05
    # Weights whose gradient is mathematically zero: the end of their name in a weights file -> why. What an adaptive
    # optimizer makes of the rounding in such a gradient says nothing.
    zero_gradients: dict = field(default_factory=dict)
    # The policy under which the saved model is built. Its numbers are those of float32.
    policy: str = "float32"
    # TensorFlow's own CPU kernels have no gradient for groups and dilation, XLA has.
    jit_compile: bool = False
    # Why real Keras cannot bring the model back from an .h5 file.
    no_legacy: str = ""
    # Why a config and weights are not the whole model.
    no_config: str = ""
    # Why real Keras cannot bring the optimizer back from its own file.
    no_resume: str = ""

    def numbers(self):
        """Depends on the name alone, so that cases come and go freely."""
        return np.random.default_rng(self.seed())

    def seed(self):
        return zlib.crc32(self.name.encode()) % 2**31


def parity_case(loss, optimizer, **options):
    """Registers a function(rng) -> (model, inputs, targets).

    `inputs` and `targets` are lists of arrays of SAMPLES rows, in the model's order. `loss`, `optimizer`,
    `metrics` are Keras's arguments of compile; those that hold objects are functions, called for each model.
    """

    def register(build):
        name = build.__name__
        assert name not in CASES, f"two cases are called {name}"
        CASES[name] = Case(name, build, loss, optimizer, **options)
        return build

    return register


def normal(rng, *shape, scale=1.0):
    return (scale * rng.standard_normal((SAMPLES, *shape))).astype(np.float32)


def uniform(rng, *shape, low=0.0, high=1.0):
    return rng.uniform(low, high, (SAMPLES, *shape)).astype(np.float32)


def labels(rng, classes, *shape):
    return rng.integers(0, classes, (SAMPLES, *shape)).astype(np.int32)


def one_hot(rng, classes):
    return np.eye(classes, dtype=np.float32)[labels(rng, classes)]


def binary(rng, *shape):
    return rng.integers(0, 2, (SAMPLES, *shape)).astype(np.float32)


def distribution(rng, classes):
    weights = uniform(rng, classes, low=0.05)
    return weights / weights.sum(-1, keepdims=True)


def tokens(rng, vocabulary, length, padded=True):
    """Words are 1 and more; with `padded`, rows end in zeros. The first row of each batch is full."""
    words = rng.integers(1, vocabulary, (SAMPLES, length)).astype(np.int32)
    if padded:
        lengths = rng.integers(1, length + 1, (SAMPLES, 1))
        lengths[::BATCH] = length
        words[np.arange(length) >= lengths] = 0
    return words
