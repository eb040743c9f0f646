"""A plugin of pytest that collects Keras's tests with plimsoll.keras in the place of Keras.

With --outcomes=FILE each test adds a line of JSON to the file: its name, its outcome, and the first
line of its error.
"""
import importlib
import json
import sys
from pathlib import Path

import ml_dtypes  # noqa: F401  NumPy then knows the type bfloat16, of which tests make their cases
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from keras_suite import stand_in, testing  # noqa: E402

stand_in.install()


# Some 6,000 cases of all pairs of element types, of which Plimsoll has five, against another library.
DTYPE_REASON = "compares element types with those of jax"


class KerasModule(pytest.Module):
    """A file of Keras's tests, imported by its name in Keras."""

    def _getobj(self):
        path = self.path.relative_to(stand_in.source_folder()).with_suffix("")
        return importlib.import_module(".".join(path.parts))


def pytest_addoption(parser):
    parser.addoption("--outcomes", type=Path, help="a file for the outcome of each test")


def pytest_configure(config):
    for mark in ("requires_trainable_backend", "multi_device"):
        config.addinivalue_line("markers", f"{mark}: a mark of Keras's tests")


def pytest_pycollect_makemodule(module_path, parent):
    if stand_in.source_folder() in module_path.parents:
        return KerasModule.from_parent(parent, path=module_path)
    return None


def pytest_collect_directory(path, parent):
    """Keras's own packages are not imported."""
    return pytest.Dir.from_parent(parent, path=path)


def pytest_collection_modifyitems(items):
    for item in items:
        if item.get_closest_marker("multi_device"):
            item.add_marker(pytest.mark.skip(reason="needs several devices"))
        if item.cls is not None and item.cls.__name__.endswith("DtypeTest") and "/ops/" in item.nodeid:
            item.add_marker(pytest.mark.skip(reason=DTYPE_REASON))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if call.when == "call" or report.outcome != "passed":
        _add_outcome(item.config, item.nodeid, report.outcome, call.excinfo)
    return report


def pytest_collectreport(report):
    """A file that cannot be imported has no tests whose names are known."""
    if report.failed:
        last = [line for line in str(report.longrepr).splitlines() if line.startswith("E ")]
        _write(_config_of[0], report.nodeid, "failed", last[-1][1:].strip() if last else "")


_config_of: list = []


def pytest_sessionstart(session):
    _config_of[:] = [session.config]


def _add_outcome(config, name: str, outcome: str, error) -> None:
    words = testing.other_words.pop(name.rpartition("::")[2], False)
    if outcome == "passed" and words:
        outcome = "passed with other words"
    _write(config, name, outcome, "" if error is None else error.exconly())


def _write(config, name: str, outcome: str, cause: str) -> None:
    path = config.getoption("--outcomes")
    if path is not None:
        with path.open("a") as file:
            file.write(json.dumps({"test": name, "outcome": outcome, "cause": cause[:400]}) + "\n")
