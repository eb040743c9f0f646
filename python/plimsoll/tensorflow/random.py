"""tf.random: random tensors. They depend on the seed of the process and on the step."""
import sys

import numpy as np

from plimsoll import _core, _missing
from plimsoll.tensorflow._dtypes import as_dtype
from plimsoll.tensorflow._on_values import integers

# How often a function was called with a seed of its own since set_seed.
_calls = {"count": 0}


def set_seed(seed) -> None:
    """Everything random after this is the same in each run."""
    # A step that ends lets draws be numbered from the beginning again.
    _core.tick()
    _core.set_random_seed(int(seed))
    _calls["count"] = 0
    shuffles = sys.modules.get("plimsoll.tensorflow.data._shuffle")
    if shuffles is not None:
        shuffles.restart_seeds()


def checkpoint_state() -> dict:
    """All that later random numbers of the engine and of this module depend on."""
    seed, step, draws = _core.clock_state()
    return {"seed": seed, "step": step, "draws": draws, "calls": _calls["count"]}


def set_checkpoint_state(state: dict) -> None:
    _core.set_clock_state(state["seed"], state["step"], state["draws"])
    _calls["count"] = state["calls"]


def _generator(seed) -> np.random.Generator:
    """NumPy's generator for a seed of the call's own; without one the engine's stream seeds it."""
    _calls["count"] += 1
    if seed is None:
        return np.random.default_rng(np.asarray(_core.random_uniform((4,))).view(np.uint32))
    return np.random.default_rng([int(_core.random_seed()) % 2**32, int(seed) % 2**32,
                                  _calls["count"]])


def _range(generator, shape, low, high, dtype):
    """Numbers in [low, high) of an element type."""
    if dtype.is_integer:
        if high is None:
            raise ValueError("Must specify maxval for integer dtype")
        return _core.constant(generator.integers(np.asarray(low), np.asarray(high), shape), dtype.name)
    found = generator.random(shape, np.float32)
    return _core.constant(found * (np.asarray(1 if high is None else high) - np.asarray(low))
                          + np.asarray(low), dtype.name)


def uniform(shape, minval=0, maxval=None, dtype="float32", seed=None, name=None):
    """Numbers from minval up to maxval, which is not among them."""
    dtype, shape = as_dtype(dtype), integers(shape)
    plain = all(each is None or isinstance(each, (int, float)) for each in (minval, maxval))
    if dtype.is_integer or seed is not None or not plain:
        return _range(_generator(seed), shape, minval, maxval, dtype)
    return _core.random_uniform(shape, float(minval), 1.0 if maxval is None else float(maxval))


def normal(shape, mean=0.0, stddev=1.0, dtype="float32", seed=None, name=None):
    shape = integers(shape)
    if seed is not None:
        drawn = _core.constant(_generator(seed).standard_normal(shape, np.float32))
    elif isinstance(mean, (int, float)) and isinstance(stddev, (int, float)):
        return _core.random_normal(shape, float(mean), float(stddev))
    else:
        drawn = _core.random_normal(shape, 0.0, 1.0)
    return _core.add(_core.multiply(drawn, stddev), mean)


def _truncated(generator, shape) -> np.ndarray:
    found = generator.standard_normal(shape, np.float32)
    while (far := np.abs(found) > 2).any():
        found[far] = generator.standard_normal(int(far.sum()), np.float32)
    return found


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype="float32", seed=None, name=None):
    """Normal numbers that are less than two deviations from the mean."""
    return _core.constant(_truncated(_generator(seed), integers(shape)) * stddev + mean, "float32")


def shuffle(value, seed=None, name=None):
    """The rows in another order."""
    tensor = _core.constant(value)
    order = _generator(seed).permutation(tensor.shape[0]).astype(np.int32)
    if tensor.dtype == "string":
        return _core.constant(np.asarray(tensor)[order])
    return _core.take(tensor, order, 0)


def _categorical(generator, logits, count: int, dtype):
    scores = np.asarray(_core.stop_gradient(_core.constant(logits)), np.float64)
    noise = generator.gumbel(size=(scores.shape[0], int(count), scores.shape[1]))
    return _core.constant(np.argmax(scores[:, None] + noise, -1), as_dtype(dtype or "int64").name)


def categorical(logits, num_samples, dtype=None, seed=None, name=None):
    """Classes drawn by their logits, num_samples for each row."""
    return _categorical(_generator(seed), logits, num_samples, dtype)


def gamma(shape, alpha, beta=None, dtype="float32", seed=None, name=None):
    alpha = np.asarray(alpha, np.float64)
    found = _generator(seed).gamma(alpha, size=(*integers(shape), *alpha.shape))
    return _core.constant(found / (1.0 if beta is None else np.asarray(beta)), "float32")


def poisson(shape, lam, dtype="float32", seed=None, name=None):
    lam = np.asarray(lam, np.float64)
    return _core.constant(_generator(seed).poisson(lam, (*integers(shape), *lam.shape)),
                          as_dtype(dtype).name)


