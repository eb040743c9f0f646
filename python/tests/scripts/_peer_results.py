"""The results of the scripts on the real TensorFlow, computed once and kept in the user's cache."""

import ast
import hashlib
import json
import os
import subprocess
from pathlib import Path

import numpy as np
from _keras_home import make_keras_home

FOLDER = Path(__file__).resolve().parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "plimsoll"
REAL_PYTHON = CACHE / "peers" / "bin" / "python"
SHAPES = FOLDER / "shapes.json"


def scripts():
    return sorted(FOLDER.glob("[0-9][0-9]_*.py"))


def keras_home():
    """A Keras cache folder with made-up data sets, of which both systems read."""
    return make_keras_home(CACHE / "scripts" / f"keras_{_hash('_keras_home.py')}")


def result_path(script):
    """Where the real results of a script with this content are, or will be."""
    return CACHE / "scripts" / f"{_hash('_same.py', '_keras_home.py', script.name)}.npz"


def compute(chosen):
    """Runs the scripts that have no results yet, all in one process, for TensorFlow starts slowly.

    TensorFlow may crash after many scripts: what is left is tried again while that gets further.
    """
    missing, before = without_results(chosen), None
    while missing and missing != before:
        pairs = [str(part) for script in missing for part in (script, result_path(script))]
        command = [str(REAL_PYTHON), str(FOLDER / "_real_tensorflow.py"), *pairs]
        environment = {**os.environ, "KERAS_HOME": str(keras_home())}
        subprocess.run(command, env=environment, check=False, stderr=subprocess.DEVNULL)
        missing, before = without_results(chosen), missing


def without_results(chosen):
    return [script for script in chosen if not result_path(script).exists()]


def log(script):
    """What the script wrote on the real TensorFlow, a traceback included."""
    path = Path(f"{result_path(script)}.txt")
    return path.read_text(errors="replace") if path.exists() else "(there is no log)"


def read(path):
    """The results in a file, and the tolerances that the script asked for."""
    with np.load(path) as file:
        results = {name: file[name] for name in file.files}
    return results, json.loads(str(results.pop("/tolerances")))


def shape_of(array):
    """'float 3x4' for an array: the kind of its elements and its shape."""
    kind = {"f": "float", "i": "int", "u": "int", "b": "bool", "U": "text"}[array.dtype.kind]
    return " ".join([kind, "x".join(map(str, array.shape))]).strip()


def freeze_shapes():
    """Writes the shapes of all real results, one line per script."""
    compute(scripts())
    lines = []
    for script in scripts():
        results, _ = read(result_path(script))
        shapes = {name: shape_of(array) for name, array in sorted(results.items())}
        lines.append(f"{json.dumps(script.name)}: {json.dumps(shapes)}")
    SHAPES.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def _hash(*names):
    """A hash of what the files say in Python; comments and line breaks have no part in it."""
    digest = hashlib.sha256()
    for name in names:
        digest.update(ast.dump(ast.parse((FOLDER / name).read_text())).encode())
    return digest.hexdigest()[:24]


if __name__ == "__main__":
    freeze_shapes()
