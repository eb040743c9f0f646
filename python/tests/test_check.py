"""python -m plimsoll --check: missing names are found without running the script."""
import ast
import json
import subprocess
import sys
import textwrap

import pytest

from plimsoll import _check
from plimsoll._notebook_cells import code_cells
from plimsoll._script_names import ScriptNames


def uses(text, classes=("tensorflow.data.Dataset", "keras.Sequential", "tensorflow.GradientTape")):
    """(path, line) of every name that the text uses."""
    names = ScriptNames(lambda path: path in classes)
    names.read(ast.parse(textwrap.dedent(text)))
    return [(use.path, use.line) for use in names.uses]


@pytest.mark.parametrize("text, expected", [
    ("import tensorflow as tf\ntf.nn.relu(1)", [("tensorflow", 1), ("tensorflow.nn.relu", 2)]),
    ("import tensorflow.keras.layers\ntensorflow.keras.layers.Dense",
     [("tensorflow.keras.layers", 1), ("tensorflow.keras.layers.Dense", 2)]),
    ("from tensorflow import keras as k\nk.Model", [("tensorflow.keras", 1),
                                                    ("tensorflow.keras.Model", 2)]),
    ("from keras.layers import (Dense,\n  Foo)",
     [("keras.layers.Dense", 1), ("keras.layers.Foo", 2)]),
    ("from keras.layers import *", [("keras.layers", 1)]),
    ("import plimsoll.tensorflow as tf\ntf.io", [("tensorflow", 1), ("tensorflow.io", 2)]),
    ("from plimsoll import keras\nkeras.X", [("keras", 1), ("keras.X", 2)]),
    ("import plimsoll\nplimsoll.keras.X", [("keras.X", 2)]),
    ("import numpy as tf\ntf.zeros(1)", []),
    ("from .keras import layers\nlayers.Foo", []),
    ("import keras\nL = keras.layers\nL.Foo",
     [("keras", 1), ("keras.layers", 2), ("keras.layers.Foo", 3)]),
    ("import keras\nkeras = 3\nkeras.foo", [("keras", 1)]),
    ("import tensorflow_hub as hub", [("tensorflow_hub", 1)]),
], ids=range(13))
def test_names_are_found_however_they_are_imported(text, expected):
    assert [use for use in uses(text) if use[0] != "plimsoll"] == expected


def test_a_function_sees_what_the_module_binds_later():
    text = "def f(tf_2, tf=None):\n  tf.no\n  return layers.Foo\nfrom keras import layers\n"
    assert uses(text) == [("keras.layers", 4), ("keras.layers.Foo", 3)]


def test_names_of_other_scopes_do_not_leak():
    text = """\
        import keras
        class A(keras.Model):
            keras = None
            def call(self, keras_2):
                return keras.ops.foo
        def g():
            keras = 1
        [keras for keras in range(3)]
        lambda keras: keras.foo
        keras.bar
        """
    assert uses(text) == [("keras", 1), ("keras.Model", 2), ("keras.bar", 10), ("keras.ops.foo", 5)]


def test_methods_are_looked_up_only_on_what_is_certain():
    text = """\
        import tensorflow as tf, keras
        ds = tf.data.Dataset.range(3).batch(2)
        ds = ds.foo(3)
        ds.bar()
        model = keras.Sequential()
        model.own = 3
        model.own()
        model.fitt(1)
        unknown(model).nothing()
        model.history.nothing()
        with tf.GradientTape() as tape:
            tape.wach(1)
        """
    assert {use for use in uses(text) if use[1] > 1} == {
        ("tensorflow.data.Dataset.range", 2), ("tensorflow.data.Dataset.batch", 2),
        ("tensorflow.data.Dataset.foo", 3), ("keras.Sequential", 5), ("keras.Sequential.fitt", 8),
        ("tensorflow.GradientTape", 11), ("tensorflow.GradientTape.wach", 12)}


def test_imports_that_the_script_catches_are_marked():
    names = ScriptNames(lambda path: False)
    names.read(ast.parse("try:\n  import keras.a\nexcept ImportError:\n  import keras.b\n"))
    found = [(use.path, use.guarded) for use in names.uses]
    assert found == [("keras.a", True), ("keras.b", False)]


def check(folder, text, name="script.py"):
    path = folder / name
    path.write_text(textwrap.dedent(text))
    return _check.check_file(str(path))


def test_a_script_without_missing_names_passes(tmp_path, capsys):
    path = tmp_path / "good.py"
    path.write_text(textwrap.dedent("""\
        import tensorflow as tf
        from tensorflow.keras import layers
        from tensorflow.keras.utils import to_categorical
        from keras.utils.np_utils import normalize
        model = tf.keras.Sequential([layers.Dense(3)])
        model.compile(loss="mse")
        model.fit(tf.data.Dataset.from_tensor_slices([1.0]).batch(2))
        raise SystemExit("it was run")
        """))
    assert _check.main([str(path)]) == 0
    assert "nothing is missing" in capsys.readouterr().out


