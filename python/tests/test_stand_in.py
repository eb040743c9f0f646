"""python -m plimsoll: scripts that import TensorFlow or Keras run unchanged."""
import os
import subprocess
import sys
import textwrap

import pytest



def run(*arguments, cwd, input=None):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    return subprocess.run([sys.executable, *arguments], cwd=cwd, env=environment, input=input,
                          capture_output=True, text=True, timeout=120)


def script(folder, text, name="script.py"):
    path = folder / name
    path.write_text(textwrap.dedent(text))
    return str(path)


def output(folder, text, *arguments):
    done = run("-m", "plimsoll", script(folder, text), *arguments, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_way_to_import_gives_the_same_modules(tmp_path):
    said = output(tmp_path, """\
        import tensorflow as tf
        import tensorflow.keras.layers as layers_1
        from tensorflow import keras
        from tensorflow.keras import layers as layers_2
        from tensorflow.keras.layers import Dense
        from tensorflow.python.keras.layers import Dense as Dense_2
        from keras.layers import Dense as Dense_3
        import keras as keras_2
        import plimsoll
        assert tf is plimsoll.tensorflow
        assert keras is keras_2 is tf.keras is plimsoll.keras
        assert layers_1 is layers_2 is keras.layers is tf.keras.layers
        assert Dense is Dense_2 is Dense_3 is layers_1.Dense
        print(tf.__name__, keras.__name__, layers_1.__name__)
        """)
    assert said == "plimsoll.tensorflow plimsoll.keras plimsoll.keras.layers\n"


def test_old_places_of_names_are_known(tmp_path):
    output(tmp_path, """\
        from keras.utils import np_utils
        from keras.utils.np_utils import to_categorical
        from keras.utils.vis_utils import plot_model
        from keras.layers.convolutional import Conv2D, MaxPooling2D
        from keras.layers.core import Dense, Flatten
        from keras.layers.normalization import BatchNormalization
        from keras.optimizer_v2.adam import Adam
        from keras.engine.topology import Layer
        from tensorflow.python.keras.models import Sequential
        from tensorflow.keras.layers.experimental import preprocessing
        from tensorflow.keras.layers.experimental.preprocessing import Rescaling
        from keras.preprocessing.text import Tokenizer
        from keras.preprocessing.image import ImageDataGenerator
        import keras
        assert to_categorical is keras.utils.to_categorical is np_utils.to_categorical
        assert Conv2D is keras.layers.Conv2D and Adam is keras.optimizers.Adam
        assert Layer is keras.layers.Layer and preprocessing.Rescaling is Rescaling
        """)


def test_the_changed_line_imports_the_same_modules(tmp_path):
    path = script(tmp_path, """\
        import plimsoll.tensorflow as tf
        import plimsoll.tensorflow.keras.layers as layers
        from plimsoll.tensorflow.keras.layers import Dense
        from plimsoll import keras
        assert tf.keras is keras and layers is keras.layers is tf.keras.layers
        assert Dense is keras.layers.Dense
        """)
    done = run(path, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_aliases_know_old_places_under_the_name_of_plimsoll(tmp_path):
    path = script(tmp_path, """\
        from plimsoll import _stand_in
        _stand_in.install_aliases()
        from plimsoll.tensorflow.keras.utils import np_utils
        from plimsoll.keras.layers.core import Dense
        from plimsoll import keras
        assert np_utils is keras.utils and Dense is keras.layers.Dense
        """)
    done = run(path, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_scripts_that_look_at_the_version_go_on(tmp_path):
    said = output(tmp_path, """\
        import tensorflow as tf
        major, minor = map(int, tf.__version__.split(".")[:2])
        assert (major, minor) >= (2, 16)
        assert tf.version.VERSION == tf.__version__
        print(tf.__version__)
        """)
    assert said.startswith("2.")


def test_a_script_is_main_with_its_arguments_and_folder(tmp_path):
    (tmp_path / "helper.py").write_text("VALUE = 3\n")
    text = """\
        import inspect, pickle, sys
        import helper
        class Thing:
            pass
        def f():
            return 1
        assert __name__ == "__main__" and __spec__ is None and __package__ is None
        assert sys.modules["__main__"].Thing is Thing
        assert type(pickle.loads(pickle.dumps(Thing()))) is Thing
        assert "return 1" in inspect.getsource(f)
        assert inspect.getsource(Thing).startswith("class Thing")
        print(__file__, sys.argv[1:], sys.path[0], helper.VALUE)
        """
    path = script(tmp_path, text)
    plain = run(path, "-a", "--check", cwd=tmp_path)
    ours = run("-m", "plimsoll", path, "-a", "--check", cwd=tmp_path)
    assert plain.returncode == 0 and ours.returncode == 0, ours.stderr + plain.stderr
    assert ours.stdout == plain.stdout


@pytest.mark.parametrize("text", [
    "def f():\n    raise ValueError('no')\nf()\n",
    "try:\n    1 / 0\nexcept ZeroDivisionError:\n    raise KeyError(1)\n",
    "def broken(:\n    pass\n",
    "import sys\nsys.exit('bye')\n",
    "import sys\nsys.exit(7)\n",
    "raise KeyboardInterrupt\n",
    "import atexit\natexit.register(print, 'end')\n1 / 0\n",
], ids=["error", "chained", "syntax", "exit text", "exit code", "interrupt", "atexit"])
def test_a_script_ends_as_with_plain_python(tmp_path, text):
    path = script(tmp_path, text)
    plain = run(path, cwd=tmp_path)
    ours = run("-m", "plimsoll", path, cwd=tmp_path)
    assert (ours.returncode, ours.stdout, ours.stderr) == (
        plain.returncode, plain.stdout, plain.stderr)


def test_modules_commands_and_input_run_too(tmp_path):
    package = tmp_path / "tool"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "other.py").write_text("NAME = 'other'\n")
    (package / "__main__.py").write_text(
        "import sys, tensorflow\nfrom . import other\n"
        "print(__name__, __package__, other.NAME, sys.argv[1:], tensorflow.__name__)\n")
    done = run("-m", "plimsoll", "-m", "tool", "x", cwd=tmp_path)
    assert done.stdout == "__main__ tool other ['x'] plimsoll.tensorflow\n", done.stderr
    command = "import sys, keras; print(sys.argv, sys.path[0], keras.__name__)"
    done = run("-m", "plimsoll", "-c", command, "y", cwd=tmp_path)
    assert done.stdout == "['-c', 'y']  plimsoll.keras\n", done.stderr
    done = run("-m", "plimsoll", "-", "z", cwd=tmp_path, input="import sys; print(sys.argv)")
    assert done.stdout == "['-', 'z']\n", done.stderr


@pytest.mark.parametrize("arguments, words", [
    ([], "usage:"), (["--fast", "x.py"], "unknown option --fast"),
    (["nowhere.py"], "cannot open 'nowhere.py'"), (["-m", "no.such"], "no"), (["-c"], "a command"),
])
def test_what_cannot_be_run_is_said(tmp_path, arguments, words):
    done = run("-m", "plimsoll", *arguments, cwd=tmp_path)
    assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr


def test_a_missing_name_fails_at_the_line_that_uses_it(tmp_path):
    path = script(tmp_path, "import tensorflow as tf\n\ntf.lite.TFLiteConverter\n")
    done = run("-m", "plimsoll", path, cwd=tmp_path)
    assert done.returncode == 1
    assert f'File "{path}", line 3' in done.stderr
    assert "Plimsoll has no tf.lite; save the model" in done.stderr
    path = script(tmp_path, "from tensorflow.keras.layers import Dens\n")
    done = run("-m", "plimsoll", path, cwd=tmp_path)
    assert "ImportError: Plimsoll has no keras.layers.Dens; there is Dense" in done.stderr
    path = script(tmp_path, "import tensorflow.lite\n")
    done = run("-m", "plimsoll", path, cwd=tmp_path)
    assert "ModuleNotFoundError: Plimsoll has no tf.lite; save the model" in done.stderr


def test_plain_python_is_left_alone(tmp_path):
    done = run("-c", "import plimsoll, importlib.util as u; print(u.find_spec('tensorflow'))",
               cwd=tmp_path)
    if done.stdout.strip() != "None":
        pytest.skip("the real TensorFlow is installed here")
    done = run("-c", "import plimsoll.keras, tensorflow", cwd=tmp_path)
    assert "No module named 'tensorflow'" in done.stderr


def test_the_real_tensorflow_is_not_mixed_with_ours(tmp_path):
    (tmp_path / "tensorflow.py").write_text("")
    done = run("-c", "import tensorflow; from plimsoll import _stand_in; _stand_in.install()",
               cwd=tmp_path)
    assert "ImportError: the real tensorflow is imported already" in done.stderr


def test_ours_comes_before_an_installed_tensorflow(tmp_path):
    (tmp_path / "tensorflow.py").write_text("raise SystemExit('the wrong one')")
    done = run("-m", "plimsoll", "-c", "import tensorflow; print(tensorflow.__name__)",
               cwd=tmp_path)
    assert done.stdout == "plimsoll.tensorflow\n", done.stderr


def test_the_notebook_extension_can_be_loaded_and_unloaded(tmp_path):
    said = output(tmp_path, """\
        import sys
        from plimsoll import _stand_in
        _stand_in.uninstall()
        import plimsoll
        plimsoll.load_ipython_extension(None)
        import tensorflow.keras.layers
        assert tensorflow is plimsoll.tensorflow
        from plimsoll import _notebook
        _notebook.unload_ipython_extension(None)
        print([name for name in sys.modules if name.startswith(("tensorflow", "keras"))])
        """)
    assert said == "[]\n"


def test_load_ext_answers_imports_in_ipython(tmp_path):
    pytest.importorskip("IPython")
    cells = "%load_ext plimsoll\nimport tensorflow as tf\nprint('it is', tf.__name__)\n"
    (tmp_path / "cells.ipy").write_text(cells)
    done = run("-m", "IPython", "--no-banner", "--no-confirm-exit", "cells.ipy", cwd=tmp_path)
    assert "it is plimsoll.tensorflow" in done.stdout, done.stderr


def test_relative_imports_inside_of_plimsoll_see_their_own_names(tmp_path):
    output(tmp_path, """\
        import warnings
        warnings.simplefilter("error")
        import tensorflow.keras.utils
        import importlib, plimsoll
        assert plimsoll.keras.utils.__spec__.name == "plimsoll.keras.utils"
        assert tensorflow.keras.utils.__package__ == "plimsoll.keras.utils"
        """)
