"""plimsoll.serve starts the server, and plimsoll.report takes Datasets."""
import json
import os
import sys

import numpy as np
import pytest

import plimsoll
import plimsoll.tensorflow as tf
from plimsoll import keras

SERVER = f"""#!{sys.executable}
import json, os, sys, time
if sys.argv[2] == "1":
    sys.exit("port 1 cannot be had")
open("asked.json", "w").write(json.dumps([os.getpid(), *sys.argv[1:]]))
print("looking at", sys.argv[1], flush=True)
print("http://127.0.0.1:4711/<secret>/", flush=True)
time.sleep(600)
"""


@pytest.fixture
def program(tmp_path, monkeypatch):
    """A server in PATH that notes what it was asked for; its folder."""
    (tmp_path / "plimsoll-serve").write_text(SERVER)
    (tmp_path / "plimsoll-serve").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def is_running(pid: int) -> bool:
    return os.path.exists(f"/proc/{pid}")


def test_the_server_runs_until_it_is_stopped(program):
    with plimsoll.serve(program, port=8080) as server:
        pid, folder, port = json.loads((program / "asked.json").read_text())
        assert (folder, port) == (str(program), "8080") and is_running(pid)
        assert server.address == "http://127.0.0.1:4711/<secret>/"
        assert "&lt;secret&gt;" in server._repr_html_() and server.address in repr(server)
    assert not is_running(pid)
    server = plimsoll.serve()
    pid, folder, port = json.loads((program / "asked.json").read_text())
    assert (folder, port) == (".", "0")
    del server
    assert not is_running(pid)


def test_what_cannot_be_served_is_said(program, monkeypatch):
    with pytest.raises(OSError, match="port 1 cannot be had"):
        plimsoll.serve(port=1)
    with pytest.raises(ValueError, match="found 70000"):
        plimsoll.serve(port=70000)
    with pytest.raises(FileNotFoundError, match="no folder 'nowhere'"):
        plimsoll.serve("nowhere")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(FileNotFoundError, match="plimsoll-serve is not there"):
        plimsoll.serve()


def test_a_page_has_the_predictions_of_a_dataset(tmp_path):
    run = tmp_path / "run"
    run.mkdir()
    (run / "run.json").write_text(json.dumps({"options": {"batch_size": 4, "epochs": 1}, "result": {"status": "done"}}))
    (run / "log.jsonl").write_text(json.dumps({"event": "epoch", "epoch": 1, "metrics": {"loss": 0.25}}) + "\n")
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(3, use_bias=False, activation="softmax")])
    model.set_weights([np.eye(3, dtype="float32") * 9])
    model.compile(loss="sparse_categorical_crossentropy")
    model.save(run / "model.keras")
    arrays = np.eye(3, dtype="float32"), np.array([0, 1, 1])
    pipeline = tf.data.Dataset.from_tensor_slices(arrays).batch(2)
    pages = [open(plimsoll.report(run, validation_data=data)).read() for data in (arrays, pipeline)]
    begin = pages[0].index('"confusion"')
    confusion = pages[0][begin:pages[0].index("]", begin)]
    assert confusion.endswith("1,0,0,0,1,1,0,0,0") and confusion in pages[1]
