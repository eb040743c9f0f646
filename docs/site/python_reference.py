"""The Python reference: a page per package of plimsoll, plimsoll.keras and plimsoll.tensorflow.

What is written by hand is read from the sources. Layers, losses, optimizers and their like are made when they are first
used, of the engine's rows and Keras's signatures; here, the rows are those of docs/keras.md, which a test compares with
the engine, and the texts are those of help().
"""
import inspect
import pathlib
import re
import sys
import types

from python_source import Package

_HEAD = """# Python reference

`import plimsoll.tensorflow as tf` and `from plimsoll import keras` have the names of TensorFlow and Keras that are on these pages.
They are made from the sources of the package and from Keras's signatures; `help(keras.layers.Dense)` shows the same texts.
[Plimsoll in Python](../docs/python.md) introduces them with examples, and what differs from TensorFlow.
"""
# The packages of Keras whose classes are made of rows, and what their rows in docs/keras.md are called.
_ROWS = {
    "layers": "layers", "losses": "losses", "metrics": "metrics", "optimizers": "optimizers",
    "optimizers.schedules": "schedules", "initializers": "initializers", "regularizers": "regularizers",
    "constraints": "constraints", "activations": "activations", "ops": "operations",
}


def _load_texts(root: pathlib.Path):
    """The modules that make the texts of help(), without the package's own start, which loads the engine."""
    for name in ("plimsoll", "plimsoll.keras"):
        package = types.ModuleType(name)
        package.__path__ = [str(root / "python" / name.replace(".", "/"))]
        sys.modules[name] = package
    from plimsoll.keras import _docstrings, _signatures

    return _docstrings, _signatures


def _rows(document: str, kind: str) -> list[str]:
    """The names in the rows of docs/keras.md that begin with this kind."""
    names = []
    for cells in re.findall(rf"^\| {kind}(?:,[^|]*)? \| (.*) \|$", document, re.MULTILINE):
        names += re.sub(r" \([^)]*\)", "", cells).split(", ")
    return sorted(set(names))


def _prose(text: str) -> str:
    """A docstring outside of code: its arguments become a list."""
    lines = [re.sub(r"^    (\w+): ", r"    - `\1`: ", line).removeprefix("    ") for line in text.splitlines()]
    return "\n".join(lines).replace("Arguments:\n", "Arguments:\n\n")


class _Generated:
    """Stubs of what is made of a row and a signature."""

    def __init__(self, root: pathlib.Path):
        self._docstrings, self._signatures = _load_texts(root)
        self._document = (root / "docs/keras.md").read_text(encoding="utf-8")

    def names(self, package: str) -> list[str]:
        known = self._signatures.names(package)
        return [name for name in _rows(self._document, _ROWS[package]) if name in known] if package in _ROWS else []

    def stub(self, package: str, name: str) -> str:
        kind = _ROWS[package]
        parameters = self._signatures.parameters(package, name)
        shown = str(inspect.Signature(parameters))
        if kind in ("activations", "operations"):
            return f"def {name}{shown}: ..."
        named = {parameter.name: parameter for parameter in parameters
                 if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)}
        row = types.SimpleNamespace(kind=kind, module=package, name=name, named=named, default_config={})
        return f"class {name}{shown}\n```\n\n" + _prose(self._docstrings.class_text(row))


def _page(title: str, text: str, stubs: dict[str, str], others: list[str]) -> str:
    parts = [f"# {title}", text]
    functions = [stub for stub in stubs.values() if not stub.startswith("class ")]
    for name, stub in stubs.items():
        if stub.startswith("class "):
            parts.append(f"## {name}\n\n```python\n{stub}" + ("" if "\n```\n" in stub else "\n```"))
    if functions:
        parts.append("## Functions\n\n```python\n" + "\n\n".join(functions) + "\n```")
    if others:
        names = ", ".join(f"`{name}`" for name in others)
        parts.append(f"## Other names\n\nThese come from other packages, or stand for names above: {names}.")
    return "\n\n".join(parts) + "\n"


def _packages(root: pathlib.Path):
    """The dotted names of all packages and modules that have public names, and where they are."""
    top = root / "python/plimsoll"
    yield "plimsoll", top
    for path in sorted([*top.rglob("*.py"), *top.rglob("*/")]):
        parts = path.relative_to(top).with_suffix("").parts
        is_package = (path / "__init__.py").is_file()
        is_module = path.suffix == ".py" and "tensorflow" in parts and len(parts) == 2
        if any(part.startswith("_") for part in parts) or not parts or not (is_package or is_module):
            continue
        yield "plimsoll." + ".".join(parts), path


def pages(root: pathlib.Path) -> dict[str, str]:
    """Texts by their paths in the site."""
    generated, texts = _Generated(root), {"reference/python.md": ""}
    for title, path in _packages(root):
        package, of_keras = Package(path), title.removeprefix("plimsoll.keras.")
        stubs = {name: generated.stub(of_keras, name) for name in generated.names(of_keras)}
        stubs |= {name: stub for name in package.names() if (stub := package.stub(name))}
        others = [name for name in package.names() if name not in stubs]
        if stubs or others:
            texts[f"reference/python/{title}.md"] = _page(title, package.text, stubs, others)
    entries = "\n".join(sorted(path.removeprefix("reference/") for path in texts if "/python/" in path))
    texts["reference/python.md"] = _HEAD + f"\n```{{toctree}}\n:maxdepth: 1\n\n{entries}\n```\n"
    return texts
