"""What a training costs more because one can see it.

    seeing.py PROGRAM [--rounds N] [--epochs N] [--check] [--json FILE]

The time of a run that samples statistics, is watched by the doctor and writes event files for TensorBoard, in times of one
that does none of it; at most 1.01 is asked for, and with --check the median must keep to it. The two run at once, each with half of the cores, and change places each
round, so that what else this machine does slows both.
"""

import argparse
import json
import os
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "resume"))
import resume  # noqa: E402 (its runs are these)

SEEN = {"statistics": ["--no-doctor"], "and the doctor": [], "and TensorBoard": ["--tensorboard"]}
UNSEEN = ["--no-statistics", "--no-doctor"]
MOST = 1.01


def cost(bench, options, rounds, epochs):
    ratios = []
    for turn in range(rounds):
        both = [[*options, "--epochs", epochs], [*UNSEEN, "--epochs", epochs]]
        seconds = bench.at_once(both if turn % 2 == 0 else both[::-1])
        ratios.append(seconds[turn % 2] / seconds[1 - turn % 2])
    return {"least": min(ratios), "median": statistics.median(ratios), "most": max(ratios)}


def above_limit(found):
    """A sentence for each that costs too much."""
    return [f"{name}: a run takes {costs['median']:.4f} times the time, expected at most {MOST}"
            for name, costs in found.items() if costs["median"] > MOST]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--epochs", default="60")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    target = arguments.json and os.path.abspath(arguments.json)
    bench, found = resume.Bench(arguments.program), {}
    for name, options in SEEN.items():
        found[name] = cost(bench, options, arguments.rounds, arguments.epochs)
        print(f"{name:16}", "  ".join(f"{key} {value:.4f}" for key, value in found[name].items()), flush=True)
    if target:
        pathlib.Path(target).write_text(json.dumps(found))
    if arguments.check:
        sys.exit("\n".join(f"seeing.py: {sentence}" for sentence in above_limit(found)) or None)


if __name__ == "__main__":
    main()
