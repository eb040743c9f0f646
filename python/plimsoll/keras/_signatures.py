"""The public signatures of real Keras, from the frozen table signatures.json."""
import functools
import inspect
import json
import pathlib

# The module of Keras that has the classes of a kind of rows.
MODULE_OF_KIND = {
    "layers": "layers",
    "losses": "losses",
    "metrics": "metrics",
    "optimizers": "optimizers",
    "schedules": "optimizers.schedules",
    "initializers": "initializers",
    "regularizers": "regularizers",
    "constraints": "constraints",
    "activations": "activations",
}


class Named:
    """A default that JSON cannot hold; it only has a name to show."""

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return self.name


@functools.cache
def _table() -> dict:
    path = pathlib.Path(__file__).with_name("signatures.json")
    return json.loads(path.read_text(encoding="utf-8"))


def version() -> str:
    """The version of Keras that the table was made of."""
    return _table()["version"]


def names(module: str) -> dict:
    """The public names of a module, each with its parameters or the name that it stands for."""
    return _table().get(module, {})


def main_name(module: str, name: str) -> str:
    """The name under which the table has the parameters: "Conv2D" for "Convolution2D"."""
    found = names(module).get(name)
    return found if isinstance(found, str) else name


def same_names(module: str, name: str) -> list[str]:
    """All names of the object that is called `name`."""
    main = main_name(module, name)
    return [other for other in names(module) if main_name(module, other) == main]


def _default(value):
    if isinstance(value, list):
        return tuple(_default(item) for item in value)
    if isinstance(value, dict):
        return Named(value["object"])
    return value


def parameters(module: str, name: str) -> list[inspect.Parameter] | None:
    """The parameters without self; None if Keras has no such name."""
    rows = names(module).get(main_name(module, name))
    if rows is None:
        return None
    kinds = list(inspect._ParameterKind)
    return [
        inspect.Parameter(
            row[0], kinds[row[1]],
            default=_default(row[2]) if len(row) > 2 else inspect.Parameter.empty)
        for row in rows
    ]


def signature(module: str, name: str, with_self: bool = False) -> inspect.Signature | None:
    """The signature of a function, or of a class's __init__ if `with_self`."""
    found = parameters(module, name)
    if found is None:
        return None
    if with_self:
        found.insert(0, inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD))
    return inspect.Signature(found)
