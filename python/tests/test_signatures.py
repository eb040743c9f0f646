"""The frozen table of signatures is the one of the real Keras."""
import json
import os
import pathlib
import subprocess

import pytest

import freeze_signatures

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
REAL_PYTHON = CACHE / "plimsoll" / "peers" / "bin" / "python"


@pytest.mark.skipif(not REAL_PYTHON.exists(),
                    reason="the real Keras is not there; ./dev peers installs it")
def test_the_frozen_table_is_what_the_real_keras_says():
    program = "import freeze_signatures as f; print(f.as_text(f.frozen_table()))"
    done = subprocess.run([REAL_PYTHON, "-c", program], cwd=pathlib.Path(__file__).parent,
                          capture_output=True, text=True, check=True, timeout=300)
    real = json.loads(done.stdout)
    frozen = json.loads(freeze_signatures.TABLE.read_text())
    assert frozen.keys() == real.keys()
    for module, names in real.items():
        assert frozen[module] == names, module


def test_the_table_has_one_line_per_name():
    text = freeze_signatures.TABLE.read_text()
    assert freeze_signatures.as_text(json.loads(text)) == text
