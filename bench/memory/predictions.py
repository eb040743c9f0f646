"""Part `predictions`: the planned peak and step time of many models against what is measured."""

import os
import pathlib
import re
import statistics

import programs

MIB = 1 << 20
BUDGETS = (None, 0.6, 0.35)  # shares of the plain arena, beside the standing memory
PEAK_SHARE, PEAK_BYTES = 0.01, 8 * MIB  # the peak is within the larger of them
TIME_SHARE = 0.15

# The batches of each model, so that all together take a quarter of an hour.
EXAMPLES = {  # tests/support/example_models.h
    "cnn": (1, 8, 32),
    "mlp": (32, 256, 2048),
    "lstm": (8, 64, 256),
    "lstm_32": (32, 256, 2048),
    "lstm_long": (2, 8, 32),
    "resnet50": (1, 2, 4),
    "mobilenet_v2": (1, 4, 8),
    "unet": (1, 2, 3),
    "encoder": (1, 2, 3),
    "demo": (32, 128, 512),
}
SMALL = {  # bench/memory_models.cc
    "dense": (16, 128, 1024),
    "convolutions": (4, 16, 64),
    "gru": (16, 64, 256),
    "bidirectional": (16, 64, 256),
    "attention": (8, 32, 128),
    "embedding": (32, 256, 2048),
    "autoencoder": (4, 16, 64),
}
APPLICATIONS = {
    "ResNet50V2": (2, 8, 32),
    "MobileNetV2": (2, 8, 32),
    "MobileNetV3Small": (2, 8, 32),
    "EfficientNetB0": (2, 8, 16),
    "DenseNet121": (2, 8, 32),
    "VGG16": (4, 16, 64),
    "Xception": (2, 4, 8),
    "InceptionV3": (2, 4, 16),
}
PARITY = {
    "residual_cnn": (64, 512, 4096),
    "vision_transformer": (64, 512, 4096),
    "video": (64, 512, 4096),
    "transformer_decoder": (64, 512, 4096),
    "sequence_to_sequence": (64, 512, 4096),
}
MODELS = EXAMPLES | SMALL | APPLICATIONS | PARITY
NAMES = tuple(MODELS)
# The tests for which real Keras saved models, and the file of each.
REFERENCES = {"applications": (APPLICATIONS, "model.keras"), "parity": (PARITY, "compiled.keras")}


def references():
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    return cache / "plimsoll/references"


def find_models():
    """What memory_bench calls each model; and those that are not there, with the test that makes them."""
    words, missing = {name: name for name in MODELS}, {}
    for test, (names, file) in REFERENCES.items():
        for name in names:
            found = sorted(references().glob(f"{test}-*/{name}/{file}"))
            if found:
                words[name] = found[-1]
            else:
                missing[name] = test
    return words, missing


def budget_of(plain, share):
    """The standing memory and a share of the plain arena; None without a budget."""
    if share is None:
        return None
    return int(plain["planned_bytes"] - (1 - share) * plain["arena_bytes"])


def smallest_said(refusal):
    """The bytes of "it can be done in 23.6 MiB", rounded up."""
    number, unit = re.search(r"it can be done in ([0-9.]+) (KiB|MiB|GiB)", str(refusal)).groups()
    return int((float(number) + 0.05) * {"KiB": 1 << 10, "MiB": MIB, "GiB": 1 << 30}[unit])


def measure(arguments, word, batch, budget):
    """What was found, and in which budget: if fit refuses, in the least that it names as enough."""
    if budget is None:
        return programs.plimsoll(arguments, "run", word, batch), None
    try:
        return programs.plimsoll(arguments, "run", word, batch, "--memory", budget), budget
    except programs.Refused as refusal:
        budget = smallest_said(refusal)
    try:
        return programs.plimsoll(arguments, "run", word, batch, "--memory", budget), budget
    except programs.Refused:
        return None, budget


def row_of(case, asked, budget, found):
    row = {**case, "asked_bytes": asked, "budget_bytes": budget, "is_refused": found is None}
    if found is None:
        return row
    planned, measured = found["planned_bytes"], found["measured_bytes"]
    predicted, step = found["predicted_us"] / 1e6, statistics.median(found["step_us"]) / 1e6
    return {
        **row,
        "planned_bytes": planned,
        "measured_bytes": measured,
        "how": found["how"],
        "predicted_seconds": predicted,
        "step_seconds": step,
        "least_step_seconds": min(found["step_us"]) / 1e6,
        "peak_holds": abs(planned - measured) <= max(PEAK_SHARE * measured, PEAK_BYTES),
        "is_in_budget": budget is None or measured <= budget,
        "time_holds": abs(predicted - step) <= TIME_SHARE * step,
    }


