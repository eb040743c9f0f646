"""make_folders.py RUN FOLDER: from the folder of a real run, one with markup in all its texts (FOLDER/hostile) and one of
10,000 epochs and 2,000 layers (FOLDER/large).

make_folders.py --names PHOTOS MODEL FOLDER: photos (FOLDER/named-photos) and a model (FOLDER/named.json) whose names are markup."""
import json
import math
import os
import shutil
import sys
import zipfile

MARKUP = "</script><script>window.hacked = 1</script><img src=x onerror=\"window.hacked=2\"><b data-x>'&\u2028<!--"


def read(folder):
    with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
        run = json.load(file)
    with open(os.path.join(folder, "log.jsonl"), encoding="utf-8") as file:
        return run, [json.loads(line) for line in file]


def write(folder, run, events):
    os.makedirs(folder)
    with open(os.path.join(folder, "run.json"), "w", encoding="utf-8") as file:
        json.dump(run, file, ensure_ascii=False)
    with open(os.path.join(folder, "log.jsonl"), "w", encoding="utf-8") as file:
        file.writelines(json.dumps(it, ensure_ascii=False) + "\n" for it in events)


def spoiled(value, key=""):
    """The same with markup in each text; what the program branches on stays."""
    if isinstance(value, dict):
        return {(name if name in KEYS else name + MARKUP): spoiled(it, name) for name, it in value.items()}
    if isinstance(value, list):
        return [spoiled(it, key) for it in value]
    return value + MARKUP if isinstance(value, str) and key not in ("event", "time", "severity") else value


KEYS = set()


def note_keys(value):
    if isinstance(value, dict):
        for name, it in value.items():
            if name not in ("metrics",):
                KEYS.add(name)
            note_keys(it) if name != "metrics" else KEYS.add("metrics")
    elif isinstance(value, list):
        for it in value:
            note_keys(it)


def hostile(real, folder):
    run, events = read(real)
    note_keys(run)
    note_keys(events)
    run = spoiled(run)
    run["result"]["status"], run["result"]["why"] = "failed", MARKUP
    events = spoiled(events)
    events.append({"event": "finding", "time": "now", "severity": "warning", "where": MARKUP, "what": MARKUP, "remedy": MARKUP})
    # Numbers that are not finite are texts, and a file may hold anything where a number is expected.
    run["result"]["metrics"] = {"loss": "nan", "val_loss": "-inf", "accuracy": True, "mae": [1], MARKUP: {"a": MARKUP}}
    run["result"]["best"] = {"metric": "val_loss", "epoch": "third", "value": "nan"}
    run["result"].update(measured_peak_bytes="much", measured_step_seconds="inf", data_wait_share=MARKUP)
    run["plan"]["peak_bytes"] = "inf"
    write(folder, run, events)
    with open(os.path.join(real, "plan.json"), encoding="utf-8") as file:
        plan = json.load(file)
    plan["names"] = [it + MARKUP for it in plan["names"]]
    with open(os.path.join(folder, "plan.json"), "w", encoding="utf-8") as file:
        json.dump(plan, file)
    with open(os.path.join(real, "profile.json"), encoding="utf-8") as file:
        profile = json.load(file)
    for it in profile["operations"]:
        it["operation"], it["layer"] = it["operation"] + MARKUP, it["layer"] + MARKUP
    profile["operations"] += [3, {"operation": [], "seconds": "inf", "operations": -1, "bytes": {}}]
    with open(os.path.join(folder, "profile.json"), "w", encoding="utf-8") as file:
        json.dump(profile, file)
    with open(os.path.join(folder, "quarantine.jsonl"), "w", encoding="utf-8") as file:
        file.write(json.dumps({"event": "bad_record", "path": "../" * 20 + "etc/passwd" + MARKUP, "reason": MARKUP, "detail": MARKUP, "epoch": 1}) + "\n")


def named(photos, model, folder):
    """The photos of a run, and its model, with markup in the names of classes, records and layers. A name has no slash."""
    for number, name in enumerate(sorted(os.listdir(photos))):
        place = os.path.join(folder, "named-photos", f"{number}<img src=x onerror=window.hacked=3>")
        os.makedirs(place)
        for photo in sorted(os.listdir(os.path.join(photos, name))):
            shutil.copy(os.path.join(photos, name, photo), os.path.join(place, "<b data-x>'&" + photo))
    with open(model, encoding="utf-8") as file:
        config = json.load(file)
    for it in config["config"]["layers"]:
        it["config"]["name"] += "<b data-x>"
    with open(os.path.join(folder, "named.json"), "w", encoding="utf-8") as file:
        json.dump(config, file)


