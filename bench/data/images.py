"""Part `images`: decode, resize, flip and batch 2,000 JPEG files, beside the peers."""

import os
import pathlib
import subprocess

import turns

COUNT = 2000
BATCH = 32
# As they come and the best tuned ones; README.md says how they were chosen.
PEERS = ("tensorflow", "tensorflow:fixed", "tensorflow:batch_flip+malloc", "torch", "torch:deep", "torch:tensor")
# (ours, peer, how many times as fast at least): against the best of that peer's variants.
TARGETS = (("exact", "tensorflow", 1.3), ("exact", "torch", 2.5), ("fast", "tensorflow", 1.6))
# Another way to read pictures than PyTorch's users have; shown, and not what the target is about.
ASIDE = ("torch:tensor",)


def pictures(arguments):
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    folder = cache / "plimsoll" / "bench_pictures"
    subprocess.run([arguments.python, turns.HERE / "make_pictures.py", folder, str(COUNT)], check=True)
    return folder


def make_turns(arguments, folder):
    for mode in ("exact", "fast"):
        yield turns.Turn(mode, [arguments.program, "images", folder, mode])
    for name in arguments.peer or PEERS:
        peer, _, variant = name.partition(":")
        script = turns.HERE / f"{peer}_images.py"
        yield turns.Turn(name, [arguments.python, script, folder, "--variant", variant or "default"])


def print_table(results):
    ours = results[0]
    print(f"pictures of 500x375 to batches of {BATCH}x224x224x3, 2 cores; ratios are exact's advantage")
    print(f"{'':30} {'images/s':>9} {'ratio':>7} {'CPU ms':>8} {'ratio':>7} {'peak RSS':>9}")
    for row in results:
        rate = BATCH / turns.statistics.median(row["round_step_seconds"])
        cpu = turns.statistics.median(row["round_cpu_seconds"]) / BATCH * 1e3
        print(
            f"{row['name']:30} {rate:9.0f} {turns.ratio(row, ours):6.2f}x {cpu:8.2f}"
            f" {turns.ratio(row, ours, 'round_cpu_seconds'):6.2f}x {row['peak_rss_kib'] / 1024:5.0f} MiB"
        )


def verdicts(results):
    by_name = {row["name"]: row for row in results}
    for ours, peer, target in TARGETS:
        rivals = [row for row in results if row["name"].partition(":")[0] == peer and row["name"] not in ASIDE]
        if not rivals:
            continue
        best = min(rivals, key=lambda row: turns.ratio(row, by_name[ours]))
        found = turns.ratio(best, by_name[ours])
        yield {"ours": ours, "peer": best["name"], "ratio": found, "target": target, "is_met": found >= target}


def run(arguments):
    folder = pictures(arguments)
    running = list(make_turns(arguments, folder))
    share = turns.take_turns(running, arguments.rounds, steps=COUNT // BATCH // 2, warm_up=10)
    results = [turn.result() for turn in running]
    print_table(results)
    judged = list(verdicts(results))
    for one in judged:
        print(
            f"{one['ours']}: {one['ratio']:.2f}x as fast as the best of {one['peer']}; target {one['target']}x:"
            f" {'met' if one['is_met'] else 'missed'}"
        )
    return {"programs": results, "targets": judged, "other_work_share": share}
