"""Writes ../plimsoll/keras/signatures.json: the public signatures of the Keras that runs this script.

Run it with the interpreter that `./dev peers` prints. A name's value is its parameters, without
self, as [name, kind] or [name, kind, default], where kind is a number of inspect's enumeration; or
the name of the same object in the same module ("MaxPool2D": "MaxPooling2D").
"""
import inspect
import json
import pathlib

TABLE = pathlib.Path(__file__).parent.parent / "plimsoll" / "keras" / "signatures.json"
MODULES = (
    "layers", "losses", "metrics", "optimizers", "optimizers.schedules", "callbacks",
    "initializers", "regularizers", "constraints", "activations", "ops", "random", "utils",
    "saving", "applications",
)


def plain_default(value):
    """The default as JSON holds it; what JSON cannot hold becomes {"object": its name}."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (tuple, list)):
        return [plain_default(item) for item in value]
    if callable(value) and hasattr(value, "__name__"):
        return {"object": value.__name__}
    return {"object": type(value).__name__}


def parameters_of(target) -> list:
    """The parameters of a function, or of a class's __init__."""
    function = target.__init__ if inspect.isclass(target) else target
    if function is object.__init__:
        return []
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except ValueError:
        return [["args", 2], ["kwargs", 4]]
    if inspect.isclass(target):
        parameters = parameters[1:]
    rows = []
    for parameter in parameters:
        row = [parameter.name, int(parameter.kind)]
        if parameter.default is not inspect.Parameter.empty:
            row.append(plain_default(parameter.default))
        rows.append(row)
    return rows


def signatures_of(module) -> dict:
    names = [name for name in dir(module) if not name.startswith("_")]
    table, first_names = {}, {}
    # The object's own name comes first, so that the others refer to it.
    names.sort(key=lambda name: (getattr(getattr(module, name), "__name__", "") != name, name))
    for name in names:
        target = getattr(module, name)
        if inspect.ismodule(target) or not callable(target):
            continue
        table[name] = first_names.get(id(target)) or parameters_of(target)
        first_names.setdefault(id(target), name)
        # Keras also knows some classes by a name that it does not publish.
        if inspect.isclass(target) and target.__name__ not in names:
            table[target.__name__] = first_names[id(target)]
    return dict(sorted(table.items()))


def frozen_table() -> dict:
    import keras

    table = {"version": keras.__version__}
    for path in MODULES:
        module = keras
        for part in path.split("."):
            module = getattr(module, part)
        table[path] = signatures_of(module)
    return table


def as_text(table: dict) -> str:
    """One line per name, so that a change of Keras is a readable difference."""
    lines = [f'"version": {json.dumps(table["version"])}']
    for path in MODULES:
        rows = [f"{json.dumps(name)}: {json.dumps(value, separators=(',', ':'))}"
                for name, value in table[path].items()]
        lines.append(f'"{path}": {{\n' + ",\n".join(rows) + "\n}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    TABLE.write_text(as_text(frozen_table()))
