"""Modules of tf that have the names of a module of Keras."""
from plimsoll import _missing


def attribute(module, name_of_module: str, name: str):
    """A public name of the module; a sentence if it has none."""
    if not name.startswith("_"):
        found = getattr(module, name, None)
        if found is not None:
            return found
    raise _missing.missing(name_of_module, name, dir(module), frames=2)
