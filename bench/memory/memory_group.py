"""A memory cgroup (version 1) that holds what a program may take, without swap."""

import contextlib
import os
import pathlib
import time

ROOT = pathlib.Path("/sys/fs/cgroup/memory")


class MemoryGroup:
    """A context manager; OSError where such a group cannot be made here."""

    def __init__(self, limit_bytes):
        self.limit_bytes = limit_bytes
        self.folder = ROOT / f"plimsoll_bench_{os.getpid()}"

    def __enter__(self):
        if not (ROOT / "memory.limit_in_bytes").exists():
            raise OSError(f"there are no memory cgroups of version 1 in {ROOT}")
        self.folder.mkdir()
        try:
            (self.folder / "memory.limit_in_bytes").write_text(str(self.limit_bytes))
            with_swap = self.folder / "memory.memsw.limit_in_bytes"
            if with_swap.exists():
                with_swap.write_text(str(self.limit_bytes))
        except OSError:
            self.folder.rmdir()
            raise
        return self

    def enter(self):
        """In a child, before it becomes the program."""
        (self.folder / "cgroup.procs").write_text("0")

    def __exit__(self, *_):
        # The last process may still be on its way out.
        for _ in range(50):
            with contextlib.suppress(OSError):
                self.folder.rmdir()
                return
            time.sleep(0.1)


def why_none():
    """Why no group can be made here; empty where one can."""
    try:
        with MemoryGroup(64 << 20):
            return ""
    except OSError as error:
        return str(error)
