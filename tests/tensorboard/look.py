"""Asks a TensorBoard that runs, over HTTP, for what a run has shown it; ends with 1 and a sentence where that differs.

    look.py ADDRESS photos RUN         a run of images: everything that is shown of a run
    look.py ADDRESS python RUN         the same, of a run of photos.json by keras.callbacks.TensorBoard
    look.py ADDRESS same RUN OTHER     each number of RUN is there once, and is that of OTHER
"""

import json
import sys
import time
import urllib.parse
import urllib.request

address = sys.argv[1]


def ask(path, body=None, **query):
    url = f"{address}/data/{path}" + ("?" + urllib.parse.urlencode(query) if query else "")
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"} if data else {})
    with urllib.request.urlopen(request, timeout=60) as reply:
        return reply.read()


def found(path, body=None, **query):
    return json.loads(ask(path, body, **query))


def expect(is_so, sentence):
    if not is_so:
        raise SystemExit(f"look.py: {sentence}")


def events(run):
    with open(f"{run}/log.jsonl") as log:
        return [json.loads(line) for line in log]


def epochs_of(run):
    return [event for event in events(run) if event["event"] == "epoch"]


def name_of(run, part=""):
    return "/".join([run.removeprefix("runs/"), "tensorboard", part]).rstrip("/")


def scalars(run, tag):
    return [(step, value) for _, step, value in found("plugin/scalars/scalars", run=run, tag=tag)]


def is_near(a, b):
    return abs(a - b) <= 1e-6 * max(1, abs(a), abs(b))


def wait_until(is_so, sentence):
    """TensorBoard reads files now and then."""
    for _ in range(120):
        try:
            if is_so():
                return
        except (urllib.error.HTTPError, KeyError):
            pass
        time.sleep(0.5)
    expect(False, sentence)


def look_at_scalars(run):
    epochs = epochs_of(run)
    wait_until(lambda: len(scalars(name_of(run, "train"), "epoch_loss")) == len(epochs),
               f"{run}: expected {len(epochs)} points of epoch_loss")
    for folder, prefix in (("train", ""), ("validation", "val_")):
        for metric in ("loss", "accuracy"):
            points = scalars(name_of(run, folder), f"epoch_{metric}")
            expect([step for step, _ in points] == list(range(len(epochs))), f"{folder}: steps {points}")
            for (_, value), epoch in zip(points, epochs):
                expect(is_near(value, epoch["metrics"][prefix + metric]), f"{metric}: {value} and {epoch}")
    for tag in ("epoch_learning_rate", "memory/resident_MiB", "memory/planned_peak_MiB",
                "throughput/samples_per_second"):
        points = scalars(name_of(run, "train"), tag)
        expect(len(points) == len(epochs) and all(value > 0 for _, value in points), f"{tag}: {points}")
    sampled = [event for event in events(run) if event["event"] == "statistics"]
    points = scalars(name_of(run, "steps"), "step_loss")
    expect([step for step, _ in points] == [each["step"] for each in sampled], f"step_loss: {points}")


def look_at_histograms(run):
    with_counts = [event for event in events(run) if event["event"] == "statistics"
                   and any("weights" in each for each in event["variables"])]
    tags = found("plugin/histograms/tags")[name_of(run, "steps")]
    trained = [each for each in with_counts[0]["variables"] if "weights" in each]
    for variable in trained:
        for kind in ("weights", "gradients"):
            tag = f"{kind}/{variable['layer']}/{variable['name']}"
            expect(tag in tags, f"{tag} is not among {sorted(tags)}")
            shown = found("plugin/histograms/histograms", run=name_of(run, "steps"), tag=tag)
            expect(len(shown) == len(with_counts), f"{tag}: {len(shown)} histograms, {len(with_counts)} in the log")
            total = sum(count for _, _, count in shown[0][2])
            expect(total == variable["elements"], f"{tag}: {total} numbers, expected {variable['elements']}")