def share_text(row):
    return "none" if row["budget_share"] is None else f"{row['budget_share']:.0%}"


def how_text(row):
    how = row["how"] or "-"
    if row["budget_bytes"] != row["asked_bytes"]:
        how += f" (refused in {row['asked_bytes'] / MIB:.1f})"
    marks = {"PEAK": row["peak_holds"], "OVER": row["is_in_budget"], "time": row["time_holds"]}
    missed = [mark for mark, holds in marks.items() if not holds]
    return f"{how}  <- {' '.join(missed)}" if missed else how


def print_row(row):
    start = f"{row['model']:21}{row['batch']:5} {share_text(row):>5}"
    if row["is_refused"]:
        print(f"{start}  refused in {row['budget_bytes'] / MIB:.1f} MiB, which it had named as enough", flush=True)
        return
    budget = "-" if row["budget_bytes"] is None else f"{row['budget_bytes'] / MIB:.1f}"
    planned, measured = row["planned_bytes"] / MIB, row["measured_bytes"] / MIB
    predicted, step = row["predicted_seconds"] * 1e3, row["step_seconds"] * 1e3
    print(
        f"{start} {budget:>8} {planned:8.1f} {measured:8.1f} {measured / planned:6.3f}  {predicted:9.2f} {step:9.2f}"
        f" {step / predicted:6.2f}  {how_text(row)}",
        flush=True,
    )


def peak_error(row):
    return abs(row["planned_bytes"] - row["measured_bytes"]) / row["measured_bytes"]


def time_error(row):
    return abs(row["predicted_seconds"] - row["step_seconds"]) / row["step_seconds"]


def print_judgement(what, holds, runs, error):
    """`holds` names the field that says whether a run holds."""
    count = sum(row[holds] for row in runs)
    worst = max(runs, key=error)
    print(
        f"  {what}: {count} of {len(runs)}: {'met' if count == len(runs) else 'missed'};"
        f" the worst is {worst['model']} at {worst['batch']}, budget {share_text(worst)}: off by {error(worst):.1%}"
    )


def print_summary(rows, missing):
    runs = [row for row in rows if not row["is_refused"]]
    print(f"predictions: {len(rows)} runs of {len({row['model'] for row in rows})} models")
    for name, test in missing.items():
        print(f"  left out: {name} (tests/{test}/run.sh makes its file)")
    raised = sum(row["budget_bytes"] != row["asked_bytes"] for row in rows)
    print(f"  refused in the budget that was asked for, and measured in the least that fit names as enough: {raised}")
    if len(runs) < len(rows):
        print(f"  refused what fit had named as enough: {len(rows) - len(runs)} (target: none): missed")
    if not runs:
        return
    over = sum(not row["is_in_budget"] for row in runs)
    by_least = sum(
        abs(row["predicted_seconds"] - row["least_step_seconds"]) <= TIME_SHARE * row["least_step_seconds"] for row in runs
    )
    print_judgement("peak within max(1%, 8 MiB)", "peak_holds", runs, peak_error)
    print(f"  over their budget: {over} (target: none): {'missed' if over else 'met'}")
    print_judgement(f"step time within {TIME_SHARE:.0%}", "time_holds", runs, time_error)
    print(f"  step time within {TIME_SHARE:.0%} of the least step: {by_least} of {len(runs)}")


def measure_model(arguments, name, word, batch):
    plain, rows = None, []
    for share in BUDGETS:
        asked = budget_of(plain, share)
        found, budget = measure(arguments, word, batch, asked)
        plain = plain or found
        rows.append(row_of({"model": name, "batch": batch, "budget_share": share}, asked, budget, found))
        print_row(rows[-1])
    return rows


def run(arguments):
    words, missing = find_models()
    names = [name for name in MODELS if not arguments.case or name in arguments.case]
    missing = {name: test for name, test in missing.items() if name in names}
    print("a few steps of fit in a process each; memory in MiB, times in ms")
    print(
        f"{'model':21}{'batch':>5} {'arena':>5} {'budget':>8} {'planned':>8} {'measured':>8} {'ratio':>6}"
        f"  {'predicted':>9} {'step':>9} {'ratio':>6}  how"
    )
    rows = []
    for name in names:
        for batch in () if name in missing else MODELS[name]:
            rows += measure_model(arguments, name, words[name], batch)
    if rows or missing:
        print_summary(rows, missing)
    return {"rows": rows, "missing": sorted(missing)}
