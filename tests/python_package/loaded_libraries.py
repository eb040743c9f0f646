"""Checks that an installed plimsoll loads nothing from outside but the libraries of C and C++."""

import os
import re
import sys

OUTSIDE = re.compile(r"(ld-linux-x86-64|libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s)\.so")


def loaded_libraries() -> set[str]:
    with open("/proc/self/maps") as maps:
        paths = {line.split(maxsplit=5)[5].strip() for line in maps if "/" in line}
    return {os.path.realpath(path) for path in paths if ".so" in path}


import numpy  # noqa: E402, F401

before = loaded_libraries()

import plimsoll  # noqa: E402
from plimsoll import _core  # noqa: E402, F401

home = os.path.dirname(os.path.dirname(os.path.realpath(plimsoll.__file__)))
if not home.startswith(os.path.realpath(sys.prefix)):
    sys.exit(f"plimsoll comes from {home}, not from the environment {sys.prefix}")
foreign = [
    path
    for path in sorted(loaded_libraries() - before)
    if not path.startswith(home + os.sep) and not OUTSIDE.match(os.path.basename(path))
]
if foreign:
    sys.exit(f"plimsoll loads libraries of this machine: {', '.join(foreign)}")
