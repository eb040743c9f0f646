#!/usr/bin/env python3
"""How much slower a training step becomes beside a process that keeps a core busy.

In every round each program runs steps on the free machine and then beside busy
processes, one of them on one core unless --busy says more. The figure is the
ratio of the two medians; its median over the rounds is printed.

    contention.py cnn mlp --plimsoll build/bin/step_bench
    contention.py mlp --busy 2 --rounds 10
"""

import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

import interleave
import step_protocol

PEERS = {
    "cnn": ["torch:channels_last+fused+malloc", "keras:function+malloc", "tensorflow:malloc"],
    "mlp": ["torch:fused+malloc", "keras:function+malloc", "tensorflow:malloc"],
    **dict.fromkeys(step_protocol.LSTMS, ["torch:fused+malloc", "keras:function+malloc"]),
}
BUSY_START_SECONDS = 0.5
FREE_ROUNDS = 2  # on the free machine before a round counts: a program may need a while to see that it is free


@contextlib.contextmanager
def busy_cores(count):
    """So many processes that compute, each bound to a core of its own."""
    cores = sorted(os.sched_getaffinity(0))
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", f"import os\nos.sched_setaffinity(0, {{{cores[i % len(cores)]}}})\nwhile True: pass"],
            preexec_fn=interleave.die_with_driver,
        )
        for i in range(count)
    ]
    try:
        time.sleep(BUSY_START_SECONDS)
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def median_step(runner):
    runner.run_round()
    return statistics.median(runner.rounds[-1])


def measure(case, names, arguments):
    runners = [interleave.make_runner(case, name, arguments) for name in names]
    times = {runner.name: [] for runner in runners}
    try:
        for runner in runners:
            runner.start()
            runner.warm_up()
        for index in range(arguments.rounds):
            for runner in runners:
                for _ in range(FREE_ROUNDS):
                    runner.run_round()
                free = median_step(runner)
                with busy_cores(arguments.busy):
                    busy = median_step(runner)
                times[runner.name].append({"free_seconds": free, "busy_seconds": busy})
            interleave.note(f"{case}: round {index + 1} of {arguments.rounds}")
        for runner in runners:
            runner.quit()
    finally:
        for runner in runners:
            runner.kill()
    return times


def ratio(rounds):
    return statistics.median(one["busy_seconds"] / one["free_seconds"] for one in rounds)


def print_table(case, times, busy):
    width = max(map(len, times))
    print(f"\n{case}: a step beside {busy} busy process(es), {step_protocol.THREADS} threads")
    print(f"{'':{width}}  {'free':>9} {'busy':>12} {'ratio':>7}")
    for name, rounds in times.items():
        free, beside = (statistics.median(one[key] for one in rounds) for key in ("free_seconds", "busy_seconds"))
        print(
            f"{name:{width}}  {interleave.milliseconds(free)}    {interleave.milliseconds(beside)} {ratio(rounds):6.2f}x"
        )


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", nargs="+", choices=step_protocol.CASES)
    parser.add_argument("--plimsoll", type=pathlib.Path, metavar="PROGRAM", help="takes part as 'plimsoll'")
    parser.add_argument("--before", type=pathlib.Path, metavar="PROGRAM", help="an older plimsoll, besides the peers")
    parser.add_argument("--peer", action="append", metavar="NAME[:VARIANT]", help="instead of the default peers")
    parser.add_argument("--busy", type=int, default=1, help="busy processes (default: 1)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="also write the results there")
    parser.add_argument("--python", type=pathlib.Path, default=interleave.default_python())
    arguments = parser.parse_args()
    if arguments.rounds < 1 or arguments.busy < 0:
        parser.error("--rounds must be at least 1, and --busy at least 0")
    return arguments


def main():
    arguments = parse_arguments()
    results = {}
    for case in arguments.case:
        names = [interleave.PLIMSOLL] if arguments.plimsoll else []
        names += [interleave.BEFORE] if arguments.before else []
        names += PEERS[case] if arguments.peer is None else [name for name in arguments.peer if name]
        results[case] = measure(case, names, arguments)
        interleave.note("")
        print_table(case, results[case], arguments.busy)
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    try:
        main()
    except interleave.Failed as failure:
        sys.exit(f"contention.py: {failure}")
