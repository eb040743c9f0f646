"""Packages whose names are made when they are first used."""
import importlib
from collections.abc import Callable

from plimsoll import _core, _missing
from plimsoll.keras import _signatures
from plimsoll.keras._classes import class_for
from plimsoll.keras._rows import row_name, rows


def lazy_module(namespace: dict, kind: str, extra: Callable | None = None) -> None:
    """Gives a package __getattr__, __dir__ and __all__: its own names and the rows of `kind`.

    `extra(name)` makes what is neither, or returns None. A name of Keras that is not here is an
    AttributeError that says so.
    """
    module = _signatures.MODULE_OF_KIND[kind]

    def make(name: str):
        found = None
        if kind != "activations":
            found = class_for(kind, name)
        if found is None and extra is not None:
            found = extra(name)
        return found

    def __getattr__(name: str):
        if name == "__all__":
            namespace["__all__"] = sorted(own | available(kind, extra))
            return namespace["__all__"]
        if name.startswith("__"):
            raise AttributeError(f"module '{namespace['__name__']}' has no attribute '{name}'")
        found = make(name)
        if found is None:
            raise missing(namespace["__name__"], kind, name)
        namespace[name] = found
        return found

    def __dir__() -> list[str]:
        published = {name for name in namespace if not name.startswith("_")}
        return sorted(published | set(namespace.get("__all__") or __getattr__("__all__")))

    own = set(namespace) & set(_signatures.names(module))
    namespace["__getattr__"] = __getattr__
    namespace["__dir__"] = __dir__


def available(kind: str, extra: Callable | None = None) -> set[str]:
    """The names of Keras that the engine has rows for, and the rows themselves."""
    published = _signatures.names(_signatures.MODULE_OF_KIND[kind])
    names = {name for name in published if row_name(kind, name)} | set(rows(kind))
    known_extra = getattr(extra, "names", None)
    return names | set(known_extra() if known_extra else ())


def missing(module: str, kind: str, name: str) -> Exception:
    """The error for a name that is not here, which a module's __getattr__ raises."""
    error = _missing.missing(module, name, available(kind), frames=2)
    reason = _reason(name) if kind == "layers" else None
    if reason is None:
        return error
    text = f"Plimsoll has no {_missing.shown(module)}.{name}; {reason}"
    is_import = isinstance(error, ImportError)
    return ImportError(text, name=module) if is_import else AttributeError(text, name=name)


def _reason(name: str) -> str | None:
    """Why the engine refuses a layer of Keras, if it says so."""
    try:
        _core.layer_from_config({"class_name": name, "config": {}})
    except ValueError as error:
        text = str(error).partition(" (known")[0].partition(f": a {name} ")[2]
        return f"a {name} {text}" if text else None
    return None


def forward(namespace: dict, target: str) -> None:
    """Makes an old module answer with the names of another one."""
    def __getattr__(name: str):
        if name.startswith("__") and name != "__all__":
            raise AttributeError(name)
        return getattr(importlib.import_module(target), name)

    namespace["__getattr__"] = __getattr__
    namespace["__dir__"] = lambda: dir(importlib.import_module(target))
