"""What a training costs more because one can see it.

    seeing.py PROGRAM [--rounds N] [--most-rounds N] [--epochs N] [--only NAME] [--check] [--json FILE]

The processor time and the time of a run that is seen, in those of one that is not: it samples statistics, is watched by the doctor,
writes event files for TensorBoard, or measures a profile; or it is shown by 'plimsoll serve' in pages that are open. At most 1.01 is
asked for. The two run at once, each with half of the cores, and change places each round, so that what else this machine does slows
both. Processor time is what the runs took of the cores (threads that wait sleep), so that it says more on a machine that has other work.

With --check, rounds go on from --rounds to --most-rounds until it is known, with 95%, on which side of 1.01 the median of the
ratios of processor times is; the exit code is 1 if that is above, and 77 if it is not known.
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import threading
import time
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "resume"))
import resume  # noqa: E402 (its runs are these)

PROFILED = 20
SEEN = {"statistics": ["--no-doctor"], "and the doctor": [], "and TensorBoard": ["--tensorboard"],
        "a profile": ["--no-statistics", "--no-doctor", "--profile", str(PROFILED)], "open pages": []}
UNSEEN = ["--no-statistics", "--no-doctor"]
MOST, PAGES = 1.01, 4


class OpenPages:
    """'plimsoll serve' with pages that follow a run and read its report, as a browser does."""

    def __init__(self, program, run):
        self.server = subprocess.Popen([program, "serve", "."], stdout=subprocess.PIPE, text=True)
        self.address = self.server.stdout.readline().strip()
        self.run, self.is_open, self.replies = run, True, 0
        self.threads = [threading.Thread(target=look, daemon=True) for _ in range(PAGES) for look in (self.follow, self.read_reports)]
        for thread in self.threads:
            thread.start()

    def ask(self, path):
        return urllib.request.urlopen(f"{self.address}api/{path}?name={self.run}", timeout=30)

    def follow(self):
        while self.is_open:
            try:
                with self.ask("events") as events:
                    while self.is_open and events.readline():
                        pass
            except OSError:
                time.sleep(0.3)

    def read_reports(self):
        while self.is_open:
            try:
                with self.ask("report") as reply:
                    self.replies += len(reply.read()) > 0
                time.sleep(3)
            except OSError:
                time.sleep(0.3)

    def close(self):
        self.is_open = False
        self.server.terminate()
        self.server.wait()
        if self.replies == 0:
            raise SystemExit("seeing.py: no page was shown, so nothing was measured")


def at_once(bench, both, shown):
    """Of runs beside each other: (processor seconds, seconds) each; the one with the number `shown` is in open pages."""
    started = [bench.command(*each, *bench.half()) for each in both]
    passive = dict(os.environ, OMP_WAIT_POLICY="passive")
    pages = None if shown is None else OpenPages(bench.program, started[shown][0])
    processes = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=passive) for _, command in started]
    found = []
    for (out, _), process in zip(started, processes):
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit("a run has failed")
        with open(f"{out}/run.json") as file:
            found.append((usage.ru_utime + usage.ru_stime, json.load(file)["result"]["seconds"]))
    if pages is not None:
        pages.close()
    return found


def round_of(bench, name, epochs, turn):
    """The ratios of (processor seconds, seconds), seen to unseen."""
    unseen = SEEN[name] if name == "open pages" else UNSEEN
    both, seen = [[*SEEN[name], "--epochs", epochs], [*unseen, "--epochs", epochs]], turn % 2
    found = at_once(bench, both if seen == 0 else both[::-1], seen if name == "open pages" else None)
    return tuple(a / b for a, b in zip(found[seen], found[1 - seen]))


def interval(ratios):
    """Between which two of them the median is with 95%, by their order alone; the whole line of few ratios."""
    ordered, count = sorted(ratios), len(ratios)
    tail = 0.0
    for k in range(count // 2):
        tail += math.comb(count, k) / 2**count
        if 2 * tail > 0.05:
            return (ordered[k - 1], ordered[count - k]) if k > 0 else (0.0, math.inf)
    return (ordered[count // 2 - 1], ordered[count - count // 2]) if count > 5 else (0.0, math.inf)


def verdict(ratios):
    least, most = interval(ratios)
    return "within" if most <= MOST else "above" if least > MOST else "not known"


def cost(bench, name, arguments):
    ratios = []
    while len(ratios) < arguments.rounds or (arguments.check and len(ratios) < arguments.most_rounds
                                             and verdict([it[0] for it in ratios]) == "not known"):
        ratios.append(round_of(bench, name, arguments.epochs, len(ratios)))
    found = {"rounds": len(ratios)}
    for place, what in enumerate(("processor", "time")):
        values = [it[place] for it in ratios]
        found[what] = {"least": min(values), "median": statistics.median(values), "most": max(values)}
    found["median_is_between"] = [it if math.isfinite(it) else None for it in interval([it[0] for it in ratios])]
    found["verdict"] = verdict([it[0] for it in ratios])
    return found


def shown(name, found):
    columns = [f"{what} {found[what]['median']:.4f} ({found[what]['least']:.4f} to {found[what]['most']:.4f})" for what in ("processor", "time")]
    return f"{name:16}{'   '.join(columns)}   {found['rounds']} rounds, {found['verdict']}"


def exit_code(found):
    for name, it in found.items():
        if it["verdict"] != "within":
            print(f"seeing.py: {name}: a run takes {it['processor']['median']:.4f} times the processor time, expected at most {MOST}"
                  + ("" if it["verdict"] == "above" else "; more rounds are needed to know"), file=sys.stderr)
    verdicts = {it["verdict"] for it in found.values()}
    return 1 if "above" in verdicts else 77 if "not known" in verdicts else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--most-rounds", type=int, default=40)
    parser.add_argument("--epochs", default="60")
    parser.add_argument("--only", choices=SEEN)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    target = arguments.json and os.path.abspath(arguments.json)
    bench, found = resume.Bench(arguments.program), {}
    for name in [arguments.only] if arguments.only else SEEN:
        found[name] = cost(bench, name, arguments)
        print(shown(name, found[name]), flush=True)
    if target:
        pathlib.Path(target).write_text(json.dumps(found))
    if arguments.check:
        sys.exit(exit_code(found))


if __name__ == "__main__":
    main()
