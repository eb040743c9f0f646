"""keras.utils and keras.preprocessing compute what the real Keras computes."""
import pathlib
import subprocess

import numpy as np
import pytest

import utils_cases
from plimsoll import keras
from plimsoll.keras.preprocessing import image, sequence, text
from test_signatures import REAL_PYTHON

pytestmark = pytest.mark.skipif(
    not REAL_PYTHON.exists(),
    reason="the environment of the real Keras is not there; make it with ./dev peers")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("folder")
    utils_cases.make_folder(path, keras.utils.save_img)
    return path


@pytest.fixture(scope="module")
def real(tmp_path_factory, folder):
    path = tmp_path_factory.mktemp("real") / "results.npz"
    done = subprocess.run([REAL_PYTHON, "utils_cases.py", str(path), str(folder)], text=True,
                          capture_output=True, cwd=pathlib.Path(__file__).parent, timeout=900)
    assert done.returncode == 0, done.stderr[-2000:]
    return np.load(path)


def test_results_are_those_of_the_real_keras(real, folder):
    ours = utils_cases.results(keras, image, text, sequence)
    ours.update(utils_cases.folder_results(keras, folder))
    assert set(ours) == set(real.files)
    different = []
    for name, value in ours.items():
        theirs = real[name]
        if value.shape != theirs.shape or value.dtype != theirs.dtype:
            different.append(f"{name}: {value.dtype}{value.shape}, {theirs.dtype}{theirs.shape}")
        elif value.dtype.kind != "f":
            different += [] if np.array_equal(value, theirs) else [name]
        elif not np.allclose(value, theirs, rtol=1e-5, atol=2e-3):
            different.append(f"{name}: by {np.abs(value - theirs).max()}")
    assert different == []
