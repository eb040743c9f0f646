"""Begins runs, and goes on with another option, other data or another model: each is refused with what changed.

    changes.py PROGRAM

Every option that `plimsoll train --help` lists is tried: one that is in no list here is an error. A refused try leaves the
folder of the run as it was, and the run then goes on as it would have. Works in the current folder, which has photos.json,
photos, table.json and table.csv (tests/resume/run.sh makes them).
"""

import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import sys

TABLE = {"--target": "price", "--ignore": "c", "--loss": "mse", "--epochs": "3", "--validation-split": "0.2"}
STOPPING = {**TABLE, "--early-stopping": "loss", "--patience": "2"}
REPAIRED = {**TABLE, "--on-bad-record": "repair"}
PHOTOS = {"--loss": "sparse_categorical_crossentropy", "--on-bad-record": "skip", "--max-bad": "0.1", "--batch-size": "8",
          "--validation-split": "0.2"}
SERIES = {"--target": "price", "--ignore": "c", "--loss": "mse", "--window": "3"}
RECORDS = {"--features": "features.json", "--loss": "mse"}

# The runs: a model, data, and options. None: the option has no value.
BASES = {"table": ("table.json", "wide.csv", TABLE), "stopping": ("table.json", "wide.csv", STOPPING),
         "repaired": ("table.json", "wide.csv", REPAIRED), "photos": ("photos.json", "photos", PHOTOS),
         "series": ("series.json", "wide.csv", SERIES), "records": ("table.json", "rows.tfrecord", RECORDS),
         "arrays": ("table.json", "rows.npz", {"--loss": "mse"}),
         "binary": ("table.json", "yes.csv", {"--target": "price", "--ignore": "c", "--loss": "binary_crossentropy"})}

# Of each run, the options that are changed, and what is said.
REFUSED = {
    "table": [
        ({"--batch-size": "16"}, "batch_size was 32 and is 16"),
        ({"--micro-batch": "3"}, "micro_batch was not given and is 3"),
        ({"--no-micro-batches": None}, "micro_batches was true and is false"),
        ({"--no-recompute": None}, "recompute was true and is false"),
        ({"--no-spill": None}, "spill was true and is false"),
        ({"--no-early-updates": None}, "early_updates was true and is false"),
        ({"--no-sequence-parts": None}, "sequence_parts was true and is false"),
        ({"--allow-batch-statistics-per-part": None}, "batch_statistics_per_part was false and is true"),
        ({"--validation": "other.csv", "--validation-split": False}, 'validation was not given and is "other.csv"'),
        ({"--validation-split": "0.3"}, "validation_split was 0.2 and is 0.3"),
        ({"--split-by": "hash"}, 'split_by was "order" and is "hash"'),
        ({"--seed": "5"}, "seed was 0 and is 5"),
        ({"--on-bad-step": "skip"}, "on_bad_step was stop and is skip"),
        ({"--no-shuffle": None}, "shuffle was true and is false"),
        ({"--no-statistics": None}, "statistics was true and is false"),
        ({"--save-best": "loss"}, 'save_best was true and is "loss"'),
        ({"--no-save-best": None}, "save_best was true and is false"),
        ({"--optimizer": "sgd"}, 'optimizer was not given and is "sgd"'),
        ({"--learning-rate": "0.5"}, "learning_rate was 0.01 and is 0.5"),
        ({"--weight-decay": "0.1"}, "weight_decay was not given and is 0.1"),
        ({"--clipnorm": "1"}, "clipnorm was not given and is 1"),
        ({"--clipvalue": "1"}, "clipvalue was not given and is 1"),
        ({"--global-clipnorm": "1"}, "global_clipnorm was not given and is 1"),
        ({"--adaptive-clip": "0.1"}, "adaptive_clip was not given and is 0.1"),
        ({"--clip-percentile": "90"}, "clip_percentile was not given and is 90"),
        ({"--no-doctor": None}, "doctor was true and is false"),
        ({"--tensorboard": "events"}, 'tensorboard was not given and is "events"'),
        ({"--normalise": None}, "normalise was false and is true"),
        ({"--accumulate": "2"}, "accumulate was not given and is 2"),
        ({"--freeze": "dense"}, "freeze was [] and is"),
        ({"--schedule": "cosine"}, 'schedule was not given and is "cosine"'),
        ({"--early-stopping": "loss"}, 'early_stopping was not given and is "loss"'),
        ({"--loss": "mae"}, 'loss was "mse" and is "mae"'),
        ({"--metrics": "mae"}, 'metrics was not given and is "mae"'),
        ({"--target": "c", "--ignore": "price"}, 'target was "price" and is "c"'),
        ({"--ignore": "b"}, 'ignore was "c" and is "b"'),
        ({"--missing": "1"}, "missing was not given and is 1"),
        ({"--header": None}, "header was not given and is true"),
        ({"--encode": "auto"}, 'encode was not given and is "auto"'),
        ({"--on-bad-record": "skip"}, 'on_bad_record was "fail" and is "skip"'),
        ({"--allow-nan": None}, "allow_nan was false and is true"),
        ({"--no-checkpoints": None}, "has checkpoints to go on from, found --no-checkpoints"),
    ],
    "stopping": [
        ({"--patience": "3"}, "patience was 2 and is 3"),
        ({"--min-delta": "0.1"}, "min_delta was 0.0 and is 0.1"),
        ({"--mode": "max"}, 'mode was not given and is "max"'),
    ],
    "repaired": [({"--repair-with": "median"}, 'repair_with was "mean" and is "median"')],
    "photos": [
        ({"--class-weight": "balanced"}, "class_weight was not given and is "),
        ({"--interpolation": "nearest"}, 'interpolation was "bilinear" and is "nearest"'),
        ({"--crop-to-aspect-ratio": None}, "crop_to_aspect_ratio was false and is true"),
        ({"--pad-to-aspect-ratio": None}, "pad_to_aspect_ratio was false and is true"),
        ({"--fast-decode": None}, "fast_decode was false and is true"),
        ({"--classes": "classes.json"}, 'classes was not given and is "classes.json"'),
        ({"--max-bad": "0.2"}, "max_bad was 0.1 and is 0.2"),
        ({"--augment": "flip"}, 'augment was not given and is "flip"'),
    ],
    "series": [
        ({"--horizon": "2"}, "horizon was not given and is 2"),
        ({"--stride": "2"}, "stride was not given and is 2"),
        ({"--window": "4"}, "(4, 3)"),  # not what the model takes
    ],
    "records": [({"--features": "others.json"}, 'features was "features.json" and is "others.json"')],
    "arrays": [],
    "binary": [
        ({"--label-smoothing": "0.1"}, "label_smoothing was not given and is 0.1"),
        ({"--from-logits": None}, "from_logits was not given and is true"),
        ({"--no-from-logits": None}, "from_logits was not given and is false"),
    ],
}

