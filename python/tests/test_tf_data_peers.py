"""Pipelines of tf.data give what they give under the real TensorFlow."""

import json
import os
import pathlib
import subprocess

import pytest
import tf_data_pipelines

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
REAL_PYTHON = CACHE / "plimsoll" / "peers" / "bin" / "python"


@pytest.fixture(scope="module")
def real():
    if not REAL_PYTHON.exists():
        pytest.skip("the environment of the real TensorFlow is not there; make it with ./dev peers")
    done = subprocess.run(
        [REAL_PYTHON, tf_data_pipelines.__file__, "tensorflow"],
        capture_output=True,
        text=True,
        check=True,
        timeout=900,
    )
    return json.loads(done.stdout)


def _in_no_order(elements):
    return sorted(json.dumps(element, sort_keys=True) for element in elements)


@pytest.mark.parametrize("name", tf_data_pipelines.PIPELINES)
def test_elements_sizes_and_errors_are_those_of_tensorflow(name, real):
    ours = tf_data_pipelines.report_of("plimsoll.tensorflow", [name])[name]
    theirs = real[name]
    assert ours.get("error") == theirs.get("error"), (ours, theirs)
    if "error" in theirs:
        return
    assert ours["cardinality"] == theirs["cardinality"]
    for part in ("elements", "again"):
        if name.startswith("shuffled"):
            assert _in_no_order(ours[part]) == _in_no_order(theirs[part])
        else:
            assert ours[part] == theirs[part]


@pytest.mark.parametrize("name", tf_data_pipelines.PIPELINES)
def test_specs_are_those_of_tensorflow(name, real):
    ours = tf_data_pipelines.report_of("plimsoll.tensorflow", [name])[name]
    if "spec" in real[name]:
        assert ours["spec"] == real[name]["spec"]
