"""Answers `keras.src…` of Keras's tests with the public names of plimsoll.keras."""
import importlib
import importlib.util
import os
import sys
import types
from importlib.machinery import ModuleSpec
from pathlib import Path

import plimsoll
from keras_suite import absent
from plimsoll import _stand_in

# Where names of Keras's private modules are public, after the package that has the same name.
_PUBLIC_HOMES = {
    "backend": ("", "ops", "config", "utils", "random"),
    "trainers": ("utils", "models"),
    "models": ("saving",),
    "legacy": ("saving",),
    "utils": ("tree", "saving"),
    "layers": ("random",),
    "random": ("utils",),
    "dtype_policies": ("config",),
}

# What tests and the modules below ask of Keras's private ones.
_OF_BACKEND = {"keras_export": lambda path: lambda exported: exported, "SUPPORTS_SPARSE_TENSORS": False, "SUPPORTS_RAGGED_TENSORS": False,
               "SUPPORTS_COMPLEX_DTYPES": False, "IS_THREAD_SAFE": True,
               "get_keras_mask": lambda x: x.mask(), "set_keras_mask": lambda x, mask: x.set_mask(mask)}

# Modules with which tests compute what they expect; they are run as they are.
_AS_THEY_ARE = frozenset(("keras.src.backend.common.backend_utils", "keras.src.backend.common.dtypes"))

# Modules of ours that have the place of one of Keras's.
_OURS = {
    "keras.src.testing": "keras_suite.testing",
    "keras.src.testing.test_case": "keras_suite.testing",
    "keras.src.testing.test_utils": "keras_suite.parameters",
    "conftest": "keras_suite.parameters",
}


def source_folder() -> Path | None:
    """The folder with Keras's sources that the environment names, or None."""
    given = os.environ.get("PLIMSOLL_KERAS_SOURCE")
    return Path(given) if given else None


def environment() -> dict:
    """The environment of a process that runs Keras's tests."""
    folders = [Path(__file__).parents[1], Path(plimsoll.__file__).parents[1]]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders)), "PYTHONDONTWRITEBYTECODE": "1"}


class StandInModule(types.ModuleType):
    """A module of keras.src whose names are looked for in the public modules of plimsoll.keras."""

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        submodule = f"{self.__name__}.{name}"
        if _file_of(submodule) is not None:
            return importlib.import_module(submodule)
        if name in _OF_BACKEND:
            return _OF_BACKEND[name]
        for home in public_homes(self.__name__):
            found = getattr(_module(home), name, None)
            if found is not None:
                return found
        operation = _operation(name) if self.__name__.startswith("keras.src.ops") else None
        return operation or absent.absent_name(f"plimsoll.keras has no public name '{name}' for {self.__name__}")


def _operation(class_name: str):
    """keras.src.ops' private classes: Amax(axis=1)(x) is the public amax(x, axis=1)."""
    from plimsoll.keras import ops
    from plimsoll.keras._names import snake_case

    function = getattr(ops, snake_case(class_name), None) if class_name[0].isupper() else None
    if function is None:
        return None
    return lambda *settings, **named: lambda *inputs, **more: function(*inputs, *settings, **named, **more)


def public_homes(module_name: str) -> list[str]:
    """The public modules in which names of a module of keras.src may be."""
    words = module_name.split(".")[2:]
    homes = [".".join(words[:count]) for count in range(len(words), 0, -1)]
    if words:
        homes += _PUBLIC_HOMES.get(words[0], ())
    return [*homes, ""]


def _module(home: str):
    name = f"plimsoll.keras.{home}".rstrip(".")
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _file_of(module_name: str) -> Path | None:
    """The file or folder that a module has in Keras's sources."""
    path = source_folder().joinpath(*module_name.split("."))
    if path.is_dir():
        return path
    path = path.with_suffix(".py")
    return path if path.is_file() else None


class _StandInLoader:
    def create_module(self, spec):
        return StandInModule(spec.name)

    def exec_module(self, module):
        module.__path__ = []


class Finder:
    """Finds tests in Keras's sources, and stand-ins for all other modules there."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname in _OURS:
            return ModuleSpec(fullname, _stand_in._SameModule(_OURS[fullname]), is_package=True)
        if fullname != "keras.src" and not fullname.startswith("keras.src."):
            return None
        file = _file_of(fullname)
        if file is None:
            raise ModuleNotFoundError(f"Keras has no module {fullname}", name=fullname)
        if file.name.endswith("_test.py") or fullname in _AS_THEY_ARE:
            return importlib.util.spec_from_file_location(fullname, file)
        return ModuleSpec(fullname, _StandInLoader(), is_package=True)


def install() -> None:
    """From now on tests of Keras can be imported, and see plimsoll.keras."""
    _stand_in.install()
    if not any(isinstance(finder, Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, Finder())
    absent.install()
