"""What a peer under a memory limit says: a line of JSON for each stage, so that one that is killed has said how far it came.

    {"stage": "imported", "peak_rss_kib": ..}
    {"stage": "built", "peak_rss_kib": ..}
    {"stage": "step", "seconds": .., "loss": .., "peak_rss_kib": ..}
"""

import json
import time


def peak_rss_kib():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))


def say(stage, **facts):
    print(json.dumps({"stage": stage, **facts, "peak_rss_kib": peak_rss_kib()}), flush=True)


def train(step, batches):
    """`step(x, y)` returns the loss; `batches` makes each batch when it is asked for it, and none is kept."""
    for _ in range(batches.count):
        begin = time.perf_counter()
        loss = step(*batches.make())
        say("step", seconds=time.perf_counter() - begin, loss=loss)


class Batches:
    def __init__(self, count, make):
        self.count, self.make = count, make
