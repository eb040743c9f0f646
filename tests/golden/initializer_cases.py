"""Initializers draw random numbers, so a golden holds their bounds and moments.

The facts in meta follow from Keras's own settings of the initializer, and a
draw of Keras is held against them here, as a draw of ours is in its test.
"""

import math

import keras
import numpy as np

from golden_file import Case

SHAPES = {"dense": (300, 200), "conv": (3, 3, 40, 80), "tall": (1000, 30), "vector": (4000,)}
SCALED = "glorot_uniform glorot_normal he_uniform he_normal lecun_uniform lecun_normal".split()
PLAIN = "random_normal random_uniform truncated_normal".split()
# Of a normal cut at two standard deviations, this share of the deviation is left.
LEFT_BY_CUT = 0.87962566103423978


def fans(shape):
    if len(shape) == 1:
        return shape[0], shape[0]
    receptive = math.prod(shape[:-2])
    return receptive * shape[-2], receptive * shape[-1]


def scaled_facts(initializer, shape):
    """limit: no value lies beyond it; stddev: of the values themselves."""
    fan_in, fan_out = fans(shape)
    n = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[initializer.mode]
    stddev = math.sqrt(initializer.scale / n)
    cut = initializer.distribution == "truncated_normal"
    return {
        "mode": initializer.mode,
        "scale": initializer.scale,
        "distribution": initializer.distribution,
        "fan_in": fan_in,
        "fan_out": fan_out,
        "stddev": stddev,
        "limit": 2 * stddev / LEFT_BY_CUT if cut else math.sqrt(3) * stddev,
    }


def plain_facts(initializer):
    if isinstance(initializer, keras.initializers.RandomUniform):
        limit = initializer.maxval
        return {"distribution": "uniform", "stddev": limit / math.sqrt(3), "limit": limit}
    if isinstance(initializer, keras.initializers.TruncatedNormal):
        stddev = initializer.stddev
        return {"distribution": "truncated_normal", "stddev": stddev * LEFT_BY_CUT, "limit": 2 * stddev}
    return {"distribution": "normal", "stddev": initializer.stddev}


def random_case(name, initializer, shape, facts):
    values = np.asarray(initializer(shape), np.float64)
    limit = facts.get("limit", math.inf)
    within = 6 / math.sqrt(values.size)  # of the true moments, in standard deviations
    assert np.abs(values).max() <= limit * (1 + 1e-6), f"{name}: a value beyond {limit}"
    assert math.isinf(limit) or np.abs(values).max() > 0.9 * limit, f"{name}: the values stay far from {limit}"
    assert abs(values.mean()) < within * facts["stddev"], f"{name}: mean {values.mean()}"
    assert abs(values.std() / facts["stddev"] - 1) < within, f"{name}: deviation {values.std()}"
    rounded = {k: float(f"{v:.9g}") if isinstance(v, float) else v for k, v in facts.items()}
    return Case(name, {"initializer": type(initializer).__name__, "shape": shape, **rounded})


def orthogonal_case(name, shape, gain):
    """The last axis is the columns; the shorter side is orthonormal times gain."""
    initializer = keras.initializers.Orthogonal(gain=gain, seed=1)
    matrix = np.asarray(initializer(shape), np.float64).reshape(-1, shape[-1])
    rows, columns = matrix.shape
    gram = matrix.T @ matrix if rows >= columns else matrix @ matrix.T
    assert np.abs(gram - gain**2 * np.eye(len(gram))).max() < 1e-5 * gain**2, name
    return Case(name, {"initializer": "Orthogonal", "shape": shape, "gain": gain, "rows": rows, "columns": columns})


def constant_cases():
    for name, initializer in (("zeros", keras.initializers.Zeros()), ("ones", keras.initializers.Ones())):
        case = Case(name, {"initializer": type(initializer).__name__})
        case.add("value", np.asarray(initializer((2, 3))))
        yield case


def seeded(name):
    return type(keras.initializers.get(name))(seed=1)


def cases():
    for name in SCALED:
        for shape_name, shape in SHAPES.items():
            initializer = seeded(name)
            yield random_case(f"{name}_{shape_name}", initializer, shape, scaled_facts(initializer, shape))
    for name in PLAIN:
        initializer = seeded(name)
        yield random_case(f"{name}_dense", initializer, SHAPES["dense"], plain_facts(initializer))
    for shape_name, shape in {"square": (20, 20), "tall": (30, 8), "wide": (8, 30), "conv": (3, 3, 4, 10)}.items():
        yield orthogonal_case(f"orthogonal_{shape_name}", shape, 1.0)
    yield orthogonal_case("orthogonal_gain", (12, 9), 2.5)
    yield from constant_cases()
