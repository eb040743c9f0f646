"""What importing the package costs beyond NumPy."""

import subprocess
import sys

import pytest

MOST_CPU_SECONDS = 0.25
MOST_MEGABYTES = 30

# Memory is all that is resident, pages of shared objects included.
PROGRAM = """
import resource, sys
import numpy

def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime

def resident_megabytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6

cpu, memory = cpu_seconds(), resident_megabytes()
exec(sys.argv[1])
print(cpu_seconds() - cpu, resident_megabytes() - memory)
"""


def cost_of(statements: str) -> tuple[float, float]:
    """CPU seconds and megabytes; the least of five runs, because other work on the machine adds to them."""
    run = [sys.executable, "-c", PROGRAM, statements]
    runs = [subprocess.run(run, capture_output=True, text=True, check=True) for _ in range(5)]
    costs = [tuple(float(number) for number in one.stdout.split()) for one in runs]
    return min(cpu for cpu, _ in costs), min(memory for _, memory in costs)


# Modules are made when they are first used, so an import alone says little.
FIRST_USE = "import plimsoll.tensorflow as tf; tf.keras.layers.Dense; tf.data.Dataset; tf.constant(1.0)"


@pytest.mark.parametrize("statements", ["import plimsoll", "import plimsoll.keras", FIRST_USE])
def test_an_import_is_cheap_beyond_numpy(statements):
    cpu, megabytes = cost_of(statements)
    print(f"{statements}: {cpu:.3f} s of CPU, {megabytes:.1f} MB")
    assert cpu <= MOST_CPU_SECONDS
    assert megabytes <= MOST_MEGABYTES
