"""Throws random command lines at every command, for a limited time: none may end with an internal error or a signal,
and each that fails says so in one sentence. Usage: random_test.py PROGRAM KERAS_FILES SEED [SECONDS]"""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

program, files = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
seed, seconds = int(sys.argv[3]), float(sys.argv[4]) if len(sys.argv) > 4 else 15
rng = random.Random(seed)
ON_DATA = ["plan", "check", "bench-data", "train", "evaluate", "predict", "summary", "convert", "profile"]
ON_RUNS = ["resume", "replay", "doctor", "reduce", "report", "compare", "runs", "serve"]
REPORTS = ["check", "doctor"]  # end with 3 where they find something
COMMANDS = ON_DATA + ON_RUNS
VALUES = ["", "0", "1", "2", "-1", "1e400", "nan", "inf", "0.5", "99999999999999999999", "3x", "x", "a,b", ",", "=", "--", "-",
          "é", "\udce9", "\x1b[2J", "a\nb", "%s%n", "*", "[", "{}", '{"a": 1}', "512M", "75%", "0%", "1P", "cosine", "step",
          "step,every=1", "cosine,warmup=9", "plateau", "balanced", "mse", "adam", "accuracy", "price", "a", "order", "hash",
          "fail", "skip", "repair", "2x2", "0x0", "8x8x8", "flip", "rotation=nan", "x" * 300, "/", "/dev/null", "/proc/self/mem"]
RUNS = ["run", "run", "run", "run2", "damaged", "folder", "missing", "loop", "table.csv", ".", "", "é"]
ALLOWED = {0, 2, 3, 4, 5}
SENTENCE = re.compile(r"plimsoll: [^\x00-\x1f\x7f]+")


def options_of(command):
    text = subprocess.run([program, command, "--help"], capture_output=True, text=True, check=True).stdout
    return sorted(set(re.findall(r"--[a-z][a-z-]+", text)) - {"--help"})


def make_files():
    with open("table.csv", "w") as out:
        out.write("a,b,price\n" + "".join(f"{i % 3},{i % 2},{i % 5}\n" for i in range(9)))
    with open("text.csv", "w") as out:
        out.write("a,b,price\nx,1,2\n,,\n3\n")
    open("empty", "w").close()
    with open("junk.keras", "wb") as out:
        out.write(rng.randbytes(500))
    with open("weights.json", "w") as out:
        out.write('{"0": 1, "1": 2}')
    os.symlink("loop", "loop")
    os.mkdir("folder")
    subprocess.run([program, "convert", "table.csv", "table.npz", "--target", "price"], check=True, capture_output=True)
    for run in ("run", "run2"):
        subprocess.run([program, "train", os.path.join(files, "keras3_sequence.keras"), "table.csv", "--target", "price",
                        "--out", run], check=True, capture_output=True)
    shutil.copytree("run", "damaged")
    with open("damaged/run.json", "w") as out:
        out.write('{"status": 3')
    models = [name for name in ("keras3_sequence.keras", "keras3_sequence.json", "keras2_sequence.h5")
              if os.path.exists(os.path.join(files, name))]
    return models, ["table.csv", "text.csv", "table.npz", "empty", "junk.keras", "weights.json", "loop", "folder", "missing",
                    "table.npz,table.npz", "*.csv"]


def runs_of(command, models, data):
    """The folders of runs that a command takes, or what else may be given there."""
    words = [rng.choice(RUNS) for _ in range(rng.randrange(1, 4) if command in ("report", "compare") else 1)]
    if command in ("doctor", "reduce") and rng.random() < 0.3:
        words = [rng.choice(models), rng.choice(data)]
    if command in ("report", "compare", "reduce") and rng.random() < 0.5:
        words += ["--out", rng.choice(["page.html", "case", "folder", "missing/out", "loop"])]
    return words


def words_of(command, models, data):
    words = []
    if command != "check" and command != "bench-data":
        words.append(rng.choice(models))
    if command not in ("plan", "summary"):
        words.append(rng.choice(data) if command != "convert" else rng.choice(["out.npz", "out.keras", "out.json", "out"]))
    if command in ("train", "predict"):
        words += ["--out", rng.choice(["out", "out.npy", "out.csv", "folder", "missing/out", "loop"])]
    if rng.random() < 0.6:
        words += ["--target", "price"]
    return words


def line_of(command, options, models, data):
    """Nearly right: the arguments of the command, with some left out, swapped or replaced, and a few options."""
    words = (runs_of if command in ON_RUNS else words_of)(command, models, data)
    for _ in range(rng.randrange(4)):
        words.append(rng.choice(options))
        if rng.random() < 0.8:
            words.append(rng.choice(VALUES + data))
    for _ in range(rng.choice([0, 0, 1, 2])):
        change = rng.randrange(4)
        i = rng.randrange(len(words))
        if change == 0 and len(words) > 1:
            del words[i]
        elif change == 1:
            words[i] = rng.choice(VALUES + data + models)
        elif change == 2:
            rng.shuffle(words)
        else:
            words[i] = words[i][:-1] or "x"
    if command in ("train", "reduce"):
        words += ["--epochs", "1"] if "--epochs" not in words else []
    if command == "serve":  # which would not end
        words.append("--no-such-option")
    return [word.replace("\x00", "") for word in words]


def check(arguments):
    try:
        result = subprocess.run([program, *arguments], capture_output=True, timeout=60, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        sys.exit(f"seed {seed}: no end after 60 s: {arguments}")
    error = result.stderr.decode(errors="surrogateescape")
    said = [line for line in error.splitlines() if not re.match(r"plimsoll: (note|warning): ", line)]
    where = f"seed {seed}: {arguments} ended with {result.returncode}: {error!r}"
    if result.returncode not in ALLOWED or "internal error" in error:
        sys.exit(where)
    if result.returncode == 3 and arguments[0] in REPORTS and not said and result.stdout:
        return result.returncode  # the report says what is bad
    if result.returncode != 0 and not (len(said) == 1 and SENTENCE.fullmatch(said[0])):
        sys.exit("not one sentence: " + where)
    return result.returncode


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    models, data = make_files()
    options = {command: options_of(command) for command in COMMANDS}
    codes, end = {}, time.monotonic() + seconds
    while time.monotonic() < end:
        for model in models:  # a command before may have written it
            if os.path.isdir(model):
                shutil.rmtree(model)
            shutil.copyfile(os.path.join(files, model), model)
        command = rng.choice(COMMANDS)
        words = line_of(command, options[command], models, data)
        code = check([command, *words] if rng.random() < 0.97 else words)
        codes[code] = codes.get(code, 0) + 1
    os.chdir("/")
expected = {0, 2, 3}
if not expected <= codes.keys():
    sys.exit(f"seed {seed}: the command lines are all alike: {codes}")
print(f"{sum(codes.values())} random command lines, by exit code: {dict(sorted(codes.items()))}")
