"""python -m plimsoll --check: the TensorFlow and Keras names of a script that Plimsoll lacks."""

import ast
import functools
import importlib
import inspect
import json
import sys
import types
import warnings
from typing import NamedTuple

from plimsoll import _missing, _stand_in
from plimsoll._notebook_cells import code_cells
from plimsoll._script_names import NEED_TENSORFLOW, ScriptNames


class Missing(NamedTuple):
    """A name that is not here: where it is used, and a sentence."""

    name: str
    line: int
    cell: int | None
    guarded: bool
    sentence: str


class Report(NamedTuple):
    """What was found in a file; `error` says why it was not read as a whole."""

    file: str
    names: int
    missing: list[Missing]
    error: str | None


def main(arguments: list[str]) -> int:
    """The command; 0 if no name is missing, 1 if one is, 2 if it was called wrongly."""
    as_json = "--json" in arguments
    files = [argument for argument in arguments if argument != "--json"]
    unknown = [file for file in files if file.startswith("-")]
    if unknown or not files:
        problem = f"unknown option {unknown[0]}" if unknown else "no script is named"
        print(f"plimsoll --check: {problem}", file=sys.stderr)
        return 2
    reports = [check_file(file) for file in files]
    if as_json:
        print(json.dumps([_as_json(report) for report in reports], indent=2))
    else:
        for report in reports:
            print(_as_text(report))
    return 1 if any(r.error or _counted(r) for r in reports) else 0


def check_file(path: str) -> Report:
    """Reads a script or a notebook, without running it."""
    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError as error:
        return Report(path, 0, [], f"cannot be read: {error.strerror}")
    if not path.endswith(".ipynb"):
        return _check_parts(path, [(None, source)])
    try:
        cells = code_cells(source.decode("utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, KeyError, AttributeError) as error:
        return Report(path, 0, [], f"it is not a notebook: {error}")
    return _check_parts(path, cells)


def _check_parts(path, parts) -> Report:
    names = ScriptNames(_is_plain_class)
    missing, error, count = [], None, set()
    for cell, source in parts:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)
                tree = ast.parse(source, path)
        except (SyntaxError, ValueError) as problem:
            where = f"cell {cell}, " if cell else ""
            line = getattr(problem, "lineno", None)
            error = f"{where}line {line}: it is not Python: {getattr(problem, 'msg', problem)}"
            continue
        names.uses = []
        names.read(tree)
        count.update(use.path for use in names.uses)
        missing += [m for use in names.uses for m in _look_up(use, cell)]
    return Report(path, len(count), _shortened(missing), error)


def _is_plain_class(path) -> bool:
    """True if what is at the path is a class whose instances have its methods.

    A class that calls the instances of another one its own, as tf.Variable does, says
    nothing about their methods.
    """
    value = resolve(path).value
    return inspect.isclass(value) and type(value).__instancecheck__ is type.__instancecheck__


def _look_up(use, cell) -> list[Missing]:
    found = resolve(use.path)
    if found.sentence is None:
        return []
    return [Missing(found.name, use.line, cell, use.guarded, found.sentence)]


def _shortened(missing) -> list[Missing]:
    """Each name once per line, in the order of the file."""
    places = {(m.cell or 0, m.line, m.name): m for m in missing}
    return [places[place] for place in sorted(places)]


class Resolved(NamedTuple):
    """What a path leads to: a value, or the name that is missing on the way and a sentence."""

    value: object = None
    name: str = ""
    sentence: str | None = None


@functools.cache
def resolve(path: str) -> Resolved:
    """Looks a path such as 'tensorflow.data.Dataset.batch' up in Plimsoll itself."""
    if path in NEED_TENSORFLOW:
        return Resolved(name=path, sentence=f"the package {path} needs TensorFlow itself")
    root, *names = path.split(".")
    value, done = importlib.import_module(root if root == "plimsoll" else f"plimsoll.{root}"), root
    for name in names:
        if not isinstance(value, (types.ModuleType, type)):
            # What a function or a value has is not known without running the script.
            return Resolved(value)
        following = _attribute(value, name, f"{done}.{name}")
        if following.sentence is not None:
            return following
        value, done = following.value, f"{done}.{name}"
    return Resolved(value)


def _attribute(owner, name, path) -> Resolved:
    is_module = isinstance(owner, types.ModuleType)
    try:
        return Resolved(getattr(owner, name))
    except AttributeError as error:
        said = str(error)
    except ModuleNotFoundError as error:
        # A package of the user's that Plimsoll needs here is a problem of another kind.
        if not str(error.name).startswith("plimsoll."):
            raise
        said = ""
    module = _module(path) if is_module else None
    if module is not None:
        return Resolved(module)
    if not is_module and _may_have_more(owner):
        return Resolved()
    if not said.startswith("Plimsoll has no"):
        said = _missing.sentence(path.rpartition(".")[0], name, dir(owner))
    return Resolved(name=_missing.shown(path), sentence=said)


def _may_have_more(owner: type) -> bool:
    """True if an instance may have attributes that its class does not show.

    A layer has its weights and settings by their names; a model has neither.
    """
    if not hasattr(owner, "__getattr__"):
        return False
    from plimsoll.keras import Model

    return not issubclass(owner, Model)


def _module(path):
    """The module that an import of the path would give; None if there is none."""
    try:
        return importlib.import_module(_stand_in.real_name(path))
    except ImportError:
        return None


def _counted(report) -> list[Missing]:
    """Those that end the script: it catches the failing import of the others itself."""
    return [missing for missing in report.missing if not missing.guarded]


def _as_text(report) -> str:
    lines = []
    for missing in report.missing:
        place = f"{report.file}:{missing.line}"
        if missing.cell is not None:
            place = f"{report.file}, cell {missing.cell}, line {missing.line}"
        caught = " (the script catches this)" if missing.guarded else ""
        lines.append(f"{place}: {missing.sentence}{caught}")
    if report.error:
        lines.append(f"{report.file}: {report.error}")
    count = len({missing.name for missing in _counted(report)})
    if count:
        are = "name is" if count == 1 else "names are"
        lines.append(f"{report.file}: {count} {are} missing, of {report.names} that it uses")
    elif not report.error:
        lines.append(f"{report.file}: nothing is missing; it uses {report.names} names")
    return "\n".join(lines)


def _as_json(report) -> dict:
    missing = [
        {
            "name": m.name,
            "line": m.line,
            "cell": m.cell,
            "guarded": m.guarded,
            "sentence": m.sentence,
            "instead": _missing.instead(m.name),
        }
        for m in report.missing
    ]
    return {
        "file": report.file,
        "names": report.names,
        "missing": missing,
        "error": report.error,
    }
