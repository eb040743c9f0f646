"""Memory cgroups of both versions, in folders that are like those of a kernel."""

import errno
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from memory_group import MemoryGroup, why_none  # noqa: E402


class FakeGroup(MemoryGroup):
    """In a folder that has the files of a kernel as soon as it is made, and goes with them."""

    files = ()

    def make_folder(self):
        super().make_folder()
        for name in (*self.files, "cgroup.procs"):
            (self.folder / name).touch()

    def remove_folder(self):
        for file in self.folder.iterdir():
            file.unlink()
        super().remove_folder()


class Version1(FakeGroup):
    files = ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes")


class Version2(FakeGroup):
    files = ("memory.max", "memory.swap.max")


class WithoutSwap(FakeGroup):
    files = ("memory.max",)


class MemoryGroups(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def version1(self):
        (self.root / "memory").mkdir()
        (self.root / "memory" / "memory.limit_in_bytes").touch()

    def version2(self, controllers="cpu memory pids", handed_down="cpu memory"):
        (self.root / "cgroup.controllers").write_text(controllers + "\n")
        (self.root / "cgroup.subtree_control").write_text(handed_down + "\n")

    def files_of(self, kind):
        with kind(1 << 20, "group", self.root) as group:
            group.enter()
            found = {file.name: file.read_text() for file in group.folder.iterdir()}
            folder = group.folder
        self.assertFalse(folder.exists())
        return folder.relative_to(self.root), found

    def test_version_1_limits_memory_and_swap_together(self):
        self.version1()
        folder, files = self.files_of(Version1)
        self.assertEqual(str(folder), "memory/group")
        limit = str(1 << 20)
        self.assertEqual(
            files, {"memory.limit_in_bytes": limit, "memory.memsw.limit_in_bytes": limit, "cgroup.procs": "0"}
        )

    def test_version_2_limits_memory_and_allows_no_swap(self):
        self.version2()
        folder, files = self.files_of(Version2)
        self.assertEqual(str(folder), "group")
        self.assertEqual(files, {"memory.max": str(1 << 20), "memory.swap.max": "0", "cgroup.procs": "0"})
        self.assertEqual((self.root / "cgroup.subtree_control").read_text(), "cpu memory\n")

    def test_a_kernel_that_does_not_count_swap_has_no_file_for_it(self):
        self.version2()
        self.assertEqual(set(self.files_of(WithoutSwap)[1]), {"memory.max", "cgroup.procs"})

    def test_version_2_hands_the_controller_down(self):
        self.version2(handed_down="cpu")
        self.files_of(Version2)
        self.assertEqual((self.root / "cgroup.subtree_control").read_text(), "+memory")

    def test_both_versions_at_once_are_used_as_version_1(self):
        self.version1()
        self.version2()
        self.assertEqual(str(self.files_of(Version1)[0]), "memory/group")

    def test_says_why_there_is_no_group(self):
        self.assertIn("there are no memory cgroups", why_none(self.root))
        self.version2(controllers="cpu pids")
        self.assertIn("does not name memory", why_none(self.root))
        self.version2(handed_down="cpu")
        busy = OSError(errno.EBUSY, "Device or resource busy")
        with unittest.mock.patch.object(pathlib.Path, "write_text", side_effect=busy):
            self.assertIn("does not take +memory: Device or resource busy", why_none(self.root))


if __name__ == "__main__":
    unittest.main()
