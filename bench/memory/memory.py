#!/usr/bin/env python3
"""The parts of `./dev bench memory`: bench/memory/README.md says what they measure.

    memory.py limits --case cnn --case lstm
    memory.py predictions times --json results.json
"""

import argparse
import json
import os
import pathlib
import signal
import sys
import tempfile

import limits
import predictions
import programs
import times

PARTS = {"limits": limits.run, "predictions": predictions.run, "times": times.run}
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="+", choices=PARTS)
    parser.add_argument("--case", action="append", metavar="MODEL", help="only this model, in every part that has it")
    parser.add_argument("--rounds", type=int, default=7, help="of the turns in times")
    parser.add_argument("--fresh-speed", action="store_true", help="measure the machine's speed anew, for this run")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/bin/memory_bench", help="memory_bench")
    parser.add_argument("--python", type=pathlib.Path, default=sys.executable, help="of tests/peers/make_venv.sh --torch")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="also write the results there")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error("--rounds must be at least 1")
    known = {*limits.CASES, *predictions.NAMES, *times.NAMES}
    for name in arguments.case or []:
        if name not in known:
            parser.error(f"no model is called '{name}' (known: {', '.join(sorted(known))})")
    if not os.access(arguments.program, os.X_OK):
        parser.error(f"there is no program '{arguments.program}' (./dev bench memory builds it)")
    return arguments


def run_part(part, arguments):
    with programs.OtherWork() as other_work:
        results = PARTS[part](arguments)
    if other_work.is_much():
        print(f"{part}: {other_work}, so times say little")
    return {**results, "other_work_share": other_work.share}


def main():
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory() as cache:
        if arguments.fresh_speed:
            programs.ENVIRONMENT["XDG_CACHE_HOME"] = cache  # where it is kept
        programs.plimsoll(arguments, "speed")  # measures it where it is not known
        results = {part: run_part(part, arguments) for part in arguments.part}
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("memory.py: ended by a signal"))  # its groups go with it
    try:
        main()
    except programs.Failed as failure:
        sys.exit(f"memory.py: {failure}")
