"""A loop that keeps tensors is reported while it runs, by the line that makes what it keeps."""

import os
import re
import subprocess
import sys

import pytest

import leaking_loops
from leaking_loops import loops

STEPS = 1300  # the loop watch compares eleven looks, a hundred steps apart


@pytest.mark.parametrize("name", loops())
def test_the_line_that_makes_what_a_loop_keeps_is_named(name, tmp_path):
    text = loops()[name].replace("STEPS", str(STEPS))
    script = tmp_path / "script.py"
    script.write_text(text)
    (line,) = [number for number, row in enumerate(text.splitlines(), 1) if "# here" in row]
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr[-2000:]
    named = re.findall(r"script\.py:(\d+): holds", run.stderr)
    assert named, f"nothing is reported: {run.stderr[-2000:]}"
    assert int(named[0]) == line, run.stderr[-2000:]


def test_the_cell_of_a_notebook_is_named():
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    prelude, loop = leaking_loops.PRELUDE, loops()["losses without float()"]
    loop = loop.removeprefix(prelude).replace("STEPS", str(STEPS))
    cells = [nbformat.v4.new_code_cell(cell) for cell in (prelude, loop, "'the end'")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    # The kernel shows what the process writes to standard error, but not while it is tested itself.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute(env=environment)
    outputs = [output for cell in notebook.cells for output in cell.outputs]
    text = "".join(output.get("text", "") for output in outputs)
    (line,) = [number for number, row in enumerate(loop.splitlines(), 1) if "# here" in row]
    assert f"Cell In[2]:{line}: holds" in text, outputs
