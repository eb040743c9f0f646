"""check_links.py ROOT DOCUMENT…: every link leads to a file that exists and to an anchor that it has.

Prints FILE:LINE and the link for each one that does not; the exit code is 1 if there is one.
"""
import pathlib
import sys

import document


def fault_of(root: pathlib.Path, name: pathlib.PurePath, target: str) -> str:
    """What is wrong with a link of a document; empty if it leads somewhere."""
    path, anchor = document.resolve(name, target)
    if not (root / path).exists():
        return f"the link to {target} leads nowhere: there is no {path}"
    if anchor and path.suffix == ".md":
        lines = (root / path).read_text(encoding="utf-8").splitlines()
        if anchor not in document.anchors_of(lines):
            return f"the link to {target} leads nowhere: no heading of {path} has the anchor #{anchor}"
    return ""


def main() -> int:
    """The exit code."""
    root, faults = pathlib.Path(sys.argv[1]), 0
    for name in map(pathlib.PurePath, sys.argv[2:]):
        lines = (root / name).read_text(encoding="utf-8").splitlines()
        for number, target in document.targets(lines):
            if fault := fault_of(root, name, target):
                print(f"{name}:{number}: {fault}")
                faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