# What may change, and is tried too.
ALLOWED = [{"--epochs": "4"}, {"--memory": "2GiB"}, {"--workers": "0"}, {"--threads": "1"}, {"--checkpoint-every": "5s"},
           {"--checkpoint-steps": "3"}, {"--keep-checkpoints": "3"}, {"--max-time": "1h"}, {"--profile": "2"}, {"--json": None}]
# Not of the run, or not of this kind: a header that is none, and sizes that the model does not leave open.
OTHER = {"--out", "--overwrite", "--allow-changed", "--help", "--no-header", "--image-size"}


def fail(text):
    sys.exit(f"changes.py: {text}")


def options_of_help(program):
    text = subprocess.run([program, "train", "--help"], capture_output=True, text=True, check=True).stdout
    return {re.split(r"[, ]", line.strip())[0] if not line.strip().startswith("-h") else "--help"
            for line in text.splitlines() if re.match(r"  -", line)}


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def message(number, content):
    return bytes([number << 3 | 2, len(content)]) + content


def example(name, *numbers):
    floats = message(2, message(1, struct.pack(f"<{len(numbers)}f", *numbers)))
    return message(1, message(1, name.encode()) + message(2, floats))


def write_tfrecord(path, rows):
    with open(path, "wb") as file:
        for a, b, price in rows:
            record = message(1, example("x", a, b) + example("y", price))
            length = struct.pack("<Q", len(record))
            file.write(length + crc32c(length) + record + crc32c(record))


def npy(shape, numbers):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
            + struct.pack(f"<{len(numbers)}f", *numbers))


def write_npz(path, rows):
    import zipfile

    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x.npy", npy((len(rows), 2), [each for row in rows for each in row[:2]]))
        archive.writestr("y.npy", npy((len(rows), 1), [row[2] for row in rows]))


def write_csv(path, rows):
    with open(path, "w") as file:
        file.write("a,b,c,price\n" + "".join(f"{a},{b},{a + b},{price}\n" for a, b, price in rows))


def rows():
    return [((i * 7 % 20) / 10, (i * 3 % 17) / 10, (i * 7 % 20) / 10 + 2 * (i * 3 % 17) / 10) for i in range(300)]


WRITERS = {"wide.csv": write_csv, "rows.npz": write_npz, "rows.tfrecord": write_tfrecord}


def make_inputs():
    for path, write in {**WRITERS, "other.csv": write_csv}.items():
        write(path, rows())
    write_csv("yes.csv", [(a, b, int(price > 2)) for a, b, price in rows()])
    features = {name: {"dtype": "float32", "shape": [size], "as": name} for name, size in (("x", 2), ("y", 1))}
    for path in ("features.json", "others.json"):
        with open(path, "w") as file:
            json.dump(features, file)
    with open("classes.json", "w") as file:
        json.dump(sorted(name for name in os.listdir("photos") if os.path.isdir(f"photos/{name}")), file)
    with open("table.json") as file:
        model = json.load(file)
    layers = model["config"]["layers"]
    layers[0]["config"]["batch_shape"] = [None, 3, 3]
    layers.insert(1, {"module": "keras.layers", "class_name": "Flatten", "config": {"name": "flat"},
                      "registered_name": None})
    for layer in layers:
        layer.pop("build_config", None)
    model.pop("build_config", None)
    with open("series.json", "w") as file:
        json.dump(model, file)


