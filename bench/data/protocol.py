"""What the peers that read pictures have in common: bench/peers/step_protocol.py, on a folder instead of a case."""

import argparse
import os
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "peers"))
from step_protocol import ENVIRONMENTS, environment, serve  # noqa: E402, F401

BATCH = 32
SIZE = (224, 224)
WORKERS = 2


def start(known_tokens):
    """Reads FOLDER and --variant; starts again where the environment is not yet the variant's."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--variant", default="default")
    arguments = parser.parse_args()
    chosen = set(arguments.variant.split("+")) - {"default"}
    if chosen - known_tokens - {*ENVIRONMENTS}:
        sys.exit(f"{sys.argv[0]}: unknown variant '{arguments.variant}' (known: {', '.join(sorted(known_tokens))})")
    needed = environment(arguments.variant)
    if any(os.environ.get(key) != value for key, value in needed.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **needed})
    return arguments.folder, chosen
