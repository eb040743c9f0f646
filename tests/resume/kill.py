"""Kills runs at random moments until they are done, and compares what they leave with a run that was not killed.

    kill.py PROGRAM BUCKET_RUN KILLS [SEED]

KILLS processes are killed (SIGKILL) in all, spread over five kinds of runs. One in four is asked to end (SIGTERM) shortly
before. Prints a line per kind. PLIMSOLL_KINDS="bad,buckets" takes only the kinds whose names have one of these words.
"""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

# What measures time and memory may differ.
MEASURED = {"time", "seconds", "resident_bytes", "measured_peak_bytes", "measured_step_seconds", "data_wait_share",
            "slowest_step_seconds", "core_wait_seconds", "predicted_step_seconds", "step_seconds", "peak_bytes", "arena_bytes"}

OUT_OF_TIME = 75  # the exit code of --max-time


def without_measures(line):
    return {key: value for key, value in json.loads(line).items() if key not in MEASURED}


def lines_of(path):
    if not os.path.exists(path):
        return None
    with open(path) as file:
        return [without_measures(line) for line in file]


def kill(process, ask_before):
    """How it ended, as Kind.run says."""
    if ask_before > 0:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(ask_before)
        except subprocess.TimeoutExpired:
            pass
    process.send_signal(signal.SIGKILL)
    process.wait()
    return "killed" if process.returncode == -signal.SIGKILL else "stopped"


class Kind:
    """A run, by the command that begins it and the one that goes on."""

    def __init__(self, name, begin, go_on, files):
        self.name, self.begin, self.go_on, self.files = name, begin, go_on, files

    def command(self, folder):
        return (self.go_on if self.is_begun(folder) else self.begin)(folder)

    def is_begun(self, folder):
        return os.path.exists(f"{folder}/run.json")

    def is_done(self, folder):
        """Killed when all was written; a program writes files of its own after that."""
        return (self.is_begun(folder) and json.load(open(f"{folder}/run.json"))["result"]["status"] == "done"
                and all(os.path.exists(f"{folder}/{file}") for file in self.files))

    def run(self, folder, kill_after=None, ask_before=0.0):
        """How the process ended: "done", "killed", or "stopped" in good order. It is asked to end so many seconds before
        it is killed, if any."""
        with open("output", "w") as output:
            process = subprocess.Popen(self.command(folder), stdout=output, stderr=subprocess.STDOUT)
            try:
                process.wait(kill_after)
            except subprocess.TimeoutExpired:
                return kill(process, ask_before)
        if process.returncode not in (0, OUT_OF_TIME):
            sys.exit(f"{self.name}: ended with {process.returncode}: {open('output').read()}")
        return "done" if process.returncode == 0 else "stopped"

    def compare(self, folder, whole):
        for file in self.files:
            with open(f"{folder}/{file}", "rb") as found, open(f"{whole}/{file}", "rb") as expected:
                if found.read() != expected.read():
                    sys.exit(f"{self.name}: {file} is not that of a run that was not killed")
        for file in ("log.jsonl", "quarantine.jsonl"):
            found, expected = lines_of(f"{folder}/{file}"), lines_of(f"{whole}/{file}")
            if found != expected:
                differing = [pair for pair in zip(found or [], expected or []) if pair[0] != pair[1]]
                sys.exit(f"{self.name}: {file} differs: {differing[:1]}")


def budget(command):
    """Less than what a run says that it takes, so that it runs each batch in two parts. The least that is enough would not do:
    how many parts that makes depends on what the process itself takes, which is not the same each time."""
    found = subprocess.run([*command, "--memory", "16MiB", "--out", "refused"], capture_output=True, text=True)
    takes = re.search(r"takes ([0-9.]+) MiB at its peak", found.stderr)
    if takes is None:
        sys.exit(f"expected to be told how much memory it takes: {found.stderr}")
    return f"{float(takes[1]) - 3.5:.1f}MiB"


