"""Configs are those that the real Keras writes for the same arguments."""
import json
import pathlib
import subprocess

import numpy as np
import pytest

from plimsoll.keras import _signatures
from plimsoll.keras._signatures import MODULE_OF_KIND
from test_classes import ROWS, example, needed_arguments, parameters_of
from test_signatures import REAL_PYTHON

# Keys whose values are of the moment, or that only the real Keras writes.
LEFT_OUT = frozenset(("name", "dtype", "seed", "fn"))

# Keras refuses a config of its own making: that of the RandomShear inside the example.
NOT_READ_BY_KERAS = frozenset(("Pipeline",))
# Layers that the engine reads for predicting alone: it does not write how they train.
WRITTEN_IN_PART = frozenset((
    "AugMix", "CutMix", "Equalization", "MixUp", "RandAugment", "RandomElasticTransform",
    "RandomPerspective"))


def comparable(value):
    """Without module paths; numbers as float32 holds them, one axis as a number."""
    if isinstance(value, dict) and "class_name" in value:
        return [value["class_name"], comparable(value.get("config"))]
    if isinstance(value, dict):
        value = {key: comparable(item) for key, item in value.items() if key not in LEFT_OUT}
        axis = value.get("axis")
        return {**value, "axis": axis[0]} if isinstance(axis, list) and len(axis) == 1 else value
    if isinstance(value, list):
        return [comparable(item) for item in value]
    return float(np.float32(value)) if isinstance(value, float) else value


@pytest.mark.skipif(not REAL_PYTHON.exists(),
                    reason="the real Keras is not there; ./dev peers installs it")
def test_configs_are_those_of_the_real_keras():
    rows = [row for row in ROWS if parameters_of(*row) is not None]
    wanted = [[MODULE_OF_KIND[kind], _signatures.main_name(MODULE_OF_KIND[kind], name),
               needed_arguments(kind, name)] for kind, name in rows]
    done = subprocess.run([REAL_PYTHON, "configs_peer.py"], cwd=pathlib.Path(__file__).parent,
                          input=json.dumps(wanted), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-2000:]
    different = {}
    for row, real in zip(rows, json.loads(done.stdout.splitlines()[-1]), strict=True):
        if isinstance(real, str):
            assert row[1] in NOT_READ_BY_KERAS, real
            continue
        said, real = comparable(example(*row).get_config()), comparable(real)
        if row[1] in WRITTEN_IN_PART:
            real = {key: value for key, value in real.items() if key in said}
        if said != real:
            different[row[1]] = {key: (said.get(key), real.get(key)) for key in {*said, *real}
                                 if said.get(key) != real.get(key)}
    assert different == {}