def test_missing_names_are_listed_with_their_lines(tmp_path, capsys):
    path = tmp_path / "bad.py"
    path.write_text(textwrap.dedent("""\
        import tensorflow as tf
        from tensorflow.keras.layers import Dense, Dens
        import tensorflow_datasets as tfds
        converter = tf.lite.TFLiteConverter.from_keras_model(None)
        tf.keras.applications.NoSuchNet()
        tf.data.Dataset.range(3).btch(2)
        model = tf.keras.Sequential()
        model.fitt()
        """))
    assert _check.main([str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{path}:2: Plimsoll has no keras.layers.Dens; there is Dense")
    assert lines[1] == f"{path}:3: the package tensorflow_datasets needs TensorFlow itself"
    assert lines[2].startswith(f"{path}:4: Plimsoll has no tf.lite; save the model")
    assert lines[3].startswith(f"{path}:5: Plimsoll has no keras.applications.NoSuchNet")
    assert lines[4].startswith(f"{path}:6: Plimsoll has no tf.data.Dataset.btch; there is batch")
    assert lines[5].startswith(f"{path}:8: Plimsoll has no keras.Sequential.fitt; there is fit")
    assert lines[6].startswith(f"{path}: 6 names are missing, of ")


def test_caught_imports_do_not_count(tmp_path):
    report = check(tmp_path, "try:\n  import tensorflow.lite\nexcept ImportError:\n  pass\n")
    assert [m.guarded for m in report.missing] == [True]
    assert _check.main([report.file]) == 0


def test_json_has_what_a_program_needs(tmp_path, capsys):
    path = tmp_path / "a.py"
    path.write_text("import tensorflow as tf\ntf.lite\n")
    assert _check.main(["--json", str(path)]) == 1
    [report] = json.loads(capsys.readouterr().out)
    [missing] = report["missing"]
    assert report["file"] == str(path) and report["error"] is None
    assert (missing["name"], missing["line"], missing["cell"]) == ("tf.lite", 2, None)
    assert "model.save" in missing["instead"]


NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "source": ["tf.lite"]},
        {"cell_type": "code", "source": [
            "%load_ext plimsoll\n", "!pip install x\n", "import tensorflow as tf\n",
            "files = !ls\n", "tf.zeros?"]},
        {"cell_type": "code", "source": "%%bash\ntf.lite ("},
        {"cell_type": "code", "source": "%%time\nif True:\n    %matplotlib inline\n    tf.lite\n"},
    ]
}


def test_notebooks_are_read_cell_by_cell(tmp_path, capsys):
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps(NOTEBOOK))
    assert _check.main([str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{path}, cell 4, line 4: Plimsoll has no tf.lite")
    assert len(lines) == 2


def test_cells_keep_their_lines():
    cells = code_cells(json.dumps(NOTEBOOK))
    assert [number for number, _ in cells] == [2, 3, 4]
    assert cells[0][1] == "pass\npass\nimport tensorflow as tf\nfiles = None\npass"
    assert cells[1][1] == ""
    assert cells[2][1].split("\n")[:3] == ["", "if True:", "    pass"]


@pytest.mark.parametrize("name, text, words", [
    ("a.py", "def (:\n", "line 1: it is not Python"),
    ("a.ipynb", "{", "not a notebook"),
    ("a.ipynb", json.dumps({"cells": [{"cell_type": "code", "source": "def (:"}]}),
     "cell 1, line 1: it is not Python"),
])
def test_what_cannot_be_read_fails(tmp_path, capsys, name, text, words):
    (tmp_path / name).write_text(text)
    assert _check.main([str(tmp_path / name)]) == 1
    assert words in capsys.readouterr().out


def test_a_file_that_is_not_there_fails(capsys):
    assert _check.main(["/nonexistent/a.py"]) == 1
    assert "cannot be read" in capsys.readouterr().out
    assert _check.main([]) == 2


def test_the_command_checks_several_files(tmp_path):
    (tmp_path / "a.py").write_text("import keras\n")
    (tmp_path / "b.py").write_text("import keras\nkeras.nothing\n")
    done = subprocess.run([sys.executable, "-m", "plimsoll", "--check", "a.py", "b.py"],
                          cwd=tmp_path, capture_output=True, text=True, timeout=120,
                          env={"PYTHONPATH": ":".join(p for p in sys.path if p)})
    assert done.returncode == 1, done.stderr
    assert "a.py: nothing is missing" in done.stdout
    assert "b.py:2: Plimsoll has no keras.nothing" in done.stdout


def test_the_script_is_not_imported(tmp_path):
    check(tmp_path, "import keras\nopen('ran', 'w')\n", name="not_run.py")
    assert "not_run" not in sys.modules and not (tmp_path / "ran").exists()
