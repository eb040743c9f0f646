"""Stubs for editors come from the same tables as the classes."""
import ast
import importlib

import pytest

from plimsoll import _module_stubs
from plimsoll.keras import _stubs, layers
from plimsoll.keras._signatures import MODULE_OF_KIND


@pytest.mark.parametrize("kind, package", MODULE_OF_KIND.items())
def test_a_stub_has_every_name_of_its_package(kind, package):
    tree = ast.parse(_stubs.package_stub(kind))
    names = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    names |= {target.id for node in tree.body if isinstance(node, ast.Assign)
              for target in node.targets}
    names |= {alias.asname for node in tree.body if isinstance(node, ast.ImportFrom)
              for alias in node.names if alias.asname}
    module = importlib.import_module("plimsoll.keras." + package)
    assert set(module.__all__) <= names


def test_a_stub_of_a_class_has_its_arguments_and_types():
    stub = _stubs.class_stub("losses", "Huber")
    assert "def __init__(self, delta: float = 1.0, reduction: str = " in stub
    assert stub.startswith("class Huber(Loss):")


@pytest.mark.parametrize("package", _module_stubs.lazy_packages())
def test_a_stub_of_a_package_has_its_names_and_their_homes(package):
    module, tree = importlib.import_module(package), ast.parse(_module_stubs.module_stub(package))
    names = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    names |= {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
    for node in tree.body:
        for alias in node.names if isinstance(node, (ast.Import, ast.ImportFrom)) and node.names[0].asname else ():
            home = importlib.import_module(node.module) if isinstance(node, ast.ImportFrom) else None
            assert home is None or getattr(home, alias.name) is getattr(module, alias.asname)
            names.add(alias.asname)
    assert names == set(module.__all__)


def test_a_stub_says_where_a_callback_comes_from():
    stub = _module_stubs.module_stub("plimsoll.keras.callbacks")
    assert "from plimsoll.keras.callbacks.files import ModelCheckpoint as ModelCheckpoint\n" in stub
    assert {"plimsoll", "plimsoll.keras", "plimsoll.keras.applications", "plimsoll.keras.callbacks", "plimsoll.keras.ops",
            "plimsoll.keras.utils", "plimsoll.tensorflow", "plimsoll.tensorflow.data"} <= set(
                _module_stubs.lazy_packages())


def test_stubs_are_written_beside_the_packages(tmp_path):
    written = _stubs.write_stubs(tmp_path)
    assert tmp_path / "keras" / "optimizers" / "schedules" / "__init__.pyi" in written
    assert {tmp_path / "__init__.pyi", tmp_path / "keras" / "callbacks" / "__init__.pyi"} <= set(written)
    assert len(set(written)) == len(written)
    assert all(path.read_text() for path in written)
    assert "class Dense(" in (tmp_path / "keras" / "layers" / "__init__.pyi").read_text()


def test_all_names_of_an_old_module_can_be_imported():
    names: dict = {}
    exec("from plimsoll.keras.layers.experimental import *", names)
    assert names["Dense"] is layers.Dense
