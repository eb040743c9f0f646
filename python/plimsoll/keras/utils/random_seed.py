"""One seed for Python, NumPy and Plimsoll."""

import random
import sys

import numpy as np


def set_random_seed(seed):
    """Seeds Python's random, NumPy's legacy generator and every random number of Plimsoll."""
    if not isinstance(seed, int):
        raise ValueError(
            f"Expected `seed` argument to be an integer. Received: seed={seed} "
            f"(of type {type(seed)})"
        )
    from plimsoll import _core

    random.seed(seed)
    np.random.seed(seed)
    # A new step numbers its draws from the beginning.
    _core.tick()
    _core.set_random_seed(seed)
    shuffles = sys.modules.get("plimsoll.tensorflow.data._shuffle")
    if shuffles is not None:
        shuffles.restart_seeds()
