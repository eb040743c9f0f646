"""Writes .pyi stubs for the packages whose classes are made when they are first used."""
import importlib
import inspect
import pathlib

from plimsoll._module_stubs import write_module_stubs
from plimsoll.keras._classes import class_for
from plimsoll.keras._docstrings import class_text
from plimsoll.keras._rows import BASE_OF_KIND, row_name
from plimsoll.keras._signatures import MODULE_OF_KIND

_HEAD = ('"""Generated from the engine\'s rows and Keras\'s signatures."""\n'
         "from typing import Any\n\n")
_TYPES = {bool: "bool", int: "int", float: "float", str: "str"}


_OBJECTS = ("activation", "initializer", "regularizer", "constraint", "learning_rate")


def _annotation(row, parameter: inspect.Parameter) -> str:
    """A type that an editor can use: only where there is a plain value of the argument."""
    if row is None or parameter.name.endswith(_OBJECTS):
        return "Any"
    for value in (row.default_config.get(parameter.name), parameter.default):
        if type(value) in _TYPES:
            return _TYPES[type(value)]
    return "Any"


def _parameter(row, parameter: inspect.Parameter) -> str:
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
        return f"*{parameter.name}: Any"
    if parameter.kind is inspect.Parameter.VAR_KEYWORD:
        return f"**{parameter.name}: Any"
    kind = _annotation(row, parameter)
    if parameter.default is inspect.Parameter.empty:
        return f"{parameter.name}: {kind}"
    if parameter.default is None and kind != "Any":
        kind += " | None"
    is_plain = parameter.default is None or type(parameter.default) in _TYPES
    return f"{parameter.name}: {kind} = {repr(parameter.default) if is_plain else '...'}"


def parameters_text(row, parameters, first: tuple = ()) -> str:
    parts, has_star = list(first), False
    for parameter in parameters:
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            has_star = True
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not has_star:
            parts.append("*")
            has_star = True
        parts.append(_parameter(row, parameter))
    return ", ".join(parts)


def class_stub(kind: str, name: str) -> str:
    """The stub of one class, with its docstring."""
    row = class_for(kind, name)._row
    text = class_text(row).replace("\n", "\n    ").replace("\n    \n", "\n\n")
    text = text.replace("\\", "\\\\")
    return (f'class {row.name}({BASE_OF_KIND[kind]}):\n    """{text}"""\n'
            f"    def __init__({parameters_text(row, row.parameters, ('self',))}) -> None: ...\n"
            "    def __getattr__(self, name: str) -> Any: ...\n")


def _function_stub(name: str, function) -> str:
    signature = inspect.signature(function)
    return (f"def {name}({parameters_text(None, signature.parameters.values())}) -> Any: ...\n")


def _imports(package: str, module) -> str:
    """The names that are written by hand, from the files that define them."""
    lines = []
    for name in module.__all__:
        value = getattr(module, name)
        home = getattr(value, "__module__", "")
        is_by_hand = inspect.isclass(value) and home.startswith(f"plimsoll.keras.{package}.")
        if is_by_hand and "_row" not in vars(value):
            lines.append(f"from {home} import {value.__name__} as {name}\n")
    return "".join(sorted(lines))


def package_stub(kind: str) -> str:
    """The stub of the package that has the classes of this kind."""
    package = MODULE_OF_KIND[kind]
    module = importlib.import_module("plimsoll.keras." + package)
    imports, classes, others = _imports(package, module), [], []
    for name in module.__all__:
        row = row_name(kind, name) if kind != "activations" else None
        if row == name:
            classes.append(class_stub(kind, name))
        elif row is not None:
            others.append(f"{name} = {row}\n")
        elif f" as {name}\n" not in imports and callable(getattr(module, name)):
            others.append(_function_stub(name, getattr(module, name)))
    return "\n".join((_HEAD + imports, *classes, "".join(others)))


def write_stubs(folder) -> list[pathlib.Path]:
    """Writes the stubs of all packages below the folder of plimsoll; returns the files."""
    written = []
    for kind, package in MODULE_OF_KIND.items():
        path = pathlib.Path(folder, "keras", *package.split("."), "__init__.pyi")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(package_stub(kind), encoding="utf-8")
        written.append(path)
    return written + write_module_stubs(folder, set(written))


def main() -> None:
    """For packaging: python -m plimsoll.keras._stubs [FOLDER]."""
    import sys

    folder = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent
    for path in write_stubs(folder):
        print(path)


if __name__ == "__main__":
    main()
