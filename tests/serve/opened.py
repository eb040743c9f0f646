"""Says which files a server has opened that it has no business with.

    opened.py TRACE FOLDER

TRACE is what 'strace -f -y -e trace=open,openat,readlink,readlinkat' has written, FOLDER what was served, without links in its path.
What may be opened is listed: anything else, wherever a name or a link led, is printed, and the exit code is 1.
"""

import os
import re
import sys

# Of a run; the folders of runs and what is in them are listed too.
FILES = {"run.json", "log.jsonl", "plan.json", "profile.json", "quarantine.jsonl", ".lock"}
ROOMS = {"checkpoints", "bad-steps"}
# What the C library, the libraries of the program and its threads need, and what says who holds the lock of a run.
SYSTEM = re.compile(r"/(usr/)?lib(32|64)?/|/usr/share/(zoneinfo|locale)/|/etc/(ld\.so\.(cache|preload)|localtime|locale\.alias|ssl/openssl\.cnf"
                    r"|gnutls/config|nsswitch\.conf)$|/sys/devices/system/cpu(/|$)|/sys/fs/cgroup/|/dev/(null|urandom)$"
                    r"|/proc/(locks|meminfo|cpuinfo|stat|\d+/(fd|stat|status|maps|exe|cgroup|mountinfo))$|/proc/sys/(vm|kernel)/")
OPENED = re.compile(r"= \d+<(.*)>\s*$")
READ_LINK = re.compile(r'readlink(?:at)?\((?:[^,"]*, )?"([^"]*)".* = \d+\s*$')


def is_of_folder(path, folder):
    if path == folder:
        return True
    if not path.startswith(folder + "/"):
        return False
    name = os.path.basename(path)
    return name in FILES | ROOMS or os.path.isdir(decoded(path))


def decoded(path):
    """strace writes '<' and what is not ASCII in octal."""
    return re.sub(rb"\\(\d{1,3})", lambda it: bytes([int(it[1], 8)]), path.encode()).decode(errors="surrogateescape")


def is_allowed(path, folder):
    return is_of_folder(path, folder) or SYSTEM.match(path) is not None


def main():
    trace, folder = sys.argv[1], os.path.realpath(sys.argv[2])
    found, wrong = set(), set()
    with open(trace, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if opened := OPENED.search(line):
                found.add(opened[1])
                if not is_allowed(opened[1], folder):
                    wrong.add("opened " + opened[1])
            elif link := READ_LINK.search(line):
                if not link[1].startswith("/proc/self/") and not is_allowed(os.path.join(os.path.dirname(folder), link[1]), folder):
                    wrong.add("read the link " + link[1])
    if not any(it.endswith("/log.jsonl") for it in found):
        wrong.add("the trace shows no log of a run, so it shows nothing")
    for sentence in sorted(wrong):
        print(f"opened.py: {sentence}")
    sys.exit(1 if wrong else 0)


main()
