"""The results of the real TensorFlow for the expressions of tf_ops_cases.py and keras_ops_cases.py."""
import functools
import hashlib
import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

FOLDER = pathlib.Path(__file__).parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "plimsoll"
REAL_PYTHON = CACHE / "peers" / "bin" / "python"


@functools.cache
def real() -> dict:
    """Computed once for each version of the expressions, and kept outside of the tree."""
    files = [FOLDER / "tf_ops_cases.py", FOLDER / "keras_ops_cases.py"]
    key = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]
    kept = CACHE / "ops" / f"{key}.json"
    if not kept.exists():
        if not REAL_PYTHON.exists():
            pytest.skip("the environment of the real TensorFlow is not there; make it with ./dev peers")
        kept.parent.mkdir(parents=True, exist_ok=True)
        beside = kept.with_suffix(f".{os.getpid()}")
        subprocess.run([REAL_PYTHON, files[0], beside], check=True, capture_output=True, timeout=1800)
        os.replace(beside, kept)
    return json.loads(kept.read_text(encoding="utf-8"))


def difference(ours: list, theirs: list) -> str | None:
    """How a result differs from the real one; None if it does not."""
    if ours[:2] != theirs[:2]:
        return f"{ours[0]}{ours[1]} {ours[2] if ours[0] == 'error' else ''}, expected {theirs[:2]}"
    if theirs[2] is None:
        return None
    if "float" not in theirs[0]:
        return None if ours[2] == theirs[2] else f"{ours[2]}, expected {theirs[2]}"
    a, b = np.array(ours[2]), np.array(theirs[2])
    return None if np.allclose(a, b, 1e-4, 1e-5, equal_nan=True) else f"{a}, expected {b}"