def arguments(base, changes=None):
    model, data, options = BASES[base]
    given = {**options, **(changes or {})}
    listed = [part for name, value in given.items() if value is not False
              for part in ([name] if value is None else [name, value])]
    return [model, data, *listed]


class Tries:
    def __init__(self, program):
        self.program, self.count, self.faults = program, 0, []

    def run(self, *command):
        return subprocess.run([self.program, *command], capture_output=True, text=True)

    def begin(self, base):
        """A run that ended after its first batch."""
        found = self.run("train", *arguments(base), "--out", f"run_{base}", "--max-time", "0.001s")
        if found.returncode != 75:
            fail(f"{base}: ended with {found.returncode}: {found.stderr}")

    def refuses(self, base, expected, changes=None):
        before = contents(f"run_{base}")
        found = self.run("train", *arguments(base, changes), "--out", f"run_{base}")
        said = found.stderr.strip().splitlines()
        if found.returncode not in (2, 3) or not said or expected not in said[-1]:
            self.faults.append(f"{base} with {changes}: expected '{expected}', ended with {found.returncode}: {said[-1:]}")
        elif contents(f"run_{base}") != before:
            self.faults.append(f"{base} with {changes}: was refused and changed the folder")
        self.count += 1

    def ends_as_it_would_have(self, base):
        found = self.run("resume", f"run_{base}")
        if found.returncode != 0:
            fail(f"{base}: cannot go on after what was refused: {found.stderr}")
        if read(f"run_{base}/model.keras") != read(f"whole_{base}/model.keras"):
            fail(f"{base}: is another run after what was refused")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def contents(folder):
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            if name != ".lock":
                found[os.path.join(place, name)] = hashlib.md5(read(os.path.join(place, name))).hexdigest()
    return found


def try_options(tries):
    known = OTHER | {name for cases in REFUSED.values() for changes, _ in cases for name in changes} | {
        name for changes in ALLOWED for name in changes}
    if new := options_of_help(tries.program) - known:
        fail(f"options that are in no list here: {', '.join(sorted(new))}")
    for base, cases in REFUSED.items():
        for changes, expected in cases:
            tries.refuses(base, expected, changes)
    for changes in ALLOWED:
        shutil.rmtree("allowed", ignore_errors=True)
        shutil.copytree("run_table", "allowed")
        found = tries.run("train", *arguments("table", changes), "--out", "allowed")
        if found.returncode != 0:
            fail(f"{changes} should not matter: {found.stderr}")
        tries.count += 1


def try_data(tries):
    """One number of one record, one record more, one less."""
    for base, path in (("table", "wide.csv"), ("arrays", "rows.npz"), ("records", "rows.tfrecord")):
        changed = rows()
        changed[171] = (1.9, 1.6, 7.0)
        for other, said in ((changed, "the data: contents of "), (rows() + [(1, 1, 3)], "data: records was "),
                            (rows()[:-1], "data: records was ")):
            WRITERS[path](path, other)
            tries.refuses(base, ": the run cannot go on, because it is not the same any more: ")
            tries.refuses(base, said)
        WRITERS[path](path, rows())


def try_photos(tries):
    """One file has the bytes of another, is gone, or is there twice."""
    photos = sorted(os.path.join(place, name) for place, _, names in os.walk("photos") for name in names)
    one, other = photos[71], photos[11]
    more, kept = os.path.join(os.path.dirname(one), "more" + os.path.splitext(other)[1]), read(one)
    if read(other) == kept:
        fail("two photos are the same")
    for change in (lambda: shutil.copyfile(other, one), lambda: os.remove(one), lambda: shutil.copyfile(other, more)):
        change()
        tries.refuses("photos", "the data: ")
        with open(one, "wb") as file:
            file.write(kept)
        if os.path.exists(more):
            os.remove(more)


def try_models(tries):
    """Another size, another rate of dropout, and another name."""
    kept = read("table.json")
    for old, new, expected in ((b'"units": 3', b'"units": 4', "the model's weights changed"),
                               (b'"rate": 0.1', b'"rate": 0.2', "the model's layers changed"),
                               (b'"name": "sequence"', b'"name": "other"', "the model file changed")):
        if old not in kept:
            fail(f"table.json has no {old}")
        with open("table.json", "wb") as file:
            file.write(kept.replace(old, new))
        tries.refuses("table", expected)
        with open("table.json", "wb") as file:
            file.write(kept)


def main():
    tries = Tries(sys.argv[1])
    make_inputs()
    for base in BASES:
        tries.begin(base)
        found = tries.run("train", *arguments(base), "--out", f"whole_{base}")
        if found.returncode != 0:
            fail(f"{base}: {found.stderr}")
    try_options(tries)
    try_data(tries)
    try_photos(tries)
    try_models(tries)
    if tries.faults:
        fail("\n".join(tries.faults))
    for base in BASES:
        tries.ends_as_it_would_have(base)
    print(f"{tries.count} changes of options, data and models: what changes the run is refused and named")


if __name__ == "__main__":
    main()
