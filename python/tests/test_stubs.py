"""Stubs for editors come from the same tables as the classes."""
import ast
import importlib

import pytest

from plimsoll.keras import _stubs
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


def test_stubs_are_written_beside_the_packages(tmp_path):
    written = _stubs.write_stubs(tmp_path)
    assert tmp_path / "optimizers" / "schedules" / "__init__.pyi" in written
    assert all(path.read_text() for path in written)
