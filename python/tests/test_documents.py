"""The blocks of Python in docs/python.md and docs/doctor.md run, one after the other."""
import pathlib
import re

import pytest

_ROOT = pathlib.Path(__file__).resolve().parents[2]


def _blocks(name: str) -> list[str]:
    text = (_ROOT / name).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", ["docs/python.md"])
def test_the_blocks_of_a_document_run(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = _blocks(name)
    assert len(blocks) >= 5
    namespace = {"__name__": "__main__"}
    for number, block in enumerate(blocks):
        exec(compile(block, f"{name}, block {number + 1}", "exec"), namespace)
    shown = capsys.readouterr().out
    assert "record 17: column 3 of 'x' is infinite" in shown
    assert "it can be done in" in shown or "fits in" in shown


def test_the_blocks_about_the_doctor_run(capsys):
    import numpy as np

    from plimsoll import keras

    x = np.random.default_rng(1).normal(size=(400, 6)).astype("float32")
    model = keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
    model.compile(keras.optimizers.Adam(5.0), "mse")
    namespace = {"model": model, "x": x, "y": x.sum(axis=1, keepdims=True)}
    blocks = _blocks("docs/doctor.md")
    assert blocks
    for block in blocks:
        exec(compile(block, "docs/doctor.md", "exec"), namespace)
    assert "learning_rate_high" in capsys.readouterr().out