def layer(number):
    return f"block_{number // 8}_dense_{number}"


def large_model(path):
    """2,000 layers. What a page shows of a model needs no weights."""
    layers = [{"class_name": "InputLayer", "config": {"batch_shape": [None, 8], "dtype": "float32", "name": "input"}}]
    layers += [{"class_name": "Dense", "config": {"name": layer(i), "units": 8, "activation": "relu"}} for i in range(2000)]
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("config.json", json.dumps({"class_name": "Sequential", "config": {"name": "large", "layers": layers}}))
        file.writestr("metadata.json", json.dumps({"keras_version": "3.0.0"}))


def large(real, folder):
    run, events = read(real)
    run["plan"]["layers"] = [{"name": layer(i), "weight_bytes": 4096 + i, "gradient_bytes": 4096, "optimizer_bytes": 8192,
                              "activation_bytes": 65536 - i, "scratch_bytes": 128, "live_at_peak_bytes": 1024} for i in range(2000)]
    run["options"]["epochs"], run["result"]["epochs"] = 10_000, 10_000
    events = [it for it in events if it["event"] == "start"]
    for step in [0] + [2 ** i for i in range(14)] + [3 * 2 ** i for i in range(12)]:
        events.append({"event": "statistics", "time": "now", "step": step, "epoch": 0, "loss": 1.0, "learning_rate": 0.001,
                       "layers": [{"layer": layer(i), "activation": "relu", "mean": 0.1, "deviation": 1, "least": 0, "largest": 3 + i / 1000,
                                   "zero_share": 0.5, "saturated_share": 0, "dead_unit_share": (i % 10) / 10, "not_finite": 0} for i in range(2000)],
                       "variables": [{"layer": layer(i), "name": "kernel", "elements": 9, "is_trained": True, "norm": 1 + i / 100,
                                      "gradient_norm": 0.01, "update_norm": 0.001, "gradient_zero_share": 0, "not_finite": 0} for i in range(2000)]})
    for epoch in range(1, 10_001):
        metrics = {name: math.exp(-epoch / 3000) + 0.02 * math.sin(epoch * (1 + k)) for k, name in enumerate(("loss", "val_loss", "accuracy", "val_accuracy"))}
        events.append({"event": "epoch", "time": "now", "epoch": epoch, "metrics": metrics, "samples": 60000, "seconds": 2.5, "resident_bytes": 10 ** 8})
    write(folder, run, events)
    plan = {"format": 1, "arena_bytes": 4096 * 64, "operations": 20000, "joined": 10, "peak": 1000,
            "kinds": ["activation", "gradient", "weight gradient", "update", "scratch"], "names": [layer(i) for i in range(2000)] + ["convolution", "float32 (32, 28, 28, 64)"],
            "moments": [[2000, i % 2000, 10 ** 5 + i, 1000] for i in range(2000)],
            "buffers": [[i % 5, 2000, i % 2000, 2001, (i % 64) * 4096, 4096, i // 3, min(1999, i // 3 + i % 50)] for i in range(4096)],
            "left_out": {"buffers": 9000, "bytes": 10 ** 6}, "layer_nanoseconds": [[i, 1000 + i] for i in range(2000)]}
    with open(os.path.join(folder, "plan.json"), "w", encoding="utf-8") as file:
        json.dump(plan, file)


def large_profile(folder):
    rows = [{"operation": "conv2d", "layer": layer(i), "gradient_of": "", "calls": 1, "seconds": 1e-4 + i * 1e-7, "operations": 1e6 * (1 + i % 50), "bytes": 1e5, "share_of_machine": 0.5}
            for i in range(2000)]
    with open(os.path.join(folder, "profile.json"), "w", encoding="utf-8") as file:
        json.dump({"steps": 20, "batch_size": 32, "step_seconds": 0.5, "wait_seconds": 0, "operations": rows,
                   "machine": {"is_measured": True, "operations_per_second": 1e11, "bytes_per_second": 2e10}}, file)


def main():
    if sys.argv[1] == "--names":
        return named(*sys.argv[2:5])
    real, folder = sys.argv[1:3]
    hostile(real, os.path.join(folder, "hostile"))
    large(real, os.path.join(folder, "large"))
    large_profile(os.path.join(folder, "large"))
    large_model(os.path.join(folder, "large", "model.keras"))
    shutil.copy(os.path.join(real, "model.keras"), os.path.join(folder, "hostile", "model.keras"))


main()
