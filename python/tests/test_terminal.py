"""Progress on a real terminal: every line as it shows it, at several widths."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time

import pytest

SCRIPT = """
import sys
import numpy as np
from plimsoll import keras

model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
{class_}
model.compile("sgd", "mse", metrics=["mae"])
x, y = np.ones((6000, 4), "float32"), np.ones((6000, 1), "float32")
model.fit(x, y, epochs=3, batch_size=1, validation_split=0.1)
model.evaluate(x, y, batch_size=1)
model.predict(x, batch_size=1)
print("the end")
"""
OWN_STEP = """
class Own(keras.Sequential):
    def train_step(self, data):
        return super().train_step(data)
model = Own([keras.Input((4,)), keras.layers.Dense(1)])
"""


def on_terminal(code: str, columns: int, **environment) -> str:
    """What a script wrote to a terminal of so many columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    left = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "LC_ALL", "LC_CTYPE", "COLUMNS")}
    left |= {"TERM": "xterm", "LANG": "C.UTF-8", **environment}
    process = subprocess.Popen([sys.executable, "-c", code], stdin=theirs, stdout=theirs, stderr=theirs, env=left)
    os.close(theirs)
    pieces, end = [], time.monotonic() + 300
    while time.monotonic() < end:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        pieces.append(piece)
    os.close(ours)
    text = b"".join(pieces).decode()
    assert process.wait(timeout=60) == 0, text[-2000:]
    return text


def lines_of(text: str) -> list:
    """What is written between two moves to the first column, without colours."""
    return [line for line in re.split(r"[\r\n]+", re.sub(r"\x1b\[\d+m", "", text)) if line.strip()]


def shown(text: str) -> list:
    """The lines that are left on the screen."""
    rows = []
    for row in re.sub(r"\x1b\[\d+m", "", text).replace("\r\n", "\n").split("\n"):
        held = ""
        for part in row.split("\r"):
            held = part + held[len(part):]
        rows.append(held.rstrip())
    return rows


@pytest.mark.parametrize("columns", [40, 80, 160])
@pytest.mark.parametrize("class_", ["", OWN_STEP], ids=["engine", "loop in Python"])
def test_lines_move_on_a_terminal_and_fit_into_it(columns, class_):
    text = on_terminal(SCRIPT.format(class_=class_), columns)
    lines = lines_of(text)
    assert max(map(len, lines)) < columns
    assert any(re.match(r"epoch 1/3 .*\d", line) for line in lines)
    assert "\x1b[32m" in text and not re.search(r"\x1b(?!\[\d+m)", text)
    rows = [row for row in shown(text) if row]
    assert rows[-1] == "the end"
    table = [row for row in rows if re.match(r" *[123]/3 ", row)]
    assert [row.split()[0] for row in table] == ["1/3", "2/3", "3/3"]
    header = rows[rows.index(table[0]) - 1]
    assert header.split()[:2] == ["epoch", "time"] and "loss" in header


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["NO_COLOR", "dumb"])
def test_a_terminal_that_cannot_move_gets_plain_lines(environment):
    text = on_terminal(SCRIPT.format(class_=""), 80, **environment).replace("\r\n", "\n")
    assert "\r" not in text and "\x1b" not in text
    assert [line.split()[1] for line in text.splitlines() if line.startswith("epoch ")] == ["1/3", "2/3", "3/3"]
