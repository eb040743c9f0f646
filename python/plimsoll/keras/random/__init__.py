"""keras.random: random tensors. They depend on the seed of the process and on the step."""
import numpy as np

from plimsoll import _core, _missing


class SeedGenerator:
    """A source of seeds; draws with the same seed and number of draws are equal."""

    def __init__(self, seed=None, name=None, **kwargs):
        self._initial = int(np.random.default_rng().integers(2**31)) if seed is None else int(seed)
        self.seed = self._initial
        self._draws = 0

    def next(self, ordered=True):
        self._draws += 1
        return np.array([self._initial, self._draws])

    def checkpoint_state(self) -> dict:
        """What tf.train.Checkpoint keeps of it."""
        return {"seed": self._initial, "draws": self._draws}

    def set_checkpoint_state(self, state: dict) -> None:
        self._initial = self.seed = state["seed"]
        self._draws = state["draws"]

    def get_config(self) -> dict:
        return {"seed": self._initial}


def _generator(seed):
    """NumPy's generator for an explicit seed; None if the engine draws."""
    if seed is None:
        return None
    return np.random.default_rng(seed.next() if isinstance(seed, SeedGenerator) else int(seed))


def normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    generator = _generator(seed)
    if generator is None:
        return _core.random_normal(shape, float(mean), float(stddev))
    return _core.constant(generator.normal(mean, stddev, shape), "float32")


def uniform(shape, minval=0.0, maxval=1.0, dtype=None, seed=None):
    generator = _generator(seed)
    if generator is None:
        return _core.random_uniform(shape, float(minval), float(maxval))
    return _core.constant(generator.uniform(minval, maxval, shape), "float32")


def randint(shape, minval, maxval, dtype="int32", seed=None):
    found = _core.floor(uniform(shape, float(minval), float(maxval), seed=seed))
    return _core.cast(_core.clip(found, float(minval), float(maxval) - 1), _core.dtype_name(dtype))


def truncated_normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None):
    """Normal numbers less than two deviations from the mean."""
    generator = _generator(seed) or np.random.default_rng()
    found = generator.normal(size=shape)
    while (far := np.abs(found) > 2).any():
        found[far] = generator.normal(size=int(far.sum()))
    return _core.constant(found * stddev + mean, "float32")


def categorical(logits, num_samples, dtype="int32", seed=None):
    """Classes drawn by their logits."""
    logits = _core.constant(logits)
    noise = uniform((*logits.shape[:1], int(num_samples), logits.shape[-1]), 1e-7, 1.0, seed=seed)
    gumbel = _core.negative(_core.log(_core.negative(_core.log(noise))))
    return _core.cast(_core.argmax(_core.expand_dims(logits, 1) + gumbel, -1), _core.dtype_name(dtype))


def dropout(inputs, rate, noise_shape=None, seed=None):
    return _core.dropout(inputs, float(rate))


def shuffle(x, axis=0, seed=None):
    """The parts of a tensor along an axis in another order."""
    x = _core.constant(x)
    generator = _generator(seed) or np.random.default_rng(
        int(np.asarray(_core.random_uniform((1,)))[0] * 2**31))
    return _core.take(x, generator.permutation(x.shape[axis]).astype(np.int32), axis)


def gamma(shape, alpha, dtype=None, seed=None):
    generator = _generator(seed) or np.random.default_rng()
    return _core.constant(generator.gamma(alpha, size=shape), "float32")


def binomial(shape, counts, probabilities, dtype=None, seed=None):
    generator = _generator(seed) or np.random.default_rng()
    return _core.constant(generator.binomial(counts, probabilities, shape), "float32")


def beta(shape, alpha, beta, dtype=None, seed=None):
    generator = _generator(seed) or np.random.default_rng()
    return _core.constant(generator.beta(alpha, beta, shape), "float32")


_missing.told(globals())
