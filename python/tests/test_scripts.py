"""Scripts as people write them give the same results on Plimsoll as on the real TensorFlow."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent / "scripts"))

import _peer_results as peer  # noqa: E402
from _used_names import TENSORFLOW_ONLY, used_names  # noqa: E402

SCRIPTS = peer.scripts()
RELATIVE, ABSOLUTE = 1e-4, 1e-5


def differences(ours, theirs, atol=None):
    """One sentence on how an array differs from the expected one, or None."""
    if peer.shape_of(ours) != peer.shape_of(theirs):
        return f"is {peer.shape_of(ours)}, expected {peer.shape_of(theirs)}"
    if ours.dtype.kind != "f":
        return None if np.array_equal(ours, theirs) else f"is {ours}, expected {theirs}"
    if np.allclose(ours, theirs, rtol=RELATIVE, atol=atol or ABSOLUTE, equal_nan=True):
        return None
    distance = np.nan_to_num(np.abs(ours - theirs), nan=np.inf)
    worst = np.unravel_index(np.argmax(distance), ours.shape)
    return f"is {ours[worst]} at {[int(i) for i in worst]}, expected {theirs[worst]}"


def run(script, folder):
    """The results of a script on Plimsoll."""
    result = folder / "results.npz"
    work = folder / "work"
    work.mkdir()
    path = [str(peer.FOLDER / "_startup"), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PLIMSOLL_SCRIPT_RESULTS": str(result),
                   "KERAS_HOME": str(peer.keras_home()), "PYTHONDONTWRITEBYTECODE": "1",
                   "PYTHONPATH": os.pathsep.join(filter(None, path))}
    done = subprocess.run([sys.executable, "-m", "plimsoll", str(script)], cwd=work, timeout=300,
                          env=environment, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, f"ends with {done.returncode}:\n{done.stderr[-3000:]}"
    return peer.read(result)[0]


def real(script):
    """The results on TensorFlow, and their tolerances."""
    path = peer.result_path(script)
    assert path.exists(), f"TensorFlow itself fails:\n{peer.log(script)[-3000:]}"
    return peer.read(path)


@pytest.fixture(scope="session")
def real_results(request):
    """Asks for the real results of all chosen scripts at once."""
    chosen = {item.callspec.params["script"] for item in request.session.items
              if getattr(item, "callspec", None) and "script" in item.callspec.params}
    if peer.REAL_PYTHON.exists():
        peer.compute(sorted(chosen))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_script_gives_what_tensorflow_gives(script, tmp_path, real_results):
    ours = run(script, tmp_path)
    shapes = json.loads(peer.SHAPES.read_text())[script.name]
    assert {name: peer.shape_of(array) for name, array in ours.items()} == shapes
    for name, array in ours.items():
        assert array.dtype.kind != "f" or np.all(np.isfinite(array)), f"{name} is not finite"
    if not peer.REAL_PYTHON.exists():
        pytest.skip("the script ran, and gave arrays of the frozen shapes; their numbers were not compared, because "
                    "the real TensorFlow is not there; make it with ./dev peers")
    theirs, tolerances = real(script)
    found = {name: differences(ours[name], theirs[name], tolerances.get(name)) for name in theirs}
    wrong = [f"{name} {sentence}" for name, sentence in found.items() if sentence]
    assert not wrong, f"{len(wrong)} of {len(theirs)} results differ:\n" + "\n".join(wrong[:20])


@pytest.mark.skipif(not peer.REAL_PYTHON.exists(),
                    reason="the real TensorFlow is not there; make it with ./dev peers")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_frozen_shapes_are_those_of_tensorflow(script, real_results):
    theirs, _ = real(script)
    frozen = json.loads(peer.SHAPES.read_text())[script.name]
    assert {name: peer.shape_of(array) for name, array in theirs.items()} == frozen


def test_there_are_over_sixty_scripts_and_none_knows_plimsoll():
    assert len(SCRIPTS) > 60
    assert [int(script.name[:2]) for script in SCRIPTS] == list(range(1, len(SCRIPTS) + 1))
    assert [script.name for script in SCRIPTS if "plimsoll" in script.read_text()] == []


def test_every_frequent_name_appears_in_a_script():
    used = set().union(*(used_names(script.read_text()) for script in SCRIPTS))
    wanted = (peer.FOLDER / "names.txt").read_text().split()
    assert len(wanted) == 250
    assert TENSORFLOW_ONLY <= set(wanted)
    assert [name for name in wanted if name not in used and name not in TENSORFLOW_ONLY] == []


def test_names_are_found_in_every_way_of_importing_them():
    source = """
import tensorflow as tf
import keras
from tensorflow.keras.layers import Dense as D, Input
from tensorflow.keras import applications
opt = tf.keras.optimizers
opt.SGD(0.1); keras.models.Sequential(); applications.vgg16.VGG16; tf.math.reduce_std
"""
    assert {"keras.layers.Dense", "keras.Input", "keras.optimizers.SGD", "keras.Sequential",
            "keras.applications.<Net>", "tf.reduce_std"} <= used_names(source)
    assert "keras.layers.Dense" not in used_names("import keras\nDense = 1\nDense")


def test_wrong_results_are_found():
    right = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert differences(right, right) is None
    assert differences(right * (1 + 9e-5), right) is None
    assert "is 4.0 at [1, 1], expected 4.002" in differences(right, right + [[0, 0], [0, 0.002]])
    assert "expected float 1x4" in differences(right, right.reshape(1, 4))
    assert "expected int 2x2" in differences(right, right.astype("int32"))
    assert differences(np.array([1, 2]), np.array([1, 3])) is not None
    assert differences(np.array(["a"]), np.array(["b"])) is not None
    assert differences(np.array([np.nan]), np.array([0.0])) is not None
