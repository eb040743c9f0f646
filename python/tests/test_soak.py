"""Tensors, models and data sets may be freed by any thread and by the garbage collector, at any time."""

import subprocess
import sys
from pathlib import Path


def test_threads_make_use_and_drop_what_others_made():
    program = Path(__file__).parent / "soak.py"
    run = subprocess.run(
        [sys.executable, str(program), "20"], capture_output=True, text=True, timeout=900
    )
    assert run.returncode == 0, run.stderr[-4000:]
    assert run.stdout.splitlines()[-1].endswith("in 20 s, 0 failed")