def look_at_graph(run):
    info = found("plugin/graphs/info")[name_of(run, "train")]
    expect(info["run_graph"], f"{run} has no graph: {info}")
    text = ask("plugin/graphs/graph", run=name_of(run, "train"), conceptual="false").decode()
    with open("photos.json") as file:
        layers = [layer["config"]["name"] for layer in json.load(file)["config"]["layers"]
                  if layer["class_name"] != "InputLayer"]
    expect(text.count('op: "InputLayer"') == 1, f"the graph does not begin with one input: {text[:2000]}")
    for layer in layers:
        expect(f"name: \"{layer}\"" in text, f"the graph has no {layer}: {text[:2000]}")
    expect(text.count("input:") >= len(layers), f"the graph has too few edges: {text[:2000]}")


def look_at_hyper_parameters(run, model):
    experiment = found("plugin/hparams/experiment", {"experimentName": ""})
    names = {each["name"] for each in experiment["hparamInfos"]}
    expect({"batch_size", "epochs", "learning_rate", "optimizer", "model"} <= names, f"hparams are {names}")
    wanted = {"startIndex": 0, "sliceSize": 100, "allowedStatuses": [
        "STATUS_UNKNOWN", "STATUS_SUCCESS", "STATUS_FAILURE", "STATUS_RUNNING"],
        "colParams": [{"hparam": name} for name in names]}
    groups = found("plugin/hparams/session_groups", wanted)["sessionGroups"]
    mine = [group for group in groups if group["hparams"].get("model") == model]
    expect(len(mine) == 1, f"expected one session of {run}: {groups}")
    expect(mine[0]["hparams"]["batch_size"] == 32 and mine[0]["hparams"]["epochs"] == 3, f"{mine[0]['hparams']}")
    expect(mine[0]["sessions"][0]["status"] == "STATUS_SUCCESS", f"{mine[0]['sessions']}")


def look_at_bad_records(run):
    with open(f"{run}/quarantine.jsonl") as file:
        bad = [json.loads(line) for line in file]
    texts = found("plugin/text/tags")[name_of(run)]
    shown = " ".join(found("plugin/text/text", run=name_of(run), tag=tag)[0]["text"] for tag in texts)
    for record in bad:
        expect(record["path"].split("/")[-1] in shown, f"{record['path']} is not among the texts: {shown[:2000]}")
    images = found("plugin/images/tags")[name_of(run)]
    pictures = 0
    for tag in images:
        sample = found("plugin/images/images", run=name_of(run), tag=tag, sample=0)[0]
        data = ask("plugin/images/individualImage?" + sample["query"])
        expect(data[:2] == b"\xff\xd8" or data[:4] == b"\x89PNG", f"{tag}: {data[:20]}")
        pictures += 1
    expect(pictures > 0, "no picture of a bad record is shown")


def look_at_photos(run):
    look_at_scalars(run)
    look_at_histograms(run)
    look_at_graph(run)
    look_at_hyper_parameters(run, "photos.json")
    look_at_bad_records(run)


def look_at_same(run, other):
    """Numbers that depend on the run alone."""
    epochs = epochs_of(other)
    for folder in ("train", "validation"):
        def numbers(which):
            return scalars(name_of(which, folder), "epoch_loss")
        wait_until(lambda: numbers(run) == numbers(other) != [],
                   f"{folder}: {run} and {other} differ: {numbers(run)} {numbers(other)}")
        expect([step for step, _ in numbers(run)] == list(range(len(epochs))), f"{folder}: {numbers(run)}")
    steps = {which: scalars(name_of(which, "steps"), "step_loss") for which in (run, other)}
    expect(steps[run] == steps[other], f"steps: {steps}")


def look_at_findings(run):
    """The warning that records are left out, which the engine has said, is there as text."""
    texts = [tag for tag in found("plugin/text/tags")[name_of(run)] if tag.startswith("findings/")]
    shown = " ".join(found("plugin/text/text", run=name_of(run), tag=tag)[0]["text"] for tag in texts)
    expect("left out" in shown, f"no finding says that records are left out: {shown[:1000]}")


def look_at_python(run):
    look_at_scalars(run)
    look_at_histograms(run)
    look_at_graph(run)
    look_at_hyper_parameters(run, "shapes")
    look_at_bad_records(run)
    look_at_findings(run)


if sys.argv[2] == "photos":
    look_at_photos(sys.argv[3])
elif sys.argv[2] == "python":
    look_at_python(sys.argv[3])
else:
    look_at_same(*sys.argv[3:5])
