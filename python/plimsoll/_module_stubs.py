"""Stubs of packages whose names are imported when they are first used: what each name is, and where it comes from."""
import importlib
import inspect
import pathlib
import pkgutil

import plimsoll

_HEAD = '"""Generated from the names of the package."""\nfrom typing import Any\n\n'


def lazy_packages() -> list[str]:
    """The packages whose names an editor does not find in their sources."""
    names = [plimsoll.__name__, *(found.name for found in pkgutil.walk_packages(plimsoll.__path__, "plimsoll.")
                                  if found.ispkg and "._" not in found.name)]
    modules = map(importlib.import_module, names)
    return [each.__name__ for each in modules if "__getattr__" in vars(each) and hasattr(each, "__all__")]


def module_stub(package: str) -> str:
    """The stub of one package."""
    module = importlib.import_module(package)
    lines = [_line(package, name, getattr(module, name)) for name in sorted(set(module.__all__))]
    return _HEAD + "".join(sorted(lines, key=lambda line: not line.startswith(("from", "import"))))


def _line(package: str, name: str, value) -> str:
    if inspect.ismodule(value):
        parent, _, own = value.__name__.rpartition(".")
        return f"from {parent} import {own} as {name}\n" if parent else f"import {own} as {name}\n"
    home, own = getattr(value, "__module__", None) or "", getattr(value, "__name__", "")
    if home.startswith("plimsoll") and home != package and _has(home, own, value):
        return f"from {home} import {own} as {name}\n"
    if inspect.isclass(value):
        return f"class {name}:\n    def __getattr__(self, name: str) -> Any: ...\n"
    return _function(name, value) if callable(value) else f"{name}: Any\n"


def _has(home: str, name: str, value) -> bool:
    return name.isidentifier() and vars(importlib.import_module(home)).get(name) is value


def _function(name: str, function) -> str:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return f"def {name}(*args: Any, **kwargs: Any) -> Any: ...\n"
    from plimsoll.keras._stubs import parameters_text

    return f"def {name}({parameters_text(None, parameters)}) -> Any: ...\n"


def write_module_stubs(folder, written: set) -> list[pathlib.Path]:
    """Writes them below the folder of plimsoll, but for the packages that have a stub; returns the files."""
    paths = []
    for package in lazy_packages():
        path = pathlib.Path(folder, *package.split(".")[1:], "__init__.pyi")
        if path not in written:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(module_stub(package), encoding="utf-8")
            paths.append(path)
    return paths
