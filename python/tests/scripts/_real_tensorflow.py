"""Runs scripts on the real TensorFlow in one process: script result script result …

Importing TensorFlow takes longer than most scripts. A script that fails leaves no result; its
traceback is in the file named as the result with .txt at its end.
"""

import contextlib
import importlib
import os
import runpy
import sys
import tempfile
import time
import traceback

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
# One thread: the same sums in the same order each time, and no waiting for busy cores.
os.environ.setdefault("TF_NUM_INTRAOP_THREADS", "1")
os.environ.setdefault("TF_NUM_INTEROP_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import keras  # noqa: E402
import tensorflow as tf  # noqa: E402

import _same  # noqa: E402


def run(script, result):
    """True if the script ended well. Scripts see a new folder, a new session and no arguments."""
    keras.utils.clear_session()
    keras.config.set_dtype_policy("float32")
    keras.config.enable_interactive_logging()
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder, open(result + ".txt", "w") as log:
        os.chdir(folder)
        sys.argv = [script]
        try:
            with contextlib.redirect_stdout(log), contextlib.redirect_stderr(log):
                try:
                    runpy.run_path(script, run_name="__main__")
                    _same.write(result)
                    return True
                except BaseException:
                    traceback.print_exc()
                    _same.results.clear()
                    return False
        finally:
            os.chdir(here)


def write_scalar(name, data, step=None, description=None):
    return tf.summary.write(name, tf.cast(data, tf.float32), step=step)


def main(arguments):
    # The data sets of the tests are made up: their checksums are not the published ones.
    keras.src.utils.file_utils.validate_file = lambda *_, **__: True
    # TensorFlow's own function needs TensorBoard, a package of its own.
    for module in (tf.summary, importlib.import_module("tensorflow.summary")):
        module.scalar = write_scalar
    failed = 0
    for script, result in zip(arguments[::2], arguments[1::2]):
        begin = time.perf_counter()
        good = run(os.path.abspath(script), os.path.abspath(result))
        failed += not good
        seconds = time.perf_counter() - begin
        outcome = "ok" if good else "FAILED"
        print(f"{os.path.basename(script)}: {outcome}, {seconds:.1f} s", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
