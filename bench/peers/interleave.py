#!/usr/bin/env python3
"""Runs training steps of Plimsoll and its peers in turns and prints ratios.

Each program is a process that speaks the protocol of step_protocol.py. All but
one are stopped at any time, so an idle pool of threads cannot take a core, and
the turns go round, so that what else happens on the machine meets all alike.

    interleave.py cnn mlp --plimsoll build/bin/step_bench
    interleave.py mlp --peer torch --peer torch:fused+malloc --rounds 20
"""

import argparse
import contextlib
import ctypes
import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

import step_protocol

HERE = pathlib.Path(__file__).resolve().parent
SCRIPTS = {
    "torch": "torch_step.py",
    "keras": "keras_step.py",
    "tensorflow": "tensorflow_step.py",
    "python": "plimsoll_step.py",
}
# As they come, and the best tuned ones (README.md says how they were chosen).
DEFAULT_PEERS = {
    "cnn": [
        "torch",
        "torch:channels_last+fused+malloc",
        "torch:channels_last+fused+hugepages+malloc",
        "keras",
        "keras:function+malloc",
        "tensorflow:malloc",
    ],
    "mlp": [
        "torch",
        "torch:fused",
        "torch:fused+malloc",
        "keras",
        "keras:function+malloc",
        "tensorflow:malloc",
    ],
    **dict.fromkeys(step_protocol.LSTMS, ["torch", "torch:fused+malloc", "keras", "keras:function+malloc"]),
}
PLIMSOLL = "plimsoll"
BEFORE = "before"
PYTHON = "python"
ROUND_SECONDS = 1.0
BUSY_SHARE = 0.1
MIB = 1024


class Failed(Exception):
    pass


LIBC = ctypes.CDLL(None)


def die_with_driver():
    """A stopped process would outlive a driver that is killed."""
    PR_SET_PDEATHSIG = 1
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


@dataclass
class Runner:
    """One process, stopped except while it is asked something."""

    name: str
    command: list
    environment: dict = field(default_factory=dict)
    process: subprocess.Popen = None
    ready: dict = None  # what it said when the first step was done
    end: dict = None  # what it said at the end
    start_seconds: list = field(default_factory=list)
    rounds: list = field(default_factory=list)  # step times, a list for each round
    cpu_seconds: float = 0.0  # of all rounds and threads
    steps_per_round: int = 1

    def start(self):
        self.errors = tempfile.TemporaryFile("w+")
        begin = time.perf_counter()
        # A session of its own, so that processes it starts are stopped with it.
        self.process = subprocess.Popen(
            self.command,
            env={**os.environ, **self.environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            start_new_session=True,
            preexec_fn=die_with_driver,
        )
        self.ready = self.answer()
        self.start_seconds.append(time.perf_counter() - begin)
        self.signal(signal.SIGSTOP)

    def ask(self, command):
        self.signal(signal.SIGCONT)
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
            return self.answer()
        except BrokenPipeError:
            raise Failed(self.why()) from None
        finally:
            self.signal(signal.SIGSTOP)

    def answer(self):
        for line in self.process.stdout:
            if line.startswith("{"):
                return json.loads(line)
        raise Failed(self.why())

    def why(self):
        self.process.wait()
        self.errors.seek(0)
        lines = self.errors.read().strip().splitlines()
        return f"{self.name} ended with code {self.process.returncode}: {lines[-1] if lines else 'it said nothing'}"

    def quit(self):
        self.end = self.ask("quit")
        self.signal(signal.SIGCONT)
        self.process.wait()

    def kill(self):
        if self.process:
            self.signal(signal.SIGKILL)
            self.process.wait()

    def signal(self, number):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)

    def warm_up(self):
        """Also finds how many steps make a round."""
        self.ask("run 2")
        step_seconds = statistics.median(self.ask("run 3")["step_seconds"])
        self.steps_per_round = max(2, min(200, round(ROUND_SECONDS / step_seconds)))

    def run_round(self):
        self.ask("run 1")  # the caches are somebody else's by now
        answer = self.ask(f"run {self.steps_per_round}")
        self.rounds.append(answer["step_seconds"])
        self.cpu_seconds += answer.get("cpu_seconds", 0.0)


