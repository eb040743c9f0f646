"""What a program did to files, from a trace of its system calls, and what a power cut may leave of it.

    trace = run_traced(command, "trace", roots=["run", ".run.new"])
    disk = Disk.of(folder, roots)
    for step in trace: disk.do(step)
    disk.after_cut(survivors)  # {"run/run.json": b"…", "run/checkpoints": None, …}

What is synced survives. Everything else (writes, names that were made, renamed and removed) may survive or not, each by itself;
a rename is one change, also between two folders.
"""

import os
import re
import subprocess

CALLS = ("openat", "creat", "write", "pwrite64", "writev", "pwritev", "ftruncate", "truncate", "fallocate", "fsync", "fdatasync",
         "rename", "renameat", "renameat2", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "link", "linkat", "symlink",
         "copy_file_range", "sendfile", "close", "dup", "dup2", "fcntl")


def run_traced(command, trace):
    """The calls that did not fail, as (name, arguments, result), in the order in which they ended."""
    with open("output", "w") as output:
        subprocess.run(["strace", "-f", "-xx", "-s", "1000000000", "-o", trace, "-e", "trace=" + ",".join(CALLS), *command],
                       stdout=output, stderr=subprocess.STDOUT, check=True)
    begun, calls = {}, []
    with open(trace, errors="replace") as file:
        for line in file:
            process, text = line.rstrip("\n").split(None, 1)
            if text.endswith("<unfinished ...>"):
                begun[process] = text.removesuffix("<unfinished ...>")
                continue
            if resumed := re.match(r"<\.\.\. \w+ resumed>(.*)", text):
                text = begun.pop(process) + resumed[1]
            if found := re.match(r"(\w+)\((.*)\)\s+= (\d+)", text):
                calls.append((found[1], split(found[2]), int(found[3])))
    return calls


def split(text):
    """Strings are all hexadecimal, so that no comma is inside one."""
    return [bytes.fromhex(part.strip().strip('"').replace("\\x", "")) if part.strip().startswith('"') else part.strip()
            for part in text.split(",")]


