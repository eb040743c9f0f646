"""What checkpoints cost, and what a run that is killed again and again loses.

    resume.py PROGRAM [cost] [start] [kills] [--rounds N] [--minutes N] [--every N] [--check] [--json FILE]

cost    the time of a run with checkpoints in times of one without; at most 1.03 is asked for
start   how much longer a run takes to its first step if it goes on from a checkpoint, in turns; at most 1 s
kills   the steps of a run that is killed every N (20) seconds, in those of one that is not; at least 0.85

The two runs of `cost` and of `kills` run at once, each with half of the cores, so that what else this machine does slows
both. --minutes N is how long those of `kills` take (2; 30 is what is promised). With --check it fails if a case is beyond what is
asked for.
"""

import argparse
import json
import os
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

UNITS, INPUTS, RECORDS = 512, 784, 20000
MOST_COST, MOST_MORE_SECONDS, LEAST_SHARE = 1.03, 1, 0.85


def dense(name, units, activation):
    return {"module": "keras.layers", "class_name": "Dense", "registered_name": None,
            "config": {"name": name, "units": units, "activation": activation}}


def write_model(path):
    layers = [{"module": "keras.layers", "class_name": "InputLayer", "registered_name": None,
               "config": {"batch_shape": [None, INPUTS], "dtype": "float32", "name": "input"}},
              dense("first", UNITS, "relu"), dense("second", UNITS, "relu"), dense("last", 10, "softmax")]
    model = {"module": "keras", "class_name": "Sequential", "registered_name": None,
             "config": {"name": "mlp", "layers": layers}}
    with open(path, "w") as file:
        json.dump(model, file)


def npy(dtype, shape, data):
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def write_data(path):
    """Bytes that repeat are as good as any others: only time is measured."""
    numbers = bytes(range(251)) * (RECORDS * INPUTS // 251 + 1)
    labels = bytes(i * 7 % 10 for i in range(RECORDS))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x.npy", npy("|u1", (RECORDS, INPUTS), numbers[:RECORDS * INPUTS]))
        archive.writestr("y.npy", npy("|u1", (RECORDS,), labels))


class Bench:
    def __init__(self, program):
        self.program = os.path.abspath(program)
        self.folder = tempfile.TemporaryDirectory()
        os.chdir(self.folder.name)
        write_model("model.json")
        write_data("data.npz")
        self.runs = 0

    def command(self, *options):
        self.runs += 1
        out = f"run_{self.runs}"
        train = [self.program, "train", "model.json", "data.npz", "--loss", "sparse_categorical_crossentropy",
                 "--optimizer", "adam", "--batch-size", "64", "--lr", "1e-6", "--out", out]
        return out, [*train, *options]

    def run(self, command):
        start = time.monotonic()
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode not in (0, 75):
            raise SystemExit(f"{' '.join(command)}: {done.stderr}")
        return time.monotonic() - start

    def at_once(self, options):
        """Runs with these options beside each other; returns their seconds as run.json has them."""
        started = [self.command(*each, *self.half()) for each in options]
        processes = [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                     for _, command in started]
        if any(process.wait() != 0 for process in processes):
            raise SystemExit("a run has failed")
        seconds = []
        for out, _ in started:
            with open(f"{out}/run.json") as file:
                seconds.append(json.load(file)["result"]["seconds"])
        return seconds

    @staticmethod
    def half():
        """Of the cores of this machine."""
        return ["--threads", str(max(1, len(os.sched_getaffinity(0)) // 2))]

    def cost(self, rounds):
        ratios = []
        for turn in range(rounds):
            both = [["--epochs", "40"], ["--epochs", "40", "--no-checkpoints"]]
            seconds = self.at_once(both if turn % 2 == 0 else both[::-1])
            ratios.append(seconds[turn % 2] / seconds[1 - turn % 2])
        return {"least": min(ratios), "median": statistics.median(ratios), "most": max(ratios)}

    def start(self, rounds):
        plain, resumed = [], []
        for _ in range(rounds):
            out, command = self.command("--epochs", "100", "--max-time", "0.001s")
            plain.append(self.run(command))
            resumed.append(self.run([self.program, "resume", out, "--max-time", "0.001s"]))
        return {"plain_seconds": min(plain), "resumed_seconds": min(resumed),
                "more_seconds": min(resumed) - min(plain)}

    def steps_done(self, out):
        names = [name for name in os.listdir(f"{out}/checkpoints") if name.endswith(".checkpoint")]
        return max((int(name.split(".")[0]) for name in names), default=0)

    def kills(self, seconds, every):
        whole, command = self.command("--epochs", "1000000", "--max-time", f"{seconds}s", *self.half())
        other = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        out, command = self.command("--epochs", "1000000", *self.half())
        end, kills = time.monotonic() + seconds, 0
        while (left := end - time.monotonic()) > 0.1:
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(min(every, left))
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
        other.wait()
        return {"minutes": seconds / 60, "kills": kills, "steps": self.steps_done(out),
                "steps_of_the_other": self.steps_done(whole),
                "share": self.steps_done(out) / self.steps_done(whole)}


def beyond_limits(found):
    """A sentence for each case that costs or loses too much."""
    sentences = []
    if "cost" in found and found["cost"]["median"] > MOST_COST:
        sentences.append(f"with checkpoints a run takes {found['cost']['median']:.4f} times the time, expected at most {MOST_COST}")
    if "start" in found and found["start"]["more_seconds"] > MOST_MORE_SECONDS:
        sentences.append(f"a start from a checkpoint takes {found['start']['more_seconds']:.2f} s more, expected at most {MOST_MORE_SECONDS} s")
    if "kills" in found and found["kills"]["share"] < LEAST_SHARE:
        sentences.append(f"a run that is killed does {found['kills']['share']:.3f} of the steps, expected at least {LEAST_SHARE}")
    return sentences


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("case", nargs="*", choices=["cost", "start", "kills", []])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--every", type=float, default=20)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    target = arguments.json and os.path.abspath(arguments.json)
    bench, found = Bench(arguments.program), {}
    for case in arguments.case or ["cost", "start", "kills"]:
        parameters = (arguments.minutes * 60, arguments.every) if case == "kills" else (arguments.rounds,)
        found[case] = getattr(bench, case)(*parameters)
        print(case, "  ".join(f"{name} {value:.4g}" for name, value in found[case].items()), flush=True)
    if target:
        with open(target, "w") as file:
            json.dump(found, file, indent=2)
    if arguments.check:
        sys.exit("\n".join(f"resume.py: {sentence}" for sentence in beyond_limits(found)) or None)


if __name__ == "__main__":
    main()
