"""Part `times`: what a step costs when it saves memory, in turns with the plain step in one process."""

import statistics
from dataclasses import dataclass

import programs

MIB = 1 << 20


@dataclass(frozen=True)
class Case:
    model: str
    batch: int
    # A share of the plain activation memory, or the memory of a whole process (in whole batches) -> how much more time
    # it may take at most; None: no target.
    savings: dict


CASES = (
    Case("resnet50", 16, {"0.5": 0.03, "0.2": 0.12}),
    Case("unet", 4, {"0.5": 0.12}),
    Case("mobilenet_v2", 16, {"0.5": None}),
    Case("lstm_long", 512, {"224MiB": 0.45}),
)
NAMES = tuple(case.model for case in CASES)


def row_of(case, plain, saving):
    pairs = list(zip(saving["step_us"], plain["step_us"]))
    target = case.savings[saving["saving"]]
    row = {
        "model": case.model,
        "batch": case.batch,
        "saving": saving["saving"],
        "plain_arena_bytes": plain["arena_bytes"],
        "budget_bytes": saving["budget_bytes"],
        "arena_bytes": saving["arena_bytes"],
        "recomputed": saving["recomputed"],
        "sequence_parts": saving["sequence_parts"],
        "median_ratio": statistics.median(mine / other for mine, other in pairs),
        "min_ratio": min(saving["step_us"]) / min(plain["step_us"]),
        "cpu_ratio": statistics.median(saving["cpu_us"]) / statistics.median(plain["cpu_us"]),
        "predicted_ratio": saving["predicted_us"] / plain["predicted_us"],
        "target_ratio": None if target is None else 1 + target,
        "fits": saving["arena_bytes"] <= saving["budget_bytes"],
    }
    row["is_met"] = None if target is None else row["fits"] and row["median_ratio"] <= 1 + target
    return row


def percent(ratio):
    return f"{(ratio - 1) * 100:+.1f}%"


def print_row(row):
    target = "no target"
    if row["target_ratio"]:
        target = f"target {percent(row['target_ratio'])}: {'met' if row['is_met'] else 'missed'}"
    if not row["fits"]:
        target += " (the budget cannot be kept)"
    arenas = " ".join(f"{row[key] / MIB:9.1f}" for key in ("plain_arena_bytes", "budget_bytes", "arena_bytes"))
    ratios = " ".join(f"{percent(row[key]):>9}" for key in ("median_ratio", "min_ratio", "cpu_ratio", "predicted_ratio"))
    start = f"{row['model']:13}{row['batch']:5} {row['saving']:>7}"
    print(f"{start} {arenas} {row['recomputed']:6} {ratios}  {target}", flush=True)


def run(arguments):
    print(
        f"{'model':13}{'batch':>5} {'saving':>7} {'plain MiB':>9} {'budget':>9} {'arena':>9} {'again':>6}"
        f" {'median':>9} {'least':>9} {'CPU':>9} {'predicted':>9}"
    )
    rows = []
    for case in CASES:
        if arguments.case and case.model not in arguments.case:
            continue
        try:
            plain, *savings = programs.plimsoll(
                arguments, "turns", case.model, case.batch, arguments.rounds, *case.savings
            )
        except programs.Refused as refusal:
            print(f"{case.model:13}{case.batch:5}  missed: {refusal}", flush=True)
            rows.append({"model": case.model, "batch": case.batch, "fits": False, "is_met": False})
            continue
        for saving in savings:
            rows.append(row_of(case, plain, saving))
            print_row(rows[-1])
    judged = [row for row in rows if row["is_met"] is not None]
    if judged:
        print(f"times: {sum(row['is_met'] for row in judged)} of {len(judged)} targets met, by the median")
    return {"rows": rows}
