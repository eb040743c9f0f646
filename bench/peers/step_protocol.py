"""What a program that runs training steps for interleave.py says and hears.

It builds the case, does the first step and prints one line of JSON:
    {"ready": true, "import_rss_kib": .., "import_seconds": .., "first_step_seconds": ..}
first_step_seconds counts from the start of the process. Then it obeys stdin:
    run N    {"steps": N, "seconds": .., "step_seconds": [..]}; a peer adds "cpu_seconds" and "loss"
    quit     {"peak_rss_kib": .., "rss_kib": ..} and it ends
"""

import argparse
import json
import os
import sys
import time

THREADS = 2
# Batch, steps, features and units of the models that are an LSTM and a Dense layer of two classes.
LSTMS = {"lstm": (512, 50, 10, 256), "lstm_1": (1, 20, 5, 32), "lstm_32": (32, 20, 5, 32)}
CASES = ("cnn", "mlp", *LSTMS)

# A big threshold, no trimming and no arenas of limited size keep freed memory mapped, so that it is not
# zeroed page by page again in each step.
KEEP_MEMORY = {
    "MALLOC_MMAP_THRESHOLD_": "4294967296",
    "MALLOC_TRIM_THRESHOLD_": "8589934592",
    "MALLOC_TOP_PAD_": "67108864",
    "MALLOC_ARENA_MAX": "1",
}
# Settings that must be in the environment before the process starts.
ENVIRONMENTS = {
    "malloc": KEEP_MEMORY,
    "hugepages": {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"},
    "jemalloc": {"LD_PRELOAD": "libjemalloc.so.2", "MALLOC_CONF": "dirty_decay_ms:-1,muzzy_decay_ms:-1,thp:always"},
    "tcmalloc": {"LD_PRELOAD": "libtcmalloc_minimal.so.4", "TCMALLOC_RELEASE_RATE": "0"},
    "bind": {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"},
    "no_onednn": {"TF_ENABLE_ONEDNN_OPTS": "0"},
}
ALLOCATORS = ("jemalloc", "tcmalloc")


def environment(variant):
    """What a variant such as 'channels_last+malloc' adds to the environment."""
    settings = {"OMP_NUM_THREADS": str(THREADS), "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"}
    for token in variant.split("+"):
        settings |= ENVIRONMENTS.get(token, {})
    return settings


def start(known_tokens):
    """Reads CASE and --variant; starts again where the environment is not yet the variant's."""
    parser = argparse.ArgumentParser()
    parser.add_argument("case", choices=CASES)
    tokens = sorted({*known_tokens, *ENVIRONMENTS})
    parser.add_argument("--variant", default="default", help=f"default, or several of {', '.join(tokens)} joined by +")
    arguments = parser.parse_args()
    chosen = set(arguments.variant.split("+")) - {"default"}
    if chosen - set(tokens):
        sys.exit(f"{sys.argv[0]}: unknown variant '{min(chosen - set(tokens))}' (known: {', '.join(tokens)})")
    needed = environment(arguments.variant)
    if any(os.environ.get(key) != value for key, value in needed.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **needed})
    check_allocator(chosen)
    return arguments.case, chosen


def check_allocator(chosen):
    with open("/proc/self/maps") as maps:
        loaded = maps.read()
    for name in ALLOCATORS:
        if name in chosen and name not in loaded:
            sys.exit(f"{sys.argv[0]}: {ENVIRONMENTS[name]['LD_PRELOAD']} is not installed")


def make_data(case):
    """Images are NHWC, sequences (batch, steps, features); the same numbers for every peer."""
    import numpy as np

    rng = np.random.default_rng(0)
    shape = LSTMS[case][:3] if case in LSTMS else {"cnn": (32, 224, 224, 3), "mlp": (128, 784)}[case]
    classes = 2 if case in LSTMS else 10
    return rng.random(shape, np.float32), rng.integers(0, classes, shape[0]).astype(np.int64)


def process_seconds():
    """Since the process started."""
    with open("/proc/self/stat") as stat:
        ticks = int(stat.read().rpartition(")")[2].split()[19])
    return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")


def memory_kib(field):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(field + ":"))


def say(**answer):
    print(json.dumps(answer), flush=True)


def serve(build_step, import_seconds):
    """build_step() returns a function that does one step and returns its loss.

    Call this right after the imports, so that the memory seen here is theirs.
    """
    import_rss_kib = memory_kib("VmRSS")
    step = build_step()
    step()
    say(
        ready=True,
        import_rss_kib=import_rss_kib,
        import_seconds=import_seconds,
        first_step_seconds=process_seconds(),
    )
    for line in sys.stdin:
        words = line.split()
        if words == ["quit"]:
            break
        if len(words) != 2 or words[0] != "run" or not words[1].isdigit():
            sys.exit(f"{sys.argv[0]}: expected 'run N' or 'quit', got '{line.strip()}'")
        run_steps(step, int(words[1]))
    say(peak_rss_kib=memory_kib("VmHWM"), rss_kib=memory_kib("VmRSS"))


def run_steps(step, count):
    step_seconds = []
    loss = None
    begin, cpu_begin = time.perf_counter(), time.process_time()
    for _ in range(count):
        step_begin = time.perf_counter()
        loss = step()
        step_seconds.append(time.perf_counter() - step_begin)
    seconds, cpu_seconds = time.perf_counter() - begin, time.process_time() - cpu_begin
    say(steps=count, seconds=seconds, cpu_seconds=cpu_seconds, step_seconds=step_seconds, loss=loss)
