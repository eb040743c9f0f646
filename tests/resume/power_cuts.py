"""Cuts the power after each change that a run makes to its files, from the first to the last.

    power_cuts.py PROGRAM few|all [SEED]

A run that begins, one that replaces an earlier run (--overwrite), and one that goes on, each with checkpoints, its log and the
models that it saves. A first run under strace shows what it does; traced_disk.py knows what is on the disk for sure after each
call, and what may be. For states that a cut may leave, by chance thirty of a case or ("all") 500, the folder has a model of before
or a new one, both whole, and the same command again ends as the run that was not stopped. Prints a line per case. Ends with 77
if strace is not here.
"""

import copy
import hashlib
import os
import random
import shutil
import sys

from kill import kinds
from kill_at_calls import expect_strace
from kill_at_files import cases
from traced_disk import Disk, run_traced

ROOTS = ("killed", ".killed.new")
STATES = {"few": 30, "all": 500}  # of each case; there are some thousands


def write_tree(tree):
    for root in ROOTS:
        shutil.rmtree(root, ignore_errors=True)
    for path, contents in tree.items():  # a folder is before what is in it
        if contents is None:
            os.mkdir(path)
        else:
            with open(path, "wb") as file:
                file.write(contents)


def tree_of_folder():
    disk = Disk.of(ROOTS)
    return disk.after_cut([])


def name_of(tree):
    name = hashlib.md5()
    for path in sorted(tree):
        name.update(repr((path, tree[path])).encode())
    return name.digest()


def states(calls, disk, seed, share):
    """What a cut may leave after a share of the calls, each once: the number of the call, its name, and the files."""
    known = set()
    for number, call in enumerate(calls):
        chance = random.Random(seed + number)
        if not disk.do(call) or chance.random() > share:
            continue
        for survivors in disk.cuts(chance):
            tree = disk.after_cut(survivors)
            if (name := name_of(tree)) not in known:
                known.add(name)
                yield number, call[0], tree


def check(case, whole, most, seed):
    command = case.begin()
    before = Disk.of(ROOTS)
    calls = run_traced(command, "trace")
    case.kind.compare("killed", whole)
    disk, share = copy.deepcopy(before), min(1, most / 500)
    count = sum(1 for _ in states(calls, disk, seed, share))
    if disk.after_cut(disk.pending) != tree_of_folder():
        sys.exit(f"{case.name}: what was traced is not what the run left")
    chosen = set(random.Random(seed).sample(range(count), min(most, count)))
    for i, (number, call, tree) in enumerate(states(calls, copy.deepcopy(before), seed, share)):
        if i not in chosen:
            continue
        write_tree(tree)
        with open("at", "w") as file:
            file.write(f"{case.name}: the power is cut after call {number}, {call}\n")
        case.check_models(whole)
        case.go_on(whole)
    print(f"{case.name}: {len(chosen)} states after power cuts at {len(calls)} calls, all end as the run that was not stopped", flush=True)


def main():
    program, most = sys.argv[1], STATES[sys.argv[2]]
    expect_strace()
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(10**6)
    print(f"seed {seed}", flush=True)
    kind = next(kind for kind in kinds(program, "") if kind.name == "a table")
    shutil.rmtree("whole_files", ignore_errors=True)
    kind.run("whole_files")
    for case in cases(kind):
        check(case, "whole_files", most, seed)


if __name__ == "__main__":
    main()