def kinds(program, bucket_run):
    train = [program, "train"]
    resume = lambda folder: [program, "resume", folder]

    def trained(name, *arguments, steps="11"):
        begin = lambda folder: [*train, *arguments, "--out", folder, "--checkpoint-steps", steps]
        return Kind(name, begin, resume, ["model.keras", "best.keras"])

    photos = ("photos", "--loss", "sparse_categorical_crossentropy", "--on-bad-record", "skip", "--max-bad", "0.1",
              "--augment", "flip,rotation=0.1", "--validation-split", "0.4")
    yield trained("photos, some of them bad", "photos.json", *photos, "--batch-size", "4", "--epochs", "3",
                  "--early-stopping", "--patience", "4")
    wide = ("wide.json", *photos, "--batch-size", "36", "--no-recompute", "--no-spill")
    yield trained("photos in parts", *wide, "--epochs", "3", "--memory", budget([*train, *wide]), steps="1")
    # The same command begins and goes on.
    table = trained("a table", "table.json", "table.csv", "--target", "price", "--loss", "mse", "--epochs", "6",
                    "--validation-split", "0.2", "--schedule", "cosine", "--clipnorm", "1")
    table.go_on = table.begin
    yield table
    timed = trained("a table for a short time", "table.json", "table.csv", "--target", "price", "--loss", "mse",
                    "--epochs", "40", "--validation-split", "0.7")
    timed.go_on = lambda folder: [*resume(folder), "--max-time", "0.1s"]
    yield timed
    buckets = lambda folder: [bucket_run, folder, f"{folder}/model.weights.h5"]
    yield Kind("sequences in buckets", buckets, buckets, ["model.weights.h5", "model.keras"])


def chosen_kinds(program, bucket_run):
    words = [word for word in os.environ.get("PLIMSOLL_KINDS", "").split(",") if word]
    found = [kind for kind in kinds(program, bucket_run) if not words or any(word in kind.name for word in words)]
    return found or sys.exit(f"PLIMSOLL_KINDS: no kind of run has one of {words} in its name")


def new_folder(kind, folder):
    shutil.rmtree(folder, ignore_errors=True)
    if "bucket" in kind.name:
        os.makedirs(folder)
    return folder


def run_whole(kind):
    """The folder of a run that is not killed, and the seconds that it took."""
    start = time.monotonic()
    whole = new_folder(kind, f"whole_{kind.name.split()[0]}_{kind.name.split()[-1]}")
    kind.run(whole)
    seconds = time.monotonic() - start
    if "in parts" in kind.name and json.load(open(f"{whole}/run.json"))["plan"]["parts"] < 2:
        sys.exit(f"{kind.name}: a batch is not run in parts")
    return whole, seconds


def run_and_kill(kind, folder, seconds, chance):
    """Kills it until it is done; returns how often it was killed."""
    ends = []
    while not kind.is_done(folder):
        # A process that is killed too early makes no progress: the time grows with each try.
        after = chance.uniform(0, 0.5 * seconds) * (1 + len(ends) / 10)
        ends.append(kind.run(folder, after, chance.choice((0, 0, 0, chance.uniform(0, 0.1)))))
        if ends[-1] == "done":
            break
    return ends.count("killed")


def check(kind, kills, chance):
    whole, seconds = run_whole(kind)
    killed = runs = 0
    while killed < kills:
        folder = new_folder(kind, f"killed_{runs}")
        runs += 1
        killed += run_and_kill(kind, folder, seconds, chance)
        kind.compare(folder, whole)
        shutil.rmtree(folder)
    print(f"{kind.name}: {runs} runs, {killed} kills, all as the run of {seconds:.1f} s that was not killed", flush=True)


def main():
    program, bucket_run, kills = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(10**6)
    print(f"seed {seed}", flush=True)
    chance = random.Random(seed)
    chosen = chosen_kinds(program, bucket_run)
    for kind in chosen:
        check(kind, -(-kills // len(chosen)), chance)


if __name__ == "__main__":
    main()