class OtherWork:
    """The share of the machine's cores that other processes take while the runners run."""

    def __init__(self, runners):
        self.runners = runners
        self.begin = self.read()

    def read(self):
        with open("/proc/stat") as stat:
            user, nice, system, idle, waiting, *_ = map(int, stat.readline().split()[1:])
        own = sum(process_ticks(runner.process.pid) for runner in self.runners)
        return user + nice + system - own, user + nice + system + idle + waiting

    def share(self):
        busy, total = (now - then for now, then in zip(self.read(), self.begin))
        return max(0.0, busy / max(1, total))


def process_ticks(pid):
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def make_runner(case, name, arguments):
    if name == PLIMSOLL:
        return Runner(name, [str(arguments.plimsoll), case])
    if name == BEFORE:
        return Runner(name, [str(arguments.before), case])
    peer, _, variant = name.partition(":")
    if peer not in SCRIPTS:
        raise Failed(f"no peer is called '{peer}' (known: {', '.join(SCRIPTS)})")
    variant = variant or "default"
    command = [str(arguments.python), str(HERE / SCRIPTS[peer]), case, "--variant", variant]
    return Runner(name, command, step_protocol.environment(variant))


def measure(case, names, arguments):
    runners = [make_runner(case, name, arguments) for name in names]
    started = []
    try:
        for runner in runners:
            started.append(runner)
            # What is started only to be timed also brings the files into memory.
            for _ in range(arguments.starts - 1):
                runner.start()
                runner.quit()
            runner.start()
            runner.warm_up()
            note(f"{case}: {runner.name} is ready after {runner.start_seconds[-1]:.2f} s")
        other_work = OtherWork(runners)
        for index in range(arguments.rounds):
            turn = index % len(runners)
            for runner in runners[turn:] + runners[:turn]:
                runner.run_round()
            note(f"{case}: round {index + 1} of {arguments.rounds}")
        share = other_work.share()
        for runner in runners:
            runner.quit()
    finally:
        for runner in started:
            runner.kill()
    return [result(runner) for runner in runners], share


