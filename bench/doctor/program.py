"""Runs the program: writes a Training as files, trains it and asks the doctor."""
import json
import pathlib
import subprocess
import sys
import tempfile
import numpy as np

SCRIPTS = pathlib.Path(__file__).with_name("user_programs.py")


def node_of(names):
    """Where a layer of a graph reads; attention reads its second input as its value."""
    if len(names) == 2 and names[0] == names[1]:
        return [[[names[0], 0, 0, {"value": [names[1], 0, 0]}]]]
    return [[[name, 0, 0, {}] for name in names]]


def model_json(it):
    shape = [None, *it.x.shape[1:]]
    first = {"class_name": "InputLayer", "config": {"batch_input_shape": shape, "name": "in",
                                                    "dtype": "int64" if it.x.dtype.kind == "i" else "float32"}}
    layers = [{"class_name": one["class_name"], "config": {"name": f"{one['class_name'].lower()}_{i}", **one["config"]}}
              for i, one in enumerate(it.layers)]
    if any("from" in one for one in it.layers):
        first.update(name="in", inbound_nodes=[])
        for one, given in zip(layers, it.layers):
            one.update(module="keras.layers", name=one["config"]["name"], inbound_nodes=node_of(given["from"]))
        outputs = list(it.y) if isinstance(it.y, dict) else [layers[-1]["name"]]
        return {"class_name": "Functional", "config": {
            "name": "model", "layers": [first, *layers], "input_layers": [["in", 0, 0]],
            "output_layers": [[name, 0, 0] for name in outputs]}}
    return {"class_name": "Sequential", "config": {"name": "model", "layers": [first, *layers]}}


def write(it, folder):
    model = model_json(it)
    if it.from_logits:
        kind = {"sparse_categorical_crossentropy": "SparseCategoricalCrossentropy",
                "categorical_crossentropy": "CategoricalCrossentropy"}.get(it.loss, it.loss)
        model["compile_config"] = {"optimizer": it.optimizer, "metrics": [it.metrics] if it.metrics else None,
                                   "loss": {"class_name": kind, "config": {"from_logits": True}}}
    (folder / "model.json").write_text(json.dumps(model))
    np.savez(folder / "data.npz", x=it.x, **(it.y if isinstance(it.y, dict) else {"y": it.y}))
    if it.script:
        (folder / "settings.json").write_text(json.dumps({
            "loss": it.loss, "metrics": it.metrics, "optimizer": it.optimizer, "rate": it.rate, "epochs": it.epochs,
            "batch": it.batch, "seed": 0}))


def objective_of(it):
    options = ["--optimizer", it.optimizer, "--learning-rate", str(it.rate)]
    if not it.from_logits:
        options += ["--loss", it.loss]
        if it.metrics:
            options += ["--metrics", it.metrics]
    return options


def run(command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


def train(program, it, folder):
    """Trains into folder/run; returns what was said."""
    if it.script:
        return run([sys.executable, SCRIPTS, it.script], folder)
    model = "model.json"
    if it.base is not None:
        inner = folder / "base"
        inner.mkdir()
        write(it.base, inner)
        train(program, it.base, inner)
        model = "base/run/model.keras"
    options = ["--epochs", str(it.epochs), "--batch-size", str(it.batch), "--out", "run", *it.more]
    if it.split:
        options += ["--validation-split", str(it.split)]
    return run([program, "train", model, "data.npz", *objective_of(it), *options, "--no-checkpoints",
                "--threads", "1"], folder)


def live_causes(folder):
    """What was said while the run went on; None: it was not looked at, as a script is not."""
    run_folder = folder / "run"
    if not (run_folder / "run.json").exists() or "command" not in json.loads((run_folder / "run.json").read_text()):
        return None
    events = map(json.loads, (run_folder / "log.jsonl").read_text().splitlines())
    return [it["cause"] for it in events if it["event"] == "diagnosis"]


def diagnose(program, it):
    """What the doctor says about the run; of a training that is refused, what it says before it."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        write(it, folder)
        trained = train(program, it, folder)
        has_run = (folder / "run" / "run.json").exists()
        what = ["run"] if has_run else ["model.json", "data.npz", *objective_of(it)]
        said = run([program, "doctor", *what, "--json"], folder)
        if said.returncode != 0:
            return {"verdict": "error", "findings": [], "error": said.stderr + trained.stderr}
        return {**json.loads(said.stdout), "live": live_causes(folder)}


def first_cause(diagnosis):
    above = [it for it in diagnosis["findings"] if it["severity"] != "note"]
    return above[0]["cause"] if above else diagnosis.get("error") and "error" or "nothing"
