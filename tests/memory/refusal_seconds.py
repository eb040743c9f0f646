"""refusal_seconds.py PLIMSOLL FOLDER: refusals of large models, and plans of them, are found in 5 seconds of a processor.

The time of the processor is counted, not that of the clock, and half as much again is let pass: on a machine that does
other things at the same time, caches are colder. FOLDER has what make_models.py and make_networks.py write.
"""
import re
import resource
import subprocess
import sys

SECONDS, SLACK = 5, 1.5
# Model, its records, the batch, the memory.
CASES = [
    ("efficientnet_b0", "images", 32, "400MiB"),
    ("resnet50", "images", 64, "400MiB"),
    ("deep", "deep", 4096, "1MiB"),
    ("deep", "deep", 4096, "64MiB"),
    ("deep", "deep", 4096, "120MiB"),
]
REFUSED = 4


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def timed(command):
    before = processor_seconds()
    done = subprocess.run(command, capture_output=True, text=True)
    return done, processor_seconds() - before


def check(plimsoll, folder, model, records, batch, memory):
    """The line to print, or an exit."""
    options = ["--batch-size", str(batch), "--memory", memory, "--loss", "mse", "--optimizer", "adam"]
    path = f"{folder}/{model}.json"
    train = [plimsoll, "train", path, f"{folder}/{records}.npz", "--out", f"{folder}/refused", *options]
    taken = {}
    for name, command, code in (("train", train, REFUSED), ("plan", [plimsoll, "plan", path, *options], 0)):
        done, taken[name] = timed(command)
        named = re.search(r"it can be done in [0-9.]+ MiB", done.stdout + done.stderr)
        what = f"tests/memory: {name} of {model} at a batch of {batch} in {memory}"
        if done.returncode != code or not named:
            sys.exit(f"{what} is not refused: {done.returncode}, {done.stderr[-500:]}")
        if taken[name] > SECONDS * SLACK:
            sys.exit(f"{what} is refused in {taken[name]:.1f} s, expected {SECONDS} s and half as much again")
    times = ", ".join(f"{name} in {seconds:.1f} s" for name, seconds in taken.items())
    return f"{model} at a batch of {batch} in {memory}: refused by {times}; {named[0]}"


for case in CASES:
    print(check(sys.argv[1], sys.argv[2], *case))