class Disk:
    """Files and folders by number. `names` and `bytes` are what the program sees, `synced_names` and `synced_bytes` what is on
    the disk for sure."""

    CWD = 0

    def __init__(self, roots):
        self.roots = set(roots)
        self.names, self.synced_names = {self.CWD: {}}, {self.CWD: {}}
        self.bytes, self.synced_bytes = {}, {}
        self.count = 1
        self.open_files, self.places = {}, {}
        self.pending = []  # changes: (kind, …), of which nothing is synced
        self.here = os.getcwd()

    @staticmethod
    def of(roots):
        """With what is there now, all of it synced."""
        disk = Disk(roots)
        for root in roots:
            if os.path.isdir(root):
                disk.synced_names[Disk.CWD][root] = disk.names[Disk.CWD][root] = disk.load(root)
        return disk

    def load(self, path):
        number = self.new()
        if not os.path.isdir(path):
            with open(path, "rb") as file:
                self.synced_bytes[number] = self.bytes[number] = file.read()
            return number
        inside = {name: self.load(f"{path}/{name}") for name in os.listdir(path)}
        self.names[number], self.synced_names[number] = inside, dict(inside)
        return number

    def new(self):
        self.count += 1
        return self.count

    def find(self, folder, path):
        """The folder that a path is in, and its name there; nothing where that is not looked at."""
        text = path.decode()
        if text.startswith(self.here + "/"):
            text, folder = text[len(self.here) + 1:], self.CWD
        parts = [part for part in text.split("/") if part not in ("", ".")]
        if text.startswith("/") or not parts or folder is None or (folder == self.CWD and parts[0] not in self.roots):
            return None
        for part in parts[:-1]:
            folder = self.names.get(folder, {}).get(part)
        return (folder, parts[-1]) if folder in self.names else None

    def folder_at(self, text):
        return self.CWD if text == "AT_FDCWD" else self.open_files.get(int(text))

    # --- what calls do ---

    def change(self, *change):
        self.apply(change, self.names, self.bytes)
        self.pending.append(change)

    def do(self, call):
        """True if it changed or synced anything."""
        name, arguments, result = call
        before = len(self.pending), self.synced_count()
        handler = getattr(self, "do_" + name, None)
        if handler:
            handler(arguments, result)
        elif any(part.isdigit() and self.open_files.get(int(part)) in self.bytes for part in arguments[:2] if isinstance(part, str)):
            raise SystemExit(f"traced_disk.py: it is not known what {name} does to a file")
        return before != (len(self.pending), self.synced_count())

    def synced_count(self):
        return getattr(self, "syncs", 0)

    def do_openat(self, arguments, result):
        self.open_files.pop(result, None)
        self.places[result] = 0
        flags = arguments[2]
        if "O_TMPFILE" in flags:
            return
        if arguments[1] in (b".", self.here.encode()) and arguments[0] == "AT_FDCWD":
            self.open_files[result] = self.CWD
            return
        found = self.find(self.folder_at(arguments[0]), arguments[1])
        if found is None:
            return
        folder, name = found
        if name not in self.names[folder] and "O_CREAT" in flags:
            number = self.new()
            self.bytes[number] = self.synced_bytes[number] = b""
            self.change("name", folder, name, number)
        elif "O_TRUNC" in flags and self.bytes.get(self.names[folder].get(name)):
            self.change("size", self.names[folder][name], 0)
        self.open_files[result] = self.names[folder].get(name)

    def do_close(self, arguments, _):
        self.open_files.pop(int(arguments[0]), None)

    def do_fcntl(self, arguments, result):
        if "F_DUPFD" in arguments[1]:
            self.open_files[result] = self.open_files.get(int(arguments[0]))
            self.places[result] = self.places.get(int(arguments[0]), 0)

    def do_write(self, arguments, result):
        number = int(arguments[0])
        if self.open_files.get(number) in self.bytes:
            self.change("write", self.open_files[number], self.places[number], arguments[1][:result])
            self.places[number] += result

    def do_pwrite64(self, arguments, result):
        if (file := self.open_files.get(int(arguments[0]))) in self.bytes:
            self.change("write", file, int(arguments[3]), arguments[1][:result])

    def do_ftruncate(self, arguments, _):
        if (file := self.open_files.get(int(arguments[0]))) in self.bytes:
            self.change("size", file, int(arguments[1]))

    def do_fallocate(self, arguments, _):
        end = int(arguments[2]) + int(arguments[3])
        if (file := self.open_files.get(int(arguments[0]))) in self.bytes and arguments[1] == "0":
            self.change("size", file, max(end, len(self.bytes[file])))

    def do_mkdir(self, arguments, _):
        if found := self.find(self.CWD, arguments[0]):
            number = self.new()
            self.names[number], self.synced_names[number] = {}, {}
            self.change("name", *found, number)

    def do_rename(self, arguments, _):
        old, new = self.find(self.CWD, arguments[0]), self.find(self.CWD, arguments[1])
        if old and new:
            self.change("rename", *new, self.names[old[0]][old[1]], *old)

    def do_unlink(self, arguments, _):
        if found := self.find(self.CWD, arguments[0]):
            self.change("unname", *found, self.names[found[0]][found[1]])

    do_rmdir = do_unlink

    def do_unlinkat(self, arguments, _):
        if found := self.find(self.folder_at(arguments[0]), arguments[1]):
            self.change("unname", *found, self.names[found[0]][found[1]])

    def do_fsync(self, arguments, _):
        """Of a folder: its names, with what is in one change with them."""
        target, self.syncs = self.open_files.get(int(arguments[0])), self.synced_count() + 1
        folders, committed = {target}, []
        for change in reversed(self.pending):
            involved = self.involved(change)
            if involved & folders:
                folders |= involved if target in self.names else set()
                committed.append(change)
        for change in reversed(committed):
            self.apply(change, self.synced_names, self.synced_bytes)
            self.pending.remove(change)

    do_fdatasync = do_fsync

    @staticmethod
    def involved(change):
        return {change[1], change[4]} if change[0] == "rename" else {change[1]}

    @staticmethod
    def apply(change, names, contents):
        kind, target, what, *rest = change
        if kind == "write":
            old = contents.get(target, b"").ljust(what, b"\0")
            contents[target] = old[:what] + rest[0] + old[what + len(rest[0]):]
        elif kind == "size":
            contents[target] = contents.get(target, b"")[:what].ljust(what, b"\0")
        elif kind == "unname":
            if names[target].get(what) == rest[0]:
                del names[target][what]
        else:
            names[target][what] = rest[0]
            if kind == "rename" and names[rest[1]].get(rest[2]) == rest[0]:
                del names[rest[1]][rest[2]]

    # --- the cut ---

    def after_cut(self, survivors):
        """The files by path, and None for folders."""
        names = {folder: dict(inside) for folder, inside in self.synced_names.items()}
        contents = dict(self.synced_bytes)
        for change in survivors:
            self.apply(change, names, contents)
        found = {}

        def walk(folder, place):
            for name, number in names[folder].items():
                found[place + name] = None if number in names else contents.get(number, b"")
                if number in names:
                    walk(number, f"{place}{name}/")

        walk(self.CWD, "")
        return found

    def cuts(self, chance):
        """What may survive: nothing, all, all names, all bytes; and by chance a first part, all but one, and any."""
        is_name = [change[0] not in ("write", "size") for change in self.pending]
        yield []
        yield list(self.pending)
        yield [change for change, named in zip(self.pending, is_name) if named]
        yield [change for change, named in zip(self.pending, is_name) if not named]
        at = chance.randrange(len(self.pending) + 1)
        yield self.pending[:at]
        yield self.pending[:at] + self.pending[at + 1:]
        yield [change for change in self.pending if chance.random() < 0.5]
