"""The planned peak of fit() is what the process holds at most, the interpreter included."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from planned_runs import RUNS, UNPLANNED

PROGRAM = Path(__file__).parent / "planned_runs.py"


def numbers_of(name: str) -> dict:
    run = subprocess.run([sys.executable, str(PROGRAM), name], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr[-2000:]
    return json.loads(run.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", RUNS)
def test_the_planned_peak_is_what_the_process_held(name):
    found = numbers_of(name)
    allowed_mib = max(0.02 * found["peak_mib"], 8)
    assert abs(found["planned_mib"] - found["peak_mib"]) <= allowed_mib, found


@pytest.mark.parametrize("name", UNPLANNED)
def test_large_arrays_are_cast_batch_by_batch(name):
    """All of it cast would be 160 MiB of the floats, and 1.3 GiB of the bytes."""
    assert numbers_of(name)["grown_mib"] < 100
