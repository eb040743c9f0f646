"""plimsoll.report and plimsoll.compare write pages about the folders of runs."""
import json

import numpy as np
import pytest

import plimsoll
from plimsoll import keras


X, Y = np.eye(3, dtype="float32"), np.array([0, 1, 2])


@pytest.fixture
def run(tmp_path):
    """The folder of a run that fit has left; its model answers with its input."""
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(3, use_bias=False, activation="softmax")])
    model.set_weights([np.eye(3, dtype="float32") * 9])
    model.compile(keras.optimizers.SGD(0.0), "sparse_categorical_crossentropy")
    model.fit(X, Y, verbose=0, run=tmp_path / "run")
    return tmp_path / "run"


def data_of(path):
    """The JSON in the page."""
    text = open(path, encoding="utf-8").read()
    begin = text.index('id="run-data">') + len('id="run-data">')
    return json.loads(text[begin:text.index("</script>", begin)])


def test_a_page_says_what_it_was_not_given(run):
    path = plimsoll.report(run)
    assert path == str(run / "report.html")
    page = data_of(path)["runs"][0]
    assert page["outcome"].startswith("Done: 1 epoch in ") and "; last loss 0.000" in page["outcome"]
    assert "was not given" in page["predictions"]["missing"]
    assert page["model"]["parameters"] == 9
    assert page["plan"]["peak_bytes"] > 0


def test_a_page_has_the_predictions_of_arrays(run, tmp_path):
    y = np.array([0, 1, 1])
    path = plimsoll.report(run, tmp_path / "page.html", training_data=(X, y), validation_data=(X, y), class_names=["a", "b", "c"])
    page = data_of(path)["runs"][0]
    assert page["predictions"]["confusion"] == [1, 0, 0, 0, 1, 1, 0, 0, 0]
    assert [(it["actual"], it["predicted"]) for it in page["predictions"]["worst"]] == [("b", "c")]


def test_runs_are_compared(run, tmp_path):
    path = plimsoll.compare([run, run], tmp_path / "compare.html")
    assert [it["status"] for it in data_of(path)["runs"]] == ["done", "done"]


def test_a_folder_that_is_no_run_is_refused(tmp_path):
    with pytest.raises(plimsoll.InvalidArgument, match="is not the folder of a run"):
        plimsoll.report(tmp_path)
