"""Part `budget`: training on a file that is far larger than the memory of the run, beside data in memory."""

import os
import tempfile
from pathlib import Path

import npz_file
import turns

MEMORY = "512MiB"
TARGET = 1.10  # times the step
STEPS = 20  # a round


def forget(path):
    """The file's pages leave the page cache, so that they are read from the disk."""
    with open(path, "rb") as file:
        os.fdatasync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def run(arguments):
    with tempfile.TemporaryDirectory(dir=arguments.scratch) as folder:
        file = Path(folder) / "data.npz"
        npz_file.write(file, arguments.gib * 2**30 // npz_file.RECORD_BYTES + 1)
        forget(file)
        running = [
            turns.Turn("memory", [arguments.program, "fit", "memory", MEMORY]),
            turns.Turn("file", [arguments.program, "fit", file, MEMORY]),
        ]
        share = turns.take_turns(running, arguments.rounds, steps=STEPS, warm_up=5)
    memory, from_file = results = [turn.result() for turn in running]
    found = turns.ratio(from_file, memory)
    print(f"training on {arguments.gib} GiB (a .npz file, shuffled) in {MEMORY}, beside 64 records in memory")
    for row in results:
        seconds = turns.statistics.median(row["round_step_seconds"])
        print(f"{row['name']:8} a step {seconds * 1e3:7.1f} ms, peak RSS {row['peak_rss_kib'] / 1024:5.0f} MiB")
    print(f"a step takes {found:.3f}x; target {TARGET}x: {'met' if found <= TARGET else 'missed'}")
    return {"programs": results, "ratio": found, "target": TARGET, "is_met": found <= TARGET, "other_work_share": share}
