"""Learning rate schedules made from their configs: the rate of many steps."""

import json

import keras
import numpy as np

from golden_file import Case

S = keras.optimizers.schedules

SCHEDULES = {
    "exponential": S.ExponentialDecay(0.1, 10, 0.5),
    "exponential_staircase": S.ExponentialDecay(0.1, 10, 0.9, staircase=True, name="stairs"),
    "exponential_half_steps": S.ExponentialDecay(0.1, 7.5, 0.5),
    "inverse_time": S.InverseTimeDecay(0.1, 10, 0.5),
    "inverse_time_staircase": S.InverseTimeDecay(0.1, 10, 0.5, staircase=True),
    "polynomial": S.PolynomialDecay(0.1, 10),
    "polynomial_power": S.PolynomialDecay(0.1, 10, end_learning_rate=0.01, power=2.5),
    "polynomial_cycle": S.PolynomialDecay(0.1, 10, end_learning_rate=0.01, power=0.5, cycle=True),
    "piecewise": S.PiecewiseConstantDecay([3, 10], [0.1, 0.05, 0.01]),
    "piecewise_one": S.PiecewiseConstantDecay([5], [1.0, 0.5]),
    "cosine": S.CosineDecay(0.1, 10),
    "cosine_alpha": S.CosineDecay(0.1, 10, alpha=0.2),
    "cosine_warmup": S.CosineDecay(0.0, 20, warmup_target=0.1, warmup_steps=5),
    "cosine_warmup_alpha": S.CosineDecay(0.01, 20, alpha=0.1, warmup_target=0.1, warmup_steps=5),
    "cosine_no_warmup_steps": S.CosineDecay(0.01, 20, warmup_target=0.1),
    "restarts": S.CosineDecayRestarts(0.1, 10),
    "restarts_equal": S.CosineDecayRestarts(0.1, 10, t_mul=1.0, m_mul=0.5, alpha=0.1),
    "restarts_all": S.CosineDecayRestarts(0.1, 5, t_mul=1.5, m_mul=0.8, alpha=0.05),
}
STEPS = np.array([*range(80), 100, 149, 150, 151, 309, 310, 311, 1000, 123456])


def cases():
    for name, schedule in SCHEDULES.items():
        case = Case(name, {"config": json.dumps(keras.saving.serialize_keras_object(schedule))})
        case.add("steps", STEPS)
        case.add("rates", [float(schedule(keras.Variable(int(step), dtype="int64"))) for step in STEPS])
        yield case
