"""Kills runs (SIGKILL) at the calls by which they make, sync, rename and remove files, from the first to the last.

    kill_at_files.py PROGRAM few|all

A run that begins, one that replaces an earlier run (--overwrite), and one that goes on. A first run under strace shows the
calls; then strace kills one run as it enters each of them ("few": the first, the middle and the last of each name). The
folder then has a model of before or a new one, both whole, and the run goes on to the end of one that was not killed.
Prints a line per case. Ends with 77 if strace is not here.
"""

import os
import shutil
import subprocess
import sys

from kill import kinds
from kill_at_calls import calls_in, expect_strace

CALLS = ("mkdir", "rename", "unlink", "unlinkat", "rmdir", "fsync", "fdatasync", "ftruncate", "fallocate", "link")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def traced(command, *options):
    with open("output", "w") as output:
        subprocess.run(["strace", "-o", "trace", "-e", "trace=" + ",".join(CALLS), *options, *command], stdout=output,
                       stderr=subprocess.STDOUT)
    return calls_in("trace")


class Case:
    """A run in `folder`, which `prepare` makes: `old` is a run that it replaces, `stopped` one that goes on in it."""

    def __init__(self, name, kind, prepare, command, old=None, stopped=None):
        self.name, self.kind, self.prepare, self.command, self.old = name, kind, prepare, command, old
        self.before = old or stopped  # whose models the folder has at first

    def begin(self):
        shutil.rmtree("killed", ignore_errors=True)
        self.prepare("killed")
        return self.command("killed")

    def check_models(self, whole):
        """Each is a whole one, of the earlier run or of this one at some time: the program reads it."""
        for name in ("model.keras", "best.keras"):
            path = f"killed/{name}"
            if not os.path.exists(path):
                if self.old is not None and name == "model.keras":
                    sys.exit(f"{self.name}: the model of the earlier run is gone, and there is no new one")
                continue
            earlier = f"{self.before}/{name}"
            if self.before is not None and os.path.exists(earlier) and read(path) == read(earlier):
                continue
            if read(path) != read(f"{whole}/{name}"):
                sys.exit(f"{self.name}: {path} is neither that of the earlier run nor the new one")

    def resume(self, whole):
        """What replaces another run goes on with `resume` too: it is the old run, which is done, or the new one."""
        shutil.rmtree("resumed", ignore_errors=True)
        shutil.copytree("killed", "resumed")
        found = subprocess.run([self.kind.begin("")[0], "resume", "resumed"], capture_output=True, text=True)
        if found.returncode != 0:
            sys.exit(f"{self.name}: cannot be resumed: {found.stderr}")
        if "epoch(s) are done" in found.stderr and read("resumed/model.keras") == read(f"{self.old}/model.keras"):
            return
        self.kind.compare("resumed", whole)
        if read("resumed/data.json") != read(f"{whole}/data.json"):
            sys.exit(f"{self.name}: data.json is not that of the new run")

    def go_on(self, whole):
        """The same command again ends as the run that was not killed."""
        if self.kind.is_done("killed") and self.old is None:
            return self.kind.compare("killed", whole)
        found = subprocess.run(self.command("killed"), capture_output=True, text=True)
        if found.returncode != 0:
            sys.exit(f"{self.name}: does not go on: {found.stderr}")
        self.kind.compare("killed", whole)


def numbers(count, takes_all):
    return range(1, count + 1) if takes_all else sorted({1, (count + 1) // 2, count})


def check(case, whole, takes_all):
    calls = [name for name, _ in traced(case.begin())]
    case.kind.compare("killed", whole)
    killed = 0
    for name in sorted(set(calls)):
        for number in numbers(calls.count(name), takes_all):
            made = traced(case.begin(), "-e", f"inject={name}:signal=KILL:when={number}")
            killed += len(made) > 0 and made[-1][0] == name
            case.check_models(whole)
            if case.old is not None:
                case.resume(whole)
            case.go_on(whole)
    print(f"{case.name}: {killed} kills at the {len(calls)} calls that change files, all as the run that was not killed",
          flush=True)


def cases(kind):
    """The earlier run is that of another table; the one that goes on was stopped after its first batch."""
    begin = lambda folder: kind.begin(folder)
    for folder in ("earlier", "stopped"):
        shutil.rmtree(folder, ignore_errors=True)
    with open("table.csv") as table, open("earlier.csv", "w") as earlier:
        earlier.write(table.read().replace("a,b,price", "first,second,price"))
    other = [part if part != "table.csv" else "earlier.csv" for part in kind.begin("earlier")]
    subprocess.run(other, check=True, capture_output=True)
    stopped = subprocess.run([*kind.begin("stopped"), "--max-time", "0.001s"], capture_output=True)
    if stopped.returncode != 75:
        sys.exit(f"--max-time: {stopped.stderr}")
    yield Case("a run that begins", kind, lambda folder: None, begin)
    yield Case("a run that replaces another", kind, lambda folder: shutil.copytree("earlier", folder),
               lambda folder: [*begin(folder), "--overwrite"], "earlier")
    yield Case("a run that goes on", kind, lambda folder: shutil.copytree("stopped", folder), begin,
               stopped="stopped")


def main():
    program, takes_all = sys.argv[1], sys.argv[2] == "all"
    expect_strace()
    kind = next(kind for kind in kinds(program, "") if kind.name == "a table")
    shutil.rmtree("whole_files", ignore_errors=True)
    kind.run("whole_files")
    for case in cases(kind):
        check(case, "whole_files", takes_all)


if __name__ == "__main__":
    main()
