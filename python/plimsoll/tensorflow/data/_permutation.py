"""A shuffle without a list: the engine's keyed permutation, for arrays of numbers."""

import numpy as np

_ROUNDS = 6
_MASK = (1 << 64) - 1


def _mix(x: int) -> int:
    x = (x + 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def _mix_all(x: np.ndarray) -> np.ndarray:
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def shuffle_key(seed: int, number: int) -> int:
    """The key of one pass over the data."""
    return _mix((_mix(seed & _MASK) + number) & _MASK)


class Permutation:
    """A bijection of [0, size) that is computed number by number."""

    def __init__(self, size: int, key: int):
        self._size = size
        self._key = np.uint64(key)
        self._half_bits = (max(size - 1, 1).bit_length() + 1) // 2

    def _encrypt(self, x: np.ndarray) -> np.ndarray:
        half = np.uint64(self._half_bits)
        mask = np.uint64((1 << self._half_bits) - 1)
        left, right = x >> half, x & mask
        for number in range(_ROUNDS):
            mixed = _mix_all(right * np.uint64(_ROUNDS) + np.uint64(number))
            left, right = right, left ^ (_mix_all(self._key + mixed) & mask)
        return left << half | right

    def __call__(self, numbers: np.ndarray) -> np.ndarray:
        """Where each number goes."""
        x = self._encrypt(np.asarray(numbers).astype(np.uint64))
        # The cipher's domain is larger than [0, size): walking on until all are inside keeps the
        # bijection.
        outside = np.flatnonzero(x >= self._size)
        while outside.size:
            x[outside] = self._encrypt(x[outside])
            outside = outside[x[outside] >= self._size]
        return x.astype(np.int64)
