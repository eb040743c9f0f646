"""Kills runs (SIGKILL) at the system calls of a checkpoint's write, one run per call, and lets them go on.

    kill_at_calls.py PROGRAM BUCKET_RUN few|all

A first run under strace shows the calls of a checkpoint's write that removes an older one, from the look at the room on the
disk to that removal. Then strace kills one run as it enters each of them. "few" takes the first and the last call of each
name, of one kind of run; "all" takes every call, of every kind that PLIMSOLL_KINDS leaves (kill.py). What each run leaves
must be that of a run that was not killed. Prints a line per kind. Ends with 77 if strace is not here.
"""

import os
import re
import shutil
import subprocess
import sys

from kill import chosen_kinds, new_folder, run_whole

CALLS = ("statfs", "mkdir", "openat", "fsync", "fadvise64", "close", "unlink", "pwrite64", "pread64", "newfstatat",
         "rename", "getdents64")
SKIPPED = 77  # the exit code
TRIES = 6  # for a call that a run did not come to in the same order: time decides about some checkpoints
NUMBERS = 100  # of steps, at which checkpoints are


def only_at(folder):
    """Options of strace: only calls that have to do with checkpoints count, for others depend on time."""
    checkpoints = [f"{folder}/checkpoints/{number:012}.checkpoint" for number in range(NUMBERS)]
    paths = [folder, f"{folder}/log.jsonl", f"{folder}/checkpoints", f"{folder}/checkpoints/unfinished.tmp", *checkpoints]
    return [option for path in paths for option in ("-P", path, "-P", os.path.abspath(path))]


def traced(kind, folder, *options):
    """Runs it anew; returns the calls of the main thread, by name and text."""
    command, trace = kind.command(new_folder(kind, folder)), "trace"
    with open("output", "w") as output:
        subprocess.run(["strace", "-o", trace, "-e", "trace=" + ",".join(CALLS), *only_at(folder), *options, *command],
                       stdout=output, stderr=subprocess.STDOUT)
    return calls_in(trace)


def calls_in(trace):
    """By name and text."""
    with open(trace, errors="replace") as file:
        found = (re.match(r"(\w+)\((.*)", line) for line in file)
        return [match.groups() for match in found if match]


def expect_strace():
    if shutil.which("strace") and subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode == 0:
        return
    print("strace is not here or may not trace: no run is killed at a system call")
    sys.exit(SKIPPED)


def is_begin(call):
    return call[0] == "statfs" and "checkpoints" in call[1]


def calls_of_a_write(calls):
    """The first and the last number of the calls of a write, from the third on, that removes a checkpoint. The best one
    stays beside the last ones, so the third need not remove any."""
    begins = [i for i, call in enumerate(calls) if is_begin(call)]
    for begin, end in zip(begins[2:], begins[3:]):
        removes = [i for i in range(begin, end) if calls[i][0] == "unlink" and ".checkpoint" in calls[i][1]]
        if removes:
            return begin, removes[-1]
    sys.exit("kill_at_calls.py: no checkpoint removes another")


def chosen(calls, begin, end, takes_all):
    places = range(begin, end + 1)
    if takes_all:
        return list(places)
    of_name = {}
    for i in places:
        of_name.setdefault(calls[i][0], []).append(i)
    return sorted({i for numbers in of_name.values() for i in (numbers[0], numbers[-1])})


def place_in_write(calls):
    """How many calls after the beginning of a write the last one is."""
    begins = [i for i, call in enumerate(calls) if is_begin(call)]
    return len(calls) - 1 - begins[-1] if begins else -1


def kill_at(kind, folder, calls, place):
    """Returns the name of the call that the run was killed at, and its place in a write."""
    name = calls[place][0]
    number = sum(1 for call in calls[: place + 1] if call[0] == name)
    made = traced(kind, folder, "-e", f"inject={name}:signal=KILL:when={number}")
    return made[-1][0], place_in_write(made)


def check(kind, takes_all):
    whole, seconds = run_whole(kind)
    calls = traced(kind, "traced")
    begin, end = calls_of_a_write(calls)
    places = chosen(calls, begin, end, takes_all)
    killed = 0
    for place in places:
        for attempt in range(TRIES):
            found = kill_at(kind, "killed", calls, place)
            killed += 1
            while not kind.is_done("killed") and kind.run("killed") != "done":
                pass
            kind.compare("killed", whole)
            if found == (calls[place][0], place - begin):
                break
        else:
            sys.exit(f"{kind.name}: no run was killed at call {place - begin} of a write, {calls[place][0]}")
    print(f"{kind.name}: killed at {len(places)} of the {end - begin + 1} system calls of a checkpoint's write "
          f"({killed} kills), all as the run of {seconds:.1f} s that was not killed", flush=True)


def main():
    program, bucket_run, takes_all = sys.argv[1], sys.argv[2], sys.argv[3] == "all"
    expect_strace()
    for kind in chosen_kinds(program, bucket_run):
        if kind.name == "a table" or (takes_all and "short time" not in kind.name):
            check(kind, takes_all)


if __name__ == "__main__":
    main()
