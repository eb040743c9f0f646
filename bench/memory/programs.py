"""Runs a program to its end, in a memory group where asked, and reads what it said."""

import ctypes
import json
import os
import resource
import signal
import subprocess
from dataclasses import dataclass, field

DOES_NOT_FIT = 4  # memory_bench's exit code where fit refuses
BUSY_SHARE = 0.1
TIMEOUT = 3600  # seconds
ENVIRONMENT = {}  # what every program gets beside the environment of this one


class Failed(Exception):
    pass


@dataclass
class Outcome:
    """How a program ended."""

    code: int  # below 0: the signal that ended it; None: it took longer than TIMEOUT
    said: list = field(default_factory=list)  # JSON lines of its standard output
    error: str = ""  # the last line of its standard error

    @property
    def is_done(self):
        return self.code == 0

    @property
    def was_killed(self):
        return self.code == -signal.SIGKILL


LIBC = ctypes.CDLL(None)


def run(command, environment=None, group=None):
    """Runs it to its end; with `group` (a MemoryGroup) inside of it."""

    def prepare():
        PR_SET_PDEATHSIG = 1
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # it does not outlive this program
        if group:
            group.enter()

    process = subprocess.Popen(
        [str(word) for word in command],
        env={**os.environ, **ENVIRONMENT, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=prepare,
    )
    try:
        output, errors = process.communicate(timeout=TIMEOUT)
        code = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        output, errors = process.communicate()
        code = None
    finally:
        process.kill()  # where this program is being ended; else it has ended itself
        process.wait()
    said = [json.loads(line) for line in output.splitlines() if line.startswith(("{", "["))]
    return Outcome(code, said, (errors.strip().splitlines() or ["it said nothing"])[-1])


class Refused(Exception):
    """fit cannot do it in the memory it was given: what it said."""


def plimsoll(arguments, *words):
    """What memory_bench says."""
    outcome = run([arguments.program, *words])
    if outcome.code == DOES_NOT_FIT:
        raise Refused(outcome.error)
    if not outcome.is_done:
        raise Failed(f"memory_bench {' '.join(map(str, words))} ended with {outcome.code}: {outcome.error}")
    return outcome.said[0]


class OtherWork:
    """The share of the machine's cores that other processes than ours and our children took."""

    def __enter__(self):
        self.begin = self.read()
        return self

    def __exit__(self, *_):
        busy, total = (now - then for now, then in zip(self.read(), self.begin))
        self.share = max(0.0, busy / max(1, total))

    @staticmethod
    def read():
        with open("/proc/stat") as stat:
            user, nice, system, idle, waiting, *_ = map(int, stat.readline().split()[1:])
        own = 0.0
        for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
            used = resource.getrusage(whose)
            own += used.ru_utime + used.ru_stime
        busy = user + nice + system
        return busy - own * os.sysconf("SC_CLK_TCK"), busy + idle + waiting

    def is_much(self):
        return self.share > BUSY_SHARE

    def __str__(self):
        return f"other work took {self.share:.0%} of the machine meanwhile"
