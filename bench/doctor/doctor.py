"""Trains sound and faulty models with the program and compares what the doctor says with what is wrong with them.
doctor.py PROGRAM [--seeds N] [--only TEXT] [--json FILE] [--markdown FILE]"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import cases


def write(it, folder):
    layers = [{"class_name": "InputLayer", "config": {"batch_input_shape": [None, *it.x.shape[1:]], "name": "in"}}]
    for i, one in enumerate(it.layers):
        layers.append({"class_name": one["class_name"],
                       "config": {"name": f"{one['class_name'].lower()}_{i}", **one["config"]}})
    model = {"class_name": "Sequential", "config": {"name": "model", "layers": layers}}
    (folder / "model.json").write_text(json.dumps(model))
    np.savez(folder / "data.npz", x=it.x, y=it.y)


def diagnose(program, it):
    """The diagnosis and the result of the run; of a training that is refused, what the doctor says before it."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        write(it, folder)
        objective = ["--loss", it.loss, "--optimizer", it.optimizer, "--learning-rate", str(it.rate)]
        if it.metrics:
            objective += ["--metrics", it.metrics]
        options = ["--epochs", str(it.epochs), "--batch-size", str(it.batch), "--out", "run", *it.more]
        if it.split:
            options += ["--validation-split", str(it.split)]
        trained = subprocess.run([program, "train", "model.json", "data.npz", *objective, *options, "--no-checkpoints"],
                                 cwd=folder, capture_output=True, text=True)
        has_run = (folder / "run" / "run.json").exists()
        what = ["run"] if has_run else ["model.json", "data.npz", *objective[:6]]
        said = subprocess.run([program, "doctor", *what, "--json"], cwd=folder, capture_output=True, text=True)
        if said.returncode != 0:
            return {"verdict": "error", "findings": [], "error": said.stderr + trained.stderr}
        return json.loads(said.stdout)


def first_cause(diagnosis):
    above = [it for it in diagnosis["findings"] if it["severity"] != "note"]
    return above[0]["cause"] if above else diagnosis.get("error") and "error" or "nothing"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--json")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--markdown")
    given = parser.parse_args()
    program = str(pathlib.Path(given.program).resolve())
    rows = []
    todo = [("healthy", model) for model in cases.HEALTHY]
    todo += [(name, model) for name, (_, models, _) in cases.FAULTS.items() for model in models]
    for name, model in todo:
        if given.only not in f"{name}/{model}":
            continue
        for seed in range(given.first_seed, given.first_seed + given.seeds):
            diagnosis = diagnose(program, cases.make(name, model, seed))
            wanted = "nothing" if name == "healthy" else cases.FAULTS[name][0]
            found = first_cause(diagnosis)
            rows.append({"case": name, "model": model, "seed": seed, "wanted": wanted, "found": found,
                         "skill": diagnosis.get("skill")})
            if given.verbose and found != wanted:
                causes = [(it["cause"], round(it["confidence"], 2)) for it in diagnosis["findings"]][:4]
                print(f"{name}/{model}/{seed}: {found}, wanted {wanted}; skill {diagnosis.get('skill')} {causes}"
                      f" {diagnosis.get('error', '')[:200]}", flush=True)
    report(rows, given)


def report(rows, given):
    by_case = collections.defaultdict(list)
    for row in rows:
        by_case[row["case"], row["wanted"]].append(row["found"])
    lines = ["| mistake | cause | right | of | otherwise |", "|---|---|---|---|---|"]
    for (case, wanted), found in sorted(by_case.items()):
        other = collections.Counter(it for it in found if it != wanted)
        text = ", ".join(f"{name} {count}" for name, count in other.most_common())
        lines.append(f"| {case} | {wanted} | {len(found) - sum(other.values())} | {len(found)} | {text} |")
    print("\n".join(lines))
    faults = [row for row in rows if row["case"] != "healthy"]
    sound = [row for row in rows if row["case"] == "healthy"]
    # A fault that does no harm is none: the run has learnt what there was to learn.
    right = sum(row["found"] == row["wanted"] for row in faults)
    alarms = sum(row["found"] != "nothing" for row in sound)
    if faults:
        print(f"\nfirst cause right: {right} of {len(faults)} ({100 * right / len(faults):.1f}%)")
    if sound:
        print(f"false alarms: {alarms} of {len(sound)} sound runs ({100 * alarms / len(sound):.1f}%)")
    if given.json:
        pathlib.Path(given.json).write_text(json.dumps(rows, indent=1))
    if given.markdown:
        pathlib.Path(given.markdown).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