def note(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def result(runner):
    steps = [seconds for one in runner.rounds for seconds in one]
    return {
        "name": runner.name,
        "median_seconds": statistics.median(steps),
        "min_seconds": min(steps),
        "cpu_seconds": runner.cpu_seconds / len(steps),
        "round_medians": [statistics.median(one) for one in runner.rounds],
        "peak_rss_kib": runner.end["peak_rss_kib"],
        "import_rss_kib": runner.ready.get("import_rss_kib", 0),
        "start_seconds": min(runner.start_seconds),
    }


def add_ratios(results):
    """Against Plimsoll where it takes part, else against the fastest peer.

    The ratio of times is the median over the rounds, in which both ran
    beside the same other work of the machine.
    """
    base = next((r for r in results if r["name"] == PLIMSOLL), None) or fastest(results)
    for r in results:
        pairs = zip(r["round_medians"], base["round_medians"])
        r["time_ratio"] = statistics.median(mine / other for mine, other in pairs)
        r["min_time_ratio"] = r["min_seconds"] / base["min_seconds"]
        r["peak_rss_ratio"] = r["peak_rss_kib"] / base["peak_rss_kib"]
        r["cpu_ratio"] = r["cpu_seconds"] / base["cpu_seconds"]
        r["start_ratio"] = r["start_seconds"] / base["start_seconds"]
    return base["name"]


def fastest(results):
    return min(results, key=lambda r: r["median_seconds"])


def milliseconds(seconds):
    return f"{seconds * 1e3:6.1f} ms" if seconds >= 0.001 else f"{seconds * 1e3:6.3f} ms"


def print_table(case, results, base):
    width = max(len(r["name"]) for r in results)
    print(f"\n{case}: a training step, {step_protocol.THREADS} threads; ratios to {base}")
    print(
        f"{'':{width}}  {'median':>9} {'ratio':>6} {'min':>11} {'ratio':>6}   {'peak RSS':>9} {'ratio':>6}"
        f"   {'import':>9} {'start-up':>8} {'ratio':>6}"
    )
    for r in results:
        print(
            f"{r['name']:{width}}  {milliseconds(r['median_seconds'])} {r['time_ratio']:5.2f}x"
            f"   {milliseconds(r['min_seconds'])} {r['min_time_ratio']:5.2f}x   {r['peak_rss_kib'] / MIB:5.0f} MiB {r['peak_rss_ratio']:5.2f}x"
            f"   {r['import_rss_kib'] / MIB:5.0f} MiB {r['start_seconds']:6.2f} s {r['start_ratio']:5.1f}x"
        )


def print_verdict(case, results):
    """Plimsoll against what it was before, or the best tuned peer, which is the fastest one."""
    peers = [r for r in results if r["name"] != PLIMSOLL]
    if not peers or len(peers) == len(results):
        return
    if peers[0]["name"] == BEFORE:
        before = peers[0]
        print(
            f"{case}: before, a step took {before['time_ratio']:.3f}x the time (minima: {before['min_time_ratio']:.3f}x,"
            f" CPU time: {before['cpu_ratio']:.3f}x) and {before['peak_rss_ratio']:.3f}x the memory"
        )
        return
    if peers[0]["name"] == PYTHON:
        own = peers[0]
        print(
            f"{case}: fit() in Python takes {own['time_ratio']:.3f}x the time of the program in C++ (minima:"
            f" {own['min_time_ratio']:.3f}x, CPU time: {own['cpu_ratio']:.3f}x)"
        )
        return
    best = min(peers, key=lambda r: r["time_ratio"])
    lean = min(peers, key=lambda r: r["peak_rss_kib"])
    quick = min(peers, key=lambda r: r["start_seconds"])
    print(
        f"{case}: the best peer, {best['name']}, takes {best['time_ratio']:.2f}x the time"
        f" (minima: {best['min_time_ratio']:.2f}x) and"
        f" {best['peak_rss_ratio']:.2f}x the memory; the leanest, {lean['name']}, {lean['peak_rss_ratio']:.2f}x"
        f" the memory; the quickest to start, {quick['name']}, {quick['start_ratio']:.1f}x the time to the first step"
    )


def above_limit(results, most):
    """A sentence for each case in which fit() in Python takes more than `most` times the time, by both measures."""
    found = []
    for case, result in results.items():
        for own in (program for program in result["programs"] if program["name"] == PYTHON):
            ratio = min(own["time_ratio"], own["min_time_ratio"])
            if ratio > most:
                found.append(f"{case}: fit() in Python takes {ratio:.3f}x the time, expected at most {most}x")
    return found


def default_python():
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(cache) / "plimsoll" / "peers" / "bin" / "python"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", nargs="+", choices=step_protocol.CASES)
    parser.add_argument("--plimsoll", type=pathlib.Path, metavar="PROGRAM", help="takes part as 'plimsoll'")
    parser.add_argument("--before", type=pathlib.Path, metavar="PROGRAM", help="an older plimsoll, instead of peers")
    parser.add_argument("--peer", action="append", metavar="NAME[:VARIANT]", help="instead of the default peers")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--starts", type=int, default=2, help="times each program is started; the quickest counts")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="also write the results there")
    parser.add_argument("--python-at-most", type=float, metavar="RATIO", help="fail if fit() in Python takes more")
    parser.add_argument("--python", type=pathlib.Path, default=default_python(), help="of tests/peers/make_venv.sh")
    arguments = parser.parse_args()
    for option in ("rounds", "starts"):
        if getattr(arguments, option) < 1:
            parser.error(f"--{option} must be at least 1")
    for program in filter(None, (arguments.plimsoll, arguments.before or arguments.python)):
        if not os.access(program, os.X_OK):
            parser.error(f"there is no program '{program}' (tests/peers/make_venv.sh --torch makes the peers' python)")
    return arguments


def main():
    arguments = parse_arguments()
    results = {}
    for case in arguments.case:
        names = [PLIMSOLL] if arguments.plimsoll else []
        names += [BEFORE] if arguments.before else arguments.peer or DEFAULT_PEERS[case]
        programs, other_share = measure(case, names, arguments)
        note("")
        print_table(case, programs, add_ratios(programs))
        print_verdict(case, programs)
        if other_share > BUSY_SHARE:
            print(f"{case}: other work took {other_share:.0%} of the machine meanwhile, so trust the minima at most")
        results[case] = {"other_work_share": other_share, "programs": programs}
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1) + "\n")
    if arguments.python_at_most and (sentences := above_limit(results, arguments.python_at_most)):
        raise Failed("; ".join(sentences))


if __name__ == "__main__":
    try:
        main()
    except Failed as failure:
        sys.exit(f"interleave.py: {failure}")
