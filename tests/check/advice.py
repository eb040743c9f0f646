"""What `plimsoll check` advises helps: each command that it names is run and ends with 0, and where no option helps it names
none. Usage: advice.py PROGRAM"""

import json
import os
import re
import subprocess
import sys

program = sys.argv[1]
RECORDS = 200


def model(units, loss, activation="linear"):
    layers = [
        {"class_name": "InputLayer", "config": {"batch_shape": [None, 2], "dtype": "float32", "name": "in"}},
        {"class_name": "Dense", "config": {"name": "out", "units": units, "activation": activation}},
    ]
    return {"class_name": "Sequential", "config": {"name": "m", "layers": layers},
            "compile_config": {"loss": loss, "optimizer": "sgd"}}


def write_table(cells, records=RECORDS):
    """A table of small numbers, but for the cells {(row, column): text}."""
    rows = [[str(row % 7), str(row % 5), str(row % 3)] for row in range(records)]
    for (row, column), text in cells.items():
        rows[row][column] = text
    with open("table.csv", "w") as file:
        file.write("a,b,y\n" + "".join(",".join(row) + "\n" for row in rows))


def run(*arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True)


def options_in(remedy):
    """Every option that it names, as a person would give it."""
    found = []
    for name, value in re.findall(r"(--[a-z-]+)(?: ([a-z0-9.]+|[A-Z]+))?", remedy):
        found.append([name] if not value else [name, {"X": "0"}.get(value, value)])
    ways = []
    for option in found:
        # These are of the one before.
        if option[0] in ("--max-bad", "--repair-with"):
            if option[0] == "--repair-with":
                ways.append(list(ways[-1]))
            ways[-1] += option
        else:
            ways.append(option)
    return ways


complaints = []


def expect(name, model_file, cells, advised, records=RECORDS):
    write_table(cells, records)
    report = run("check", "table.csv", "--target", "y", "--model", model_file)
    remedies = re.findall(r"^ +-> (.*)$", report.stdout.split("\nwarning ")[0], re.MULTILINE)
    ways = [" ".join(way) for remedy in remedies for way in options_in(remedy)]
    if sorted(set(ways)) != sorted(advised):
        complaints.append(f"{name}: check advises {ways}, expected {advised}:\n{report.stdout}{report.stderr}")
    plain = run("train", model_file, "table.csv", "--target", "y", "--out", "run", "--overwrite")
    if plain.returncode == 0:
        complaints.append(f"{name}: nothing was wrong")
    for way in sorted(set(ways)):
        trained = run("train", model_file, "table.csv", "--target", "y", "--out", "run", "--overwrite", *way.split())
        if trained.returncode != 0:
            complaints.append(f"{name}: {way} does not help: {trained.stderr}")


os.makedirs("advice", exist_ok=True)
os.chdir("advice")
json.dump(model(1, "mse"), open("number.json", "w"))
json.dump(model(3, "sparse_categorical_crossentropy", "softmax"), open("class.json", "w"))
repair = ["--on-bad-record repair", "--on-bad-record repair --repair-with median"]
skip, more = "--on-bad-record skip", "--on-bad-record skip --max-bad 0.05"
many = range(0, 20, 2)
expect("a gap", "number.json", {(5, 1): ""}, [skip, "--missing 0", *repair])
expect("many gaps", "number.json", {(row, 1): "" for row in many}, [more, "--missing 0", *repair])
expect("an infinity", "number.json", {(5, 1): "inf"}, [skip, *repair])
expect("a gap in a target", "number.json", {(5, 2): ""}, [skip])
expect("gaps in both", "number.json", {(5, 2): "", (7, 1): ""}, [skip])
expect("a text", "number.json", {(5, 1): "12x"}, [skip])
expect("texts", "number.json", {(row, 0): "12x" for row in many}, [more])
expect("a text in a target", "number.json", {(5, 2): "$7"}, [skip])
expect("a text and a gap", "number.json", {(5, 0): "12x", (8, 1): ""}, [skip])
expect("a class that the model does not have", "class.json", {(5, 2): "7"}, [skip])
expect("nothing but gaps", "number.json", {(row, 2): "" for row in range(3, 20)} | {(0, 2): "", (1, 2): "", (2, 2): ""},
       [], records=20)

# A column of text: then the table can be read, though the model must take as many numbers.
write_table({(row, 1): "abc"[row % 3] for row in range(RECORDS)})
report = run("check", "table.csv", "--target", "y")
ways = options_in("".join(re.findall(r"-> (.*leaves it out)", report.stdout)))
if [way[0] for way in ways] != ["--encode", "--ignore"]:
    complaints.append(f"a column of text: check advises {ways}:\n{report.stdout}")
for option, value in ways:
    value = "b" if value == "COLUMN" else value
    if run("check", "table.csv", "--target", "y", option, value).returncode != 0:
        complaints.append(f"a column of text: {option} {value} does not help")

# Classes of which one is rare.
write_table({(row, 2): "0" if row else "1" for row in range(RECORDS)})
report = run("check", "table.csv", "--target", "y")
remedy = "".join(re.findall(r"^imbalance.*?-> ([^\n]*)", report.stdout, re.MULTILINE | re.DOTALL))
if options_in(remedy) != [["--class-weight", "balanced"]]:
    complaints.append(f"imbalance: check advises '{remedy}'")
trained = run("train", "class.json", "table.csv", "--target", "y", "--out", "run", "--overwrite", "--class-weight", "balanced")
if trained.returncode != 0:
    complaints.append(f"imbalance: --class-weight balanced does not help: {trained.stderr}")

for complaint in complaints:
    print(complaint)
sys.exit(bool(complaints))
