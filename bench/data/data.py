#!/usr/bin/env python3
"""The parts of `./dev bench data`: bench/data/README.md says what they measure.

    data.py images --peer tensorflow --rounds 5
    data.py npz budget --json results.json
"""

import argparse
import json
import os
import pathlib
import signal
import sys

import budget
import images
import npz
import turns

PARTS = {"images": images.run, "npz": npz.run, "budget": budget.run}
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUSY_SHARE = 0.1
# Plimsoll's reading threads lower their priority; what else the machine does is to meet all programs alike.
NICENESS = 5


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="+", choices=PARTS)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--peer", action="append", metavar="NAME[:VARIANT]", help="of images: instead of the default ones")
    parser.add_argument("--gib", type=int, default=8, help="of the file in budget")
    parser.add_argument("--scratch", type=pathlib.Path, metavar="FOLDER", help="where large files are kept meanwhile")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/bin/data_bench", help="data_bench")
    parser.add_argument("--python", type=pathlib.Path, default=sys.executable, help="of tests/peers/make_venv.sh --torch")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="also write the results there")
    arguments = parser.parse_args()
    if arguments.rounds < 1 or arguments.gib < 1:
        parser.error("--rounds and --gib must be at least 1")
    if not os.access(arguments.program, os.X_OK):
        parser.error(f"there is no program '{arguments.program}' (./dev bench data builds it)")
    return arguments


def main():
    arguments = parse_arguments()
    os.nice(max(0, NICENESS - os.nice(0)))
    results = {}
    for part in arguments.part:
        results[part] = PARTS[part](arguments)
        if results[part].get("other_work_share", 0) > BUSY_SHARE:
            print(f"{part}: other work took {results[part]['other_work_share']:.0%} of the machine, so times say little")
        print(flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("data.py: ended by a signal"))  # its programs go with it
    try:
        main()
    except turns.Failed as failure:
        sys.exit(f"data.py: {failure}")
