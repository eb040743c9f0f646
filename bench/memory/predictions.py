"""Part `predictions`: the planned peak and step time of many models against what is measured."""

import os
import pathlib
import statistics

import programs

MIB = 1 << 20
BUDGETS = (None, 0.6, 0.35)  # shares of the plain arena, beside the standing memory
PEAK_SHARE, PEAK_BYTES = 0.01, 8 * MIB  # the peak is within the larger of them
TIME_SHARE = 0.15

MODELS = {
    # tests/support/example_models.h
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
    # bench/memory_models.cc
    "dense": (16, 128, 1024),
    "convolutions": (4, 16, 64),
    "gru": (16, 64, 256),
    "bidirectional": (16, 64, 256),
    "attention": (8, 32, 128),
    "embedding": (32, 256, 2048),
    "autoencoder": (4, 16, 64),
    # tests/applications
    "ResNet50V2": (2, 8, 32),
    "MobileNetV2": (2, 8, 32),
    "MobileNetV3Small": (2, 8, 32),
    "EfficientNetB0": (2, 8, 16),
    "DenseNet121": (2, 8, 32),
    "VGG16": (4, 16, 64),
    "Xception": (2, 4, 8),
    "InceptionV3": (2, 4, 16),
    # tests/parity
    "residual_cnn": (64, 512, 4096),
    "vision_transformer": (64, 512, 4096),
    "video": (64, 512, 4096),
    "transformer_decoder": (64, 512, 4096),
    "sequence_to_sequence": (64, 512, 4096),
}
NAMES = tuple(MODELS)
# Where real Keras saved the models of these tests.
REFERENCES = {
    "applications": (("ResNet50V2", "MobileNetV2", "MobileNetV3Small", "EfficientNetB0", "DenseNet121", "VGG16", "Xception", "InceptionV3"), "model.keras"),
    "parity": (("residual_cnn", "vision_transformer", "video", "transformer_decoder", "sequence_to_sequence"), "compiled.keras"),
}  # fmt: skip


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


def measure(arguments, word, batch, budget):
    memory = [] if budget is None else ["--memory", budget]
    return programs.plimsoll(arguments, "run", word, batch, *memory)


def row_of(name, batch, share, budget, found):
    row = {"model": name, "batch": batch, "budget_share": share, "budget_bytes": budget}
    if found is None:
        return {**row, "refused": True}
    planned, measured = found["planned_bytes"], found["measured_bytes"]
    predicted, step = found["predicted_us"] / 1e6, statistics.median(found["step_us"]) / 1e6
    return {
        **row,
        "refused": False,
        "planned_bytes": planned,
        "measured_bytes": measured,
        "how": found["how"],
        "predicted_seconds": predicted,
        "step_seconds": step,
        "peak_holds": abs(planned - measured) <= max(PEAK_SHARE * measured, PEAK_BYTES),
        "stays_in_budget": budget is None or measured <= budget,
        "time_holds": abs(predicted - step) <= TIME_SHARE * step,
    }


def print_row(row):
    share = "none" if row["budget_share"] is None else f"{row['budget_share']:.0%}"
    start = f"{row['model']:21}{row['batch']:5} {share:>5}"
    if row["refused"]:
        print(f"{start}  refused: it cannot be done in {row['budget_bytes'] / MIB:.1f} MiB", flush=True)
        return
    planned, measured = row["planned_bytes"] / MIB, row["measured_bytes"] / MIB
    predicted, step = row["predicted_seconds"] * 1e3, row["step_seconds"] * 1e3
    marks = ("" if row["peak_holds"] else " PEAK") + ("" if row["stays_in_budget"] else " OVER")
    marks += "" if row["time_holds"] else " time"
    print(
        f"{start} {planned:8.1f} {measured:8.1f} {measured / planned:6.3f}  {predicted:9.2f} {step:9.2f}"
        f" {step / predicted:6.2f}  {row['how'] or '-'}{marks and '  <-' + marks}",
        flush=True,
    )


def print_summary(rows, missing):
    done = [row for row in rows if not row["refused"]]
    print(f"predictions: {len(rows)} runs of {len({row['model'] for row in rows})} models, {len(rows) - len(done)} refused before a step")
    for name, test in missing.items():
        print(f"  left out: {name} (tests/{test}/run.sh makes its file)")
    if not done:
        return

    def line(what, key, target, error):
        holds = sum(row[key] for row in done)
        worst = max(done, key=error)
        share = "none" if worst["budget_share"] is None else f"{worst['budget_share']:.0%}"
        print(
            f"  {what}: {holds} of {len(done)} ({target}): {'met' if holds == len(done) else 'missed'};"
            f" the worst is {worst['model']} at {worst['batch']}, budget {share}: off by {error(worst):.1%}"
        )

    def peak_error(row):
        return abs(row["planned_bytes"] - row["measured_bytes"]) / row["measured_bytes"]

    def time_error(row):
        return abs(row["predicted_seconds"] - row["step_seconds"]) / row["step_seconds"]

    over = sum(not row["stays_in_budget"] for row in done)
    line("peak", "peak_holds", "target: within max(1%, 8 MiB)", peak_error)
    line("step time", "time_holds", f"target: within {TIME_SHARE:.0%}", time_error)
    print(f"  over their budget: {over} (target: none): {'missed' if over else 'met'}")


def run(arguments):
    words, missing = find_models()
    names = [name for name in MODELS if not arguments.case or name in arguments.case]
    missing = {name: test for name, test in missing.items() if name in names}
    print(f"{'model':21}{'batch':>5} {'arena':>5} {'planned':>8} {'measured':>8} {'ratio':>6}  {'predicted':>9} {'step':>9} {'ratio':>6}  how (MiB, ms)")
    rows = []
    for name in names:
        for batch in () if name in missing else MODELS[name]:
            plain = None
            for share in BUDGETS:
                budget = budget_of(plain, share)
                found = measure(arguments, words[name], batch, budget)
                plain = plain or found
                rows.append(row_of(name, batch, share, budget, found))
                print_row(rows[-1])
    if rows or missing:
        print_summary(rows, missing)
    return {"rows": rows, "missing": sorted(missing)}
