"""Part `npz`: batches of a .npz file beside memcpy of as many bytes from the page cache."""

import json
import statistics
import subprocess
import tempfile
from pathlib import Path

import npz_file

TARGET = 0.9  # of memcpy's speed
RECORDS = 1792  # of 588 KiB: 1 GiB


def run(arguments):
    with tempfile.TemporaryDirectory(dir=arguments.scratch) as folder:
        file = Path(folder) / "data.npz"
        npz_file.write(file, RECORDS)
        said = subprocess.run(
            [arguments.program, "npz", file, str(arguments.rounds)], check=True, stdout=subprocess.PIPE, text=True
        ).stdout
    results = json.loads(said)
    print(f"batches of 32x224x224x3 floats from a .npz of {results['bytes'] / 2**30:.2f} GiB in the page cache")
    targets = []
    for name in ("memcpy", "in_order", "shuffled"):
        speed = results["bytes"] / statistics.median(results[name]) / 2**30
        ratio = statistics.median(copy / own for copy, own in zip(results["memcpy"], results[name]))
        verdict = "" if name == "memcpy" else f"; target {TARGET}x: {'met' if ratio >= TARGET else 'missed'}"
        print(f"{name:10} {speed:6.2f} GiB/s {ratio:5.2f}x of memcpy{verdict}")
        if name != "memcpy":
            targets.append({"name": name, "ratio": ratio, "target": TARGET, "is_met": ratio >= TARGET})
    return {**results, "targets": targets}
