"""Runs the program on pseudo terminals of several widths and looks at every line as such a terminal shows it."""

import fcntl
import json
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

program, files = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
METRICS = "mae,mse,mape,msle,cosine_similarity,log_cosh,r2_score,root_mean_squared_error,huber,poisson"


def fail(sentence):
    sys.exit(f"{sys.argv[0]}: {sentence}")


def expect(condition, sentence):
    if not condition:
        fail(sentence)


def set_columns(terminal, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))


def on_terminal(arguments, columns, resize=None, environment=()):
    """Returns what the program wrote to a terminal of so many columns; `resize` is the width after the first line."""
    ours, theirs = pty.openpty()
    set_columns(theirs, columns)
    variables = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "LC_ALL", "LC_CTYPE")}
    variables |= {"TERM": "xterm", "LANG": "C.UTF-8", **dict(environment)}
    process = subprocess.Popen([program, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=variables)
    os.close(theirs)
    text = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:
            break
        if not piece:
            break
        text += piece
        if resize and b"\repoch" in text:
            set_columns(ours, resize)
            resize = None
    os.close(ours)
    expect(process.wait() == 0, f"{arguments} ended with {process.returncode}: {text.decode()}")
    return text.decode()


def lines_of(text):
    """What is written between two moves to the first column."""
    return [line for line in re.split(r"[\r\n]+", text) if line]


def table(path, records):
    with open(path, "w") as out:
        out.write("a,b,price\n")
        for i in range(records):
            a, b = (i * 7 % 20) / 10, (i * 3 % 17) / 10
            out.write(f"{a},{b},{a + 2 * b}\n")


def training(data, out, *more, metrics=METRICS):
    model = os.path.join(files, "keras3_sequence.keras")
    return ["train", model, data, "--target", "price", "--out", out, "--batch-size", "1", "--overwrite", "--metrics",
            metrics, *more]


def without_colours(text):
    return re.sub(r"\x1b\[\d+m", "", text)


def epoch_text(text):
    """The lines of the epochs without colours: notes and the last line are sentences, which a terminal may wrap."""
    return "\n".join(line for line in lines_of(without_colours(text)) if not re.search(r"plimsoll: |is saved", line))


def check_widths(data, run):
    for columns in (20, 40, 80, 120, 400):
        text = epoch_text(on_terminal(training(data, run, "--validation-split", "0.1"), columns))
        lines = lines_of(text)
        widest = max(map(len, lines))
        expect(widest < columns, f"a line of {widest} columns on a terminal of {columns}: {lines}")
        moving = [line for line in lines if re.match(r"(epoch 1/1 .*)?loss ", line)]
        expect(moving, f"no loss at {columns} columns: {lines}")
        if columns >= 80:
            expect(re.match(r"epoch 1/1 ━*╸?─* +\d+/18000  ", moving[0]) and " left  loss" in moving[0],
                   f"other parts at {columns} columns: {moving[0]}")
        header = [line for line in lines if line.startswith("epoch  ")]
        expect(len(header) == 1 and "val_loss" in header[0], f"the header at {columns} columns: {header}")
        left_out = re.search(r" \+(\d+)$", header[0])
        names = header[0].split()
        # epoch, time, 11 numbers, as many of the validation, memory
        expect(len(names) + (int(left_out[1]) - 1 if left_out else 0) == 25, f"columns at {columns}: {header}")
        expect(bool(left_out) == (columns < 400), f"at {columns} columns: {header}")
    for part in ("━", "memory", "│", " samples/s"):
        expect(part in moving[-1], f"no {part} in a line with room for everything: {moving[-1]}")


def rows_of(lines, epochs):
    return [line for line in lines if re.match(rf" *\d+/{epochs}  ", line)]


def check_table(folder):
    """Columns stay where they are over epochs, and the epochs are marked that were the best so far."""
    small = os.path.join(folder, "small.csv")
    table(small, 300)
    run = os.path.join(folder, "table-run")
    text = on_terminal(training(small, run, "--validation-split", "0.2", "--epochs", "12", "--learning-rate",
                                "0.05", metrics="mae"), 100)
    lines = lines_of(epoch_text(text))
    header = [line for line in lines if line.startswith("epoch  ")]
    rows = rows_of(lines, 12)
    expect(len(header) == 1 and len(rows) == 12, f"one header and twelve rows: {lines}")
    ends = [match.end() for match in re.finditer(r"\S+", header[0])]
    for row in rows:
        cells = [match.end() for match in re.finditer(r"\S+( MiB)?", row)]
        expect(cells[:len(ends)] == ends, f"a row is not under its header:\n{header[0]}\n{row}")
    best, log = None, os.path.join(run, "log.jsonl")
    with open(log) as events:
        epochs = [event for event in map(json.loads, events) if event.get("event") == "epoch"]
    for row, event in zip(rows, epochs, strict=True):
        value = event["metrics"]["val_loss"] if "metrics" in event else event["val_loss"]
        is_best = best is None or value < best
        best = value if is_best else best
        expect(row.endswith("best") == is_best, f"val_loss {value}, the best before it {best}: {row}")
    expect("\x1b[32mbest\x1b[0m" in text, "the mark has no colour")


def check_plain(data, run):
    """People who ask for no colours, or whose terminal cannot move, get what a file gets."""
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        text = on_terminal(training(data, run), 80, environment=environment)
        shown = text.replace("\r\n", "\n")  # that is the terminal's
        expect("\r" not in shown and "\x1b" not in shown, f"{environment}: {shown!r}")
        expect(len(re.findall(r"^epoch 1/1  20000/20000  loss .* samples/s  time .* memory [0-9.]+ MiB$", shown, re.M)) == 1,
               f"{environment}: {shown}")
        expect("━" not in shown and "best" not in shown, f"{environment}: {shown}")
    text = on_terminal(training(data, run), 120, environment={"LANG": "C"})
    expect(re.search(r"epoch 1/1 \[=*> *\] ", text) and text.isascii(), f"not ASCII where the locale is: {text!r}")


def check_finding(folder):
    """A bad record that is read in the middle of an epoch is named at once, above the line, and once."""
    path = os.path.join(folder, "holes.csv")
    table(path, 20000)
    with open(path) as file:
        lines = file.readlines()
    lines[15000] = "1.5,,3\n"
    lines[16000] = "1.5,nan,3\n"
    with open(path, "w") as file:
        file.writelines(lines)
    text = without_colours(on_terminal(training(path, os.path.join(folder, "holes"), "--on-bad-record", "skip", "--no-shuffle"),
                                       80))
    found = [match.start() for match in re.finditer("plimsoll: warning: holes.csv|plimsoll: warning: .*holes.csv:", text)]
    expect(len(found) == 1, f"a bad record is to be said once: {text}")
    before, after = text[:found[0]], text[found[0]:]
    expect(re.search(r"epoch 1/1 .* +\r$", before[before.rfind("epoch 1/1"):], re.S),
           f"the line is not wiped before a finding: {before[-300:]!r}")
    sentence, rest = after.split("\r\n", 1)
    expect("quarantine.jsonl" in sentence, f"no remedy: {sentence}")
    expect(rest.startswith("epoch 1/1 "), f"the line is not drawn again: {rest[:200]!r}")


def check_resize(data, run):
    text = epoch_text(on_terminal(training(data, run), 120, resize=50))
    late = lines_of(text)[3:]
    expect(late and max(map(len, late)) < 50, f"a line is too long after the terminal became narrower: {late}")
    text = epoch_text(on_terminal(training(data, run), 50, resize=160))
    expect(max(map(len, lines_of(text)[:1])) < 50 < max(map(len, lines_of(text)[3:])), f"a wider terminal is not used: {text}")


def check_columns_variable(data, run):
    """A terminal that does not know its width: COLUMNS, or 80."""
    for variable, columns in (("60", 60), ("nonsense", 80)):
        os.environ["COLUMNS"] = variable
        lines = lines_of(epoch_text(on_terminal(training(data, run), 0)))
        del os.environ["COLUMNS"]
        expect(max(map(len, lines)) < columns, f"COLUMNS={variable}: {lines}")


def output_of(*arguments):
    result = subprocess.run([program, *arguments], capture_output=True)
    return result.returncode, result.stdout, result.stderr


def expect_harmless(where, text):
    """Nothing but printable UTF-8 and line ends."""
    try:
        decoded = text.decode()
    except UnicodeDecodeError as error:
        fail(f"{where}: {error}: {text}")
    bad = re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", decoded)
    expect(bad is None, f"{where}: sends {bad and bad.group()!r} to the terminal: {decoded!r}")


def evil_model(path):
    """The model of a file whose layer has a name that clears the screen."""
    with open(os.path.join(files, "keras3_sequence.json")) as source:
        text = source.read()
    with open(path, "w") as out:
        out.write(re.sub(r'"dense(_\d+)?"', '"dense\\\\u001b[2J\\\\u009b31m\\\\u202e"', text, count=1))


def check_control_characters(folder):
    nasty = os.path.join(folder, "a\x1b[2J\nb\u202e")
    for arguments in (["summary", nasty], ["train", nasty, nasty, "--out", os.path.join(folder, "r")], [nasty],
                      ["plan", "x", "--" + "\x1b[31m"], ["check", nasty], ["convert", nasty, nasty + ".npz"]):
        code, out, error = output_of(*arguments)
        expect(code in (2, 3), f"{arguments} ended with {code}")
        expect_harmless(arguments, out + error)
    with open(nasty + ".csv", "wb") as out:
        out.write(b"a,b\x1b[31m,price\n1,2,3\n1,x\x1b]0;title\x07,3\n4,caf\xe9,6\n")
    code, out, error = output_of("check", nasty + ".csv", "--target", "price")
    expect_harmless("check", out + error)
    code, out, error = output_of("check", nasty + ".csv", "--target", "price", "--json")
    expect_harmless("check --json", out + error)
    json.loads(out)
    model = os.path.join(folder, "evil.json")
    evil_model(model)
    for arguments in (["summary", model], ["summary", model, "--json"], ["plan", model], ["plan", model, "--json"]):
        code, out, error = output_of(*arguments)
        expect_harmless(arguments, out + error)
        if arguments[-1] == "--json" and code == 0:
            json.loads(out)


def check_latin_1_classes(folder):
    """A class folder whose name is not UTF-8 is trained on, written as JSON and found again."""
    shapes = os.path.join(os.path.dirname(files), "..", "..", "examples", "shapes")
    photos = os.path.join(folder, "photos").encode()
    names = sorted(name for name in os.listdir(shapes) if os.path.isdir(os.path.join(shapes, name)))
    for name, other in zip(names, (b"caf\xe9", b"stripes")):
        shutil.copytree(os.path.join(shapes, name).encode(), os.path.join(photos, other))
    code, out, error = output_of("check", photos)
    expect(code == 0, f"check of Latin-1 classes: {error}")
    expect_harmless("check of Latin-1 classes", out + error)
    to = os.path.join(folder, "photos.npz")
    code, out, error = output_of("convert", photos, to, "--image-size", "8x8", "--json")
    expect(code == 0, f"convert of Latin-1 classes: {error}")
    with open(json.loads(out)["classes"]) as classes:
        expect(json.load(classes) == ["caf\\xe9", "stripes"], "other names in classes.json")
    code, out, error = output_of("convert", photos, to, "--image-size", "8x8", "--classes",
                                 os.path.join(folder, "photos.classes.json"))
    expect(code == 0, f"the names of Latin-1 classes are not found again: {error}")


with tempfile.TemporaryDirectory() as folder:
    data, run = os.path.join(folder, "table.csv"), os.path.join(folder, "run")
    table(data, 20000)
    check_widths(data, run)
    check_table(folder)
    check_plain(data, run)
    check_finding(folder)
    check_resize(data, run)
    check_columns_variable(data, run)
    check_control_characters(folder)
    check_latin_1_classes(folder)
print("what the program shows fits its terminal and cannot steer it")
