"""Lets the doctor repair faulty trainings, and compares what they reach then with what the sound ones reach.
Called by doctor.py --repair."""
import collections
import concurrent.futures
import json
import pathlib
import tempfile
import time

import numpy as np
import cases
import program as runs

# Causes whose remedy is an option of train.
CAUSES = ("learning_rate_high", "learning_rate_low", "optimizer", "loss_mismatch", "too_few_epochs", "batch_size",
          "not_shuffled", "inputs_not_normalised", "bad_record", "exploding_gradients")
# What --class-weight and --early-stopping cure shows on other records than those of the training: these are scored on
# the records that the sound training has, by the mean of the shares of each class that are right.
ON_OTHER_RECORDS = ("class_imbalance", "overfitting")
# Of output_activation, those that --from-logits cures.
NAMES = ("no_activation_at_the_end", "forgot_the_last_activation", "softmax_and_from_logits")
# Nothing is left that could be repaired.
NEVER = ("one_class_only",)
POINTS = 0.02


def is_repairable(name):
    if name == "healthy" or name in NEVER:
        return False
    return cases.FAULTS[name][0] in (*CAUSES, *ON_OTHER_RECORDS) or name in NAMES


def score_on(program, sound, folder, run):
    """The share of each class of the sound records that is right, their mean."""
    np.savez(folder / "all.npz", x=sound.x)
    said = runs.run([program, "predict", f"{run}/model.keras", "all.npz", "--out", "answers.npy"], folder)
    if said.returncode != 0:
        return None
    answers = np.load(folder / "answers.npy")
    wanted = sound.y.argmax(1) if sound.y.ndim == 2 and sound.y.shape[1] > 1 else sound.y.reshape(-1)
    found = answers.argmax(1) if answers.ndim == 2 and answers.shape[1] > 1 else answers.reshape(-1) > 0.5
    return float(np.mean([np.mean(found[wanted == one] == one) for one in np.unique(wanted)]))


def trained(program, it, sound, folder, is_scored):
    """The score of a training as it is; None: it was refused, or it is not known."""
    runs.write(it, folder)
    runs.train(program, it, folder)
    if not (folder / "run" / "run.json").exists():
        return None
    return score_on(program, sound, folder, "run") if is_scored else skill_of(program, folder, "run")


def skill_of(program, folder, run):
    said = runs.run([program, "doctor", run, "--json"], folder)
    return json.loads(said.stdout).get("skill") if said.returncode == 0 else None


def measure(program, name, model, seed):
    """What the training reaches with the mistake, after its repair, and without the mistake."""
    faulty, sound = cases.make(name, model, seed), cases.make(name, model, seed, is_sound=True)
    is_scored = cases.FAULTS[name][0] in ON_OTHER_RECORDS
    row = {"name": name, "model": model, "seed": seed, "after": None, "options": [], "why": ""}
    with tempfile.TemporaryDirectory() as scratch:
        row["sound"] = trained(program, sound, sound, pathlib.Path(scratch), is_scored)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        row["before"] = trained(program, faulty, sound, folder, is_scored)
        row["is_refused"] = not (folder / "run" / "run.json").exists()
        if row["is_refused"]:
            return row
        said = runs.run([program, "doctor", "run", "--repair", "--out", "new", "--json"], folder)
        if said.returncode != 0:  # nothing to apply: the run stays as it is
            return {**row, "after": row["before"], "why": said.stderr.strip()}
        found = json.loads(said.stdout)
        row.update(options=found["options"], why=json.dumps(found.get("refused") or "")[:90].strip('"'))
        new = found.get("run") and pathlib.Path(found["run"]).name
        row["after"] = row["before"] if not new else (
            score_on(program, sound, folder, new) if is_scored else found["after"].get("skill"))
    return row


def kind_of(row):
    """Mistakes that did no harm need no repair; of what is refused there is no run to repair, which counts as not
    repaired."""
    if row["sound"] is None:
        return "unknown"
    if row["before"] is not None and row["before"] >= row["sound"] - POINTS:
        return "harmless"
    if row["is_refused"]:
        return "refused"
    return "right" if row["after"] is not None and row["after"] >= row["sound"] - POINTS else "wrong"


def show(row):
    numbers = ["-" if row[key] is None else f"{row[key]:.3f}" for key in ("sound", "before", "after")]
    print(f"| {row['name']} | {row['model']} | {row['seed']} | {' | '.join(numbers)} | {row['kind']} |"
          f" {' '.join(row['options'])} {row['why'][:90]} |", flush=True)


def main(program, chosen, given):
    todo = [(name, model) for name, model, _ in chosen if is_repairable(name)]
    began, rows, seeds = time.monotonic(), [], []
    print("| mistake | model | seed | sound | before | after | | options |\n|---|---|---|---|---|---|---|---|")
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for seed in range(given.first_seed, given.first_seed + given.seeds):
            if given.minutes and time.monotonic() - began > 60 * given.minutes:
                break
            for row in pool.map(lambda one: measure(program, *one, seed), todo):
                rows.append({**row, "kind": kind_of(row)})
                show(rows[-1])
            seeds.append(seed)
    kinds = collections.Counter(row["kind"] for row in rows)
    counted = kinds["right"] + kinds["wrong"] + kinds["refused"]
    print(f"\nSeeds {seeds}: {kinds['right']} of {counted} ({100 * kinds['right'] / max(1, counted):.1f}%) reach the "
          f"sound run less {100 * POINTS:.0f} points; of the others {kinds['refused']} were refused, so that there was "
          f"no run to repair. Not counted: {kinds['harmless']} that were within these points before any repair, and "
          f"{kinds['unknown']} whose sound run's score is not known.")
    if given.json:
        pathlib.Path(given.json).write_text(json.dumps(rows, indent=1))
