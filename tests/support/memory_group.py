"""A memory cgroup, of version 1 or 2, that holds what a program may take, without swap.

    memory_group.py why_none            prints why no group can be made here; nothing if one can
    memory_group.py make NAME BYTES     makes a group and prints its folder

A process enters a group when its number is written to cgroup.procs; rmdir removes an empty group. Version 2 has the
controller of memory in a group only if its parent hands it down: that is switched on here, and left on.
"""

import contextlib
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path("/sys/fs/cgroup")
PROBE_BYTES = 64 << 20


class MemoryGroup:
    """A context manager; OSError with the reason if such a group cannot be made here."""

    def __init__(self, limit_bytes, name=None, root=ROOT):
        self.limit_bytes = limit_bytes
        self.root = root
        self.name = name or f"plimsoll_bench_{os.getpid()}"
        self.folder = None

    def __enter__(self):
        parent, limits = self._parent_and_limits()
        self.folder = parent / self.name
        self.make_folder()
        try:
            for file, value, is_needed in limits:
                if is_needed or (self.folder / file).exists():
                    (self.folder / file).write_text(str(value))
        except OSError:
            self.remove_folder()
            raise
        return self

    def __exit__(self, *_):
        # The last process may still be on its way out.
        for _ in range(50):
            with contextlib.suppress(OSError):
                self.remove_folder()
                return
            time.sleep(0.1)

    def enter(self):
        """In a child, before it becomes the program."""
        (self.folder / "cgroup.procs").write_text("0")

    def make_folder(self):
        self.folder.mkdir()

    def remove_folder(self):
        self.folder.rmdir()

    def _parent_and_limits(self):
        """Where groups are made, and the files that limit them: name, value, False if a kernel may lack it."""
        limit = self.limit_bytes
        version1 = self.root / "memory"
        if (version1 / "memory.limit_in_bytes").exists():
            return version1, [("memory.limit_in_bytes", limit, True), ("memory.memsw.limit_in_bytes", limit, False)]
        self._hand_down_memory()
        return self.root, [("memory.max", limit, True), ("memory.swap.max", 0, False)]

    def _hand_down_memory(self):
        controllers = self.root / "cgroup.controllers"
        if not controllers.exists():
            raise OSError(f"there are no memory cgroups in {self.root}")
        if "memory" not in controllers.read_text().split():
            raise OSError(f"{controllers} does not name memory")
        handed_down = self.root / "cgroup.subtree_control"
        if "memory" in handed_down.read_text().split():
            return
        try:
            handed_down.write_text("+memory")
        except OSError as error:
            # As in a container, whose processes are in this very group.
            raise OSError(f"{handed_down} does not take +memory: {error.strerror}") from None


def why_none(root=ROOT):
    """Why no group can be made and entered here; empty if one can."""
    try:
        with MemoryGroup(PROBE_BYTES, f"plimsoll_probe_{os.getpid()}", root) as group:
            entered = subprocess.run(
                ["sh", "-c", 'echo $$ >"$0/cgroup.procs"', group.folder], capture_output=True, text=True, check=False
            )
    except OSError as error:
        return str(error)
    if entered.returncode != 0:
        return f"{group.folder} cannot be entered: {entered.stderr.strip()}"
    return ""


def main(command, *arguments):
    if command == "why_none":
        print(why_none())
        return
    name, limit_bytes = arguments
    try:
        print(MemoryGroup(int(limit_bytes), name).__enter__().folder)
    except OSError as error:
        raise SystemExit(f"memory_group.py: {error}") from None


if __name__ == "__main__":
    main(*sys.argv[1:])
