"""plimsoll.report and plimsoll.compare write pages about the folders of runs."""
import json

import numpy as np
import pytest

import plimsoll
import plimsoll.tensorflow as tf
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
    assert page["predictions"]["missing"] == (
        "The data of the run was not given; it is that of the program that has trained the run.")
    assert page["model"]["parameters"] == 9
    assert page["plan"]["peak_bytes"] > 0


def test_a_page_has_the_predictions_of_arrays(run, tmp_path):
    y = np.array([0, 1, 1])
    path = plimsoll.report(run, tmp_path / "page.html", training_data=(X, y), validation_data=(X, y), class_names=["a", "b", "c"])
    page = data_of(path)["runs"][0]
    assert page["predictions"]["confusion"] == [1, 0, 0, 0, 1, 1, 0, 0, 0]
    assert [(it["actual"], it["predicted"]) for it in page["predictions"]["worst"]] == [("b", "c")]


def moons():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(400, 4)).astype("float32")
    return x, (x[:, 0] * x[:, 1] > 0).astype("float32")[:, None]


def classifier(rate, *layers):
    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.Input((4,)), *layers, keras.layers.Dense(32, "relu"), keras.layers.Dense(1, "sigmoid")])
    model.compile(keras.optimizers.Adam(rate), "binary_crossentropy", ["accuracy"])
    return model


def causes(found):
    return [it["cause"] for it in found]


def test_a_page_says_what_the_doctor_finds_in_the_folder(tmp_path):
    x, y = moons()
    classifier(1e-7).fit(x, y, epochs=6, verbose=0, run=tmp_path / "slow")
    page = data_of(plimsoll.report(tmp_path / "slow"))["runs"][0]["diagnosis"]
    assert page["verdict"] == "poor" and causes(page["causes"])[0] == "learning_rate_low"
    assert page["how"] == "its log and its model are looked at, and not its data"


def test_a_page_says_what_the_doctor_finds_in_the_data(tmp_path):
    x, _ = moons()
    y = np.ones((400, 1), "float32")
    classifier(0.01).fit(x, y, epochs=2, verbose=0, run=tmp_path / "alike")
    without = data_of(plimsoll.report(tmp_path / "alike"))["runs"][0]["diagnosis"]
    page = data_of(plimsoll.report(tmp_path / "alike", training_data=(x, y)))["runs"][0]["diagnosis"]
    assert page["how"] == "its log, its model and its data are looked at"
    assert "class_imbalance" in causes(page["causes"]) and "class_imbalance" not in causes(without["causes"])


def test_a_page_says_that_a_stream_is_not_read(run):
    batches = tf.data.Dataset.from_generator(lambda: iter([(X, Y)]), output_signature=(
        tf.TensorSpec((None, 3), tf.float32), tf.TensorSpec((None,), tf.int64)))
    page = data_of(plimsoll.report(run, training_data=batches))["runs"][0]
    assert page["balance"]["missing"] == (
        "The training data is a stream, which is not read for a page; arrays can be given.")
    assert page["diagnosis"]["how"] == "its log and its model are looked at, and not its data, which is a stream"


def test_a_page_names_the_arguments_of_python(tmp_path):
    x, y = moons()
    classifier(3.0).fit(x, y, epochs=30, verbose=0, run=tmp_path / "wild", doctor=True)
    page = data_of(plimsoll.report(tmp_path / "wild"))["runs"][0]
    told = [it["option"] for it in page["told"] if it["cause"] == "learning_rate_high"]
    assert len(told) == 1 and told[0].startswith("learning_rate=")
    options = [it["option"] for it in page["diagnosis"]["causes"]]
    assert any(options) and not [it for it in options if it.startswith("--")]


class Doubled(keras.layers.Layer):
    """A layer of the program, which the engine alone cannot load."""

    def call(self, x):
        return 2 * x


def test_the_doctor_looks_at_a_model_that_no_file_holds(tmp_path):
    x, y = moons()
    model = classifier(1e-7, Doubled())
    model.fit(x, y, epochs=6, verbose=0, run=tmp_path / "own")
    page = data_of(plimsoll.report(tmp_path / "own"))["runs"][0]
    assert "Doubled" in page["model"]["missing"]
    assert page["diagnosis"]["how"].startswith("only its log is looked at, because its model cannot be: ")
    page = data_of(plimsoll.report(tmp_path / "own", model=model))["runs"][0]["diagnosis"]
    assert page["how"] == "its log and its model are looked at, and not its data"
    assert causes(page["causes"])[0] == "learning_rate_low"


def test_what_fit_finds_is_recorded_and_shown(tmp_path, capfd):
    x, y = moons()
    classifier(3.0).fit(x, y, epochs=30, verbose=0, run=tmp_path / "wild", doctor=True)
    assert capfd.readouterr().err.count("learning_rate_high") == 1
    events = [json.loads(line) for line in open(tmp_path / "wild/log.jsonl", encoding="utf-8")]
    assert [it["cause"] for it in events if it["event"] == "diagnosis"].count("learning_rate_high") == 1
    page = data_of(plimsoll.report(tmp_path / "wild"))["runs"][0]
    assert "learning_rate_high" in causes(page["told"])
    classifier(3.0).fit(x, y, epochs=30, verbose=0, run=tmp_path / "unwatched")
    assert data_of(plimsoll.report(tmp_path / "unwatched"))["runs"][0]["told"] == []


def test_runs_are_compared(run, tmp_path):
    path = plimsoll.compare([run, run], tmp_path / "compare.html")
    assert [it["status"] for it in data_of(path)["runs"]] == ["done", "done"]


def test_a_folder_that_is_no_run_is_refused(tmp_path):
    with pytest.raises(plimsoll.InvalidArgument, match="is not the folder of a run"):
        plimsoll.report(tmp_path)
