"""Programs that take turns: each runs for a while, and is stopped while the others run."""

import os
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "peers"))
from interleave import Failed, OtherWork, Runner, note, process_ticks  # noqa: E402, F401


def session_cpu_seconds(leader):
    """Of all processes that the leader started, and of itself."""
    ticks = 0
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit():
            continue
        try:
            fields = pathlib.Path(entry.path, "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        if int(fields[3]) == leader:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


class WorkOfOthers(OtherWork):
    """Counts what the programs start as theirs."""

    def read(self):
        busy, total = super().read()
        own = sum(session_cpu_seconds(runner.process.pid) for runner in self.runners)
        leaders = sum(process_ticks(runner.process.pid) for runner in self.runners)
        return busy + leaders - own * os.sysconf("SC_CLK_TCK"), total


class Turn:
    """One program and what its rounds took."""

    def __init__(self, name, command, environment=None):
        self.runner = Runner(name, [str(word) for word in command], environment or {})
        self.name = name
        self.step_seconds = []  # of each round, the mean
        self.steps = []  # all of them
        self.cpu_seconds = []  # a step, of each round

    def round(self, steps):
        before = session_cpu_seconds(self.runner.process.pid)
        answer = self.runner.ask(f"run {steps}")
        self.cpu_seconds.append((session_cpu_seconds(self.runner.process.pid) - before) / steps)
        self.step_seconds.append(answer["seconds"] / steps)
        self.steps += answer["step_seconds"]

    def result(self):
        return {
            "name": self.name,
            "round_step_seconds": self.step_seconds,
            "round_cpu_seconds": self.cpu_seconds,
            "median_step_seconds": statistics.median(self.steps),
            "peak_rss_kib": self.runner.end["peak_rss_kib"],
        }


def take_turns(turns, rounds, steps, warm_up):
    """Returns the share of the machine that others took meanwhile."""
    started = []
    try:
        for turn in turns:
            started.append(turn)
            turn.runner.start()
            turn.runner.ask(f"run {warm_up}")
            note(f"{turn.name} is ready")
        runners = [turn.runner for turn in turns]
        other_work = WorkOfOthers(runners)
        for index in range(rounds):
            first = index % len(turns)
            for turn in turns[first:] + turns[:first]:
                turn.round(steps)
            note(f"round {index + 1} of {rounds}")
        share = other_work.share()
        for turn in turns:
            turn.runner.quit()
    finally:
        for turn in started:
            turn.runner.kill()
    note("")
    return share


def ratio(slow, fast, key="round_step_seconds"):
    """The median over the rounds, in which both met the same disturbance."""
    return statistics.median(a / b for a, b in zip(slow[key], fast[key]))
