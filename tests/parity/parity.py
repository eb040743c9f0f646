#!/usr/bin/env python3
"""Compares Plimsoll with real Keras over whole models; run.sh says in which order.

parity.py make REFERENCE [--part I/N] [NAME…]         Keras saves its models, and what training them gives
parity.py judge REFERENCE --ours OURS [--part I/N] [NAME…]   Keras reads what Plimsoll made of them; all is compared
parity.py table REFERENCE --ours OURS [NAME…]   shows the result; exit code 1 where something is wrong
"""

import argparse
import json
import logging
import os
import pathlib
import sys


def prepare_keras():
    # oneDNN picks its kernels, and with them the rounding, by the machine.
    os.environ.update(KERAS_BACKEND="tensorflow", TF_ENABLE_ONEDNN_OPTS="0", TF_CPP_MIN_LOG_LEVEL="3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    import absl.logging
    import keras
    import tensorflow

    logging.getLogger("tensorflow").setLevel(logging.ERROR)
    absl.logging.set_verbosity("error")  # that .h5 is old
    tensorflow.config.threading.set_intra_op_parallelism_threads(1)
    tensorflow.config.threading.set_inter_op_parallelism_threads(1)
    return keras


def make(cases, arguments):
    import reference

    for case in cases:
        reference.make(case, arguments.reference / case.name)


def judge(cases, arguments):
    import judge

    for case in cases:
        ours = arguments.ours / case.name
        verdict = judge.judge(case, arguments.reference / case.name, ours)
        (ours / "verdict.json").write_text(json.dumps({"errors": verdict.errors, "complaints": verdict.complaints}))


def table(cases, arguments):
    import coverage

    verdicts = {case.name: json.loads((arguments.ours / case.name / "verdict.json").read_text()) for case in cases}
    columns = list(next(iter(verdicts.values()))["errors"])
    width = max(map(len, verdicts))
    print(" ".join([f"{'model':{width}}", *(f"{column:>9}" for column in columns)]))
    for name, verdict in verdicts.items():
        print(" ".join([f"{name:{width}}", *(f"{cell(e):>{max(9, len(c))}}" for c, e in verdict["errors"].items())]))
    complaints = [f"{name}: {c}" for name, verdict in verdicts.items() for c in verdict["complaints"]]
    complaints += [f"no model uses {word}" for word in ([] if arguments.names else coverage.missing(arguments.reference / n for n in verdicts))]
    print("\n".join(complaints) if complaints else f"{len(verdicts)} models agree with Keras")
    return 1 if complaints else 0


def cell(error):
    return "same" if error == 0 else "wrong" if error == float("inf") else f"{error:.1e}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["make", "judge", "table"])
    parser.add_argument("reference", type=pathlib.Path)
    parser.add_argument("--ours", type=pathlib.Path)
    parser.add_argument("--part", default="0/1", help="only each N-th case, from the I-th")
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_intermixed_args()
    prepare_keras()
    from models import CASES

    unknown = set(arguments.names) - CASES.keys()
    if unknown:
        sys.exit(f"parity.py: no case is called '{min(unknown)}' (known: {', '.join(CASES)})")
    index, parts = map(int, arguments.part.split("/"))
    cases = [CASES[name] for name in arguments.names or CASES][index::parts]
    sys.exit({"make": make, "judge": judge, "table": table}[arguments.command](cases, arguments))


if __name__ == "__main__":
    main()