def log_uniform_candidate_sampler(true_classes, num_true, num_sampled, unique, range_max, seed=None, name=None):
    """Class numbers of which small ones are frequent, with how often they and the true ones are expected."""
    numbers = np.arange(range_max)
    shares = (np.log(numbers + 2) - np.log(numbers + 1)) / np.log(range_max + 1)
    if unique and num_sampled > range_max:
        raise ValueError(f"tf.random.log_uniform_candidate_sampler: there are no {num_sampled} different classes "
                         f"below {range_max}")
    drawn = _generator(seed).choice(range_max, num_sampled, replace=not unique, p=shares / shares.sum())
    expected = -np.expm1(num_sampled * np.log1p(-shares)) if unique else shares * num_sampled
    return (_core.constant(drawn.astype(np.int64)),
            *(_core.constant(expected[np.asarray(each)].astype(np.float32)) for each in (true_classes, drawn)))


def _stateless(seed) -> np.random.Generator:
    return np.random.default_rng([each % 2**32 for each in integers(seed)])


def stateless_uniform(shape, seed, minval=0, maxval=None, dtype="float32", name=None, alg=None):
    """The same numbers for the same seed, each time."""
    return _range(_stateless(seed), integers(shape), minval, maxval, as_dtype(dtype))


def stateless_normal(shape, seed, mean=0.0, stddev=1.0, dtype="float32", name=None, alg=None):
    found = _stateless(seed).standard_normal(integers(shape), np.float32)
    return _core.add(_core.multiply(found, stddev), mean)


def stateless_truncated_normal(shape, seed, mean=0.0, stddev=1.0, dtype="float32", name=None,
                               alg=None):
    return _core.constant(_truncated(_stateless(seed), integers(shape)) * stddev + mean, "float32")


def stateless_categorical(logits, num_samples, seed, dtype="int64", name=None):
    return _categorical(_stateless(seed), logits, num_samples, dtype)


def split(seed, num=2, alg=None):
    """Several seeds of one."""
    return _core.constant(_stateless(seed).integers(2**31 - 1, size=(int(num), 2)), "int32")


def fold_in(seed, data, alg=None):
    return _core.constant(np.random.default_rng([*integers(seed), int(data)]).integers(
        2**31 - 1, size=2), "int32")


experimental_stateless_split, experimental_stateless_fold_in = split, fold_in


class Generator:
    """A stream of random numbers of its own."""

    def __init__(self, seed=None, alg=None, **kwargs):
        self._seed = seed
        self._random = np.random.default_rng(seed)

    @classmethod
    def from_seed(cls, seed, alg=None) -> "Generator":
        return cls([each % 2**32 for each in integers(seed)])

    @classmethod
    def from_non_deterministic_state(cls, alg=None) -> "Generator":
        return cls()

    def reset_from_seed(self, seed) -> None:
        self._random = np.random.default_rng(seed)

    def checkpoint_state(self) -> dict:
        """What tf.train.Checkpoint keeps of it."""
        return self._random.bit_generator.state

    def set_checkpoint_state(self, state: dict) -> None:
        self._random.bit_generator.state = state

    def split(self, count=1) -> list:
        found = [Generator() for _ in range(int(count))]
        for each, stream in zip(found, self._random.spawn(int(count))):
            each._random = stream
        return found

    def normal(self, shape, mean=0.0, stddev=1.0, dtype="float32", name=None):
        found = self._random.standard_normal(integers(shape), np.float32)
        return _core.add(_core.multiply(found, stddev), mean)

    def truncated_normal(self, shape, mean=0.0, stddev=1.0, dtype="float32", name=None):
        return _core.constant(_truncated(self._random, integers(shape)) * stddev + mean, "float32")

    def uniform(self, shape, minval=0, maxval=None, dtype="float32", name=None):
        return _range(self._random, integers(shape), minval, maxval, as_dtype(dtype))

    def uniform_full_int(self, shape, dtype="uint64", name=None):
        return _range(self._random, integers(shape), 0, 2**31 - 1, as_dtype(dtype))

    def binomial(self, shape, counts, probs, dtype="int32", name=None):
        found = self._random.binomial(np.asarray(counts), np.asarray(probs), integers(shape))
        return _core.constant(found, as_dtype(dtype).name)

    def make_seeds(self, count=1):
        return _core.constant(self._random.integers(2**31 - 1, size=(2, int(count))), "int64")


_global: list = []


def get_global_generator() -> Generator:
    """The generator of the process."""
    if not _global:
        _global.append(Generator())
    return _global[0]


def set_global_generator(generator: Generator) -> None:
    _global[:] = [generator]


class Algorithm:
    """Names that are accepted; the streams are NumPy's."""

    PHILOX, THREEFRY, AUTO_SELECT = 1, 2, 3


_missing.lazy(globals(), {})
