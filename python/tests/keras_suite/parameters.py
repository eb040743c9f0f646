"""What Keras's tests make their cases and their data with."""
import itertools

import numpy as np
import pytest


def _shown(value) -> str:
    return getattr(value, "__name__", str(value)).lower()


def named_product(*cases, **values) -> list[dict]:
    """Every combination of one dict of each list and one value of each keyword, with a name made of theirs."""
    lists = list(cases)
    lists += [[{"testcase_name": _shown(value), key: value} for value in of_key]
              for key, of_key in values.items()]
    combinations = []
    # The first list varies fastest.
    for reversed_parts in itertools.product(*reversed(lists)):
        parts = reversed_parts[::-1]
        merged = {key: value for part in parts for key, value in part.items()}
        merged["testcase_name"] = "_".join(part["testcase_name"] for part in parts)
        combinations.append(merged)
    return combinations


def get_test_data(train_samples, test_samples, input_shape, num_classes, random_seed=None):
    """Classes of samples around a centre each: (x, y) to train with, and (x, y) to test with."""
    random = np.random.default_rng(random_seed)
    centres = 2 * num_classes * random.random((num_classes, *input_shape))

    def samples(count: int) -> tuple:
        y = random.permutation(np.arange(count) % num_classes)
        x = centres[y] + random.normal(size=(count, *input_shape))
        return x.astype("float32"), y

    return samples(train_samples), samples(test_samples)


def skip_if_backend(name: str, reason: str):
    """A mark for tests that one backend of Keras cannot run."""
    from plimsoll.keras import backend

    return pytest.mark.skipif(backend.backend() == name, reason=reason)
