"""Answers `import tensorflow` and `import keras` with plimsoll.tensorflow and plimsoll.keras."""

import importlib
import importlib.util
import sys
from importlib.machinery import ModuleSpec, PathFinder

from plimsoll._missing import instead, shown

_ROOTS = {"tensorflow": "plimsoll.tensorflow", "keras": "plimsoll.keras"}

# Where the names of a module of older or private layouts are now. The longest prefix counts, and
# what follows it is looked for in the new place first, then left out.
_MOVED = {
    "tensorflow.keras": "plimsoll.keras",
    "tensorflow.python": "plimsoll.tensorflow",
    "tensorflow.python.keras": "plimsoll.keras",
    "tensorflow.compat.v2": "plimsoll.tensorflow",
    "tensorflow._api.v2": "plimsoll.tensorflow",
    "keras._tf_keras.keras": "plimsoll.keras",
    "keras.api": "plimsoll.keras",
    "keras.src": "plimsoll.keras",
    "keras.src.legacy.preprocessing": "plimsoll.keras.preprocessing",
    "keras.engine": "plimsoll.keras.layers",
    "keras.engine.functional": "plimsoll.keras.models",
    "keras.engine.sequential": "plimsoll.keras.models",
    "keras.engine.training": "plimsoll.keras.models",
    "keras.optimizer_v2": "plimsoll.keras.optimizers",
    "keras.optimizer_v2.learning_rate_schedule": "plimsoll.keras.optimizers.schedules",
    "keras.backend.tensorflow_backend": "plimsoll.keras.backend",
}

# Packages of Keras 2 whose modules are one package now, with the modules that scripts import.
_FLATTENED = {
    "keras.layers": "advanced_activations attention convolutional convolutional_recurrent core "
    "embeddings experimental experimental.preprocessing local merge noise normalization pooling "
    "preprocessing recurrent rnn serialization wrappers",
    "keras.utils": "all_utils data_utils generic_utils image_utils io_utils layer_utils np_utils "
    "vis_utils",
    "keras.callbacks": "callbacks",
    "keras.optimizers": "adam experimental legacy optimizer_v2",
    "keras.models": "cloning functional model sequential",
    "keras.saving": "hdf5_format legacy save saving_api",
    "keras.preprocessing": "image_dataset text_dataset timeseries",
    "keras.initializers": "initializers_v1 initializers_v2",
}
for _package, _modules in _FLATTENED.items():
    for _module in _modules.split():
        _MOVED[f"{_package}.{_module}"] = f"plimsoll.{_package}"


# Places of Keras 2 that may be files of Plimsoll, which then win.
_MOVED_HERE = frozenset(f"plimsoll.{name}" for name in _MOVED)


def real_name(name: str) -> str | None:
    """The module of Plimsoll that answers the import of a TensorFlow or Keras module.

    None if the name belongs to neither; the result need not exist.
    """
    if name.partition(".")[0] not in _ROOTS:
        return None
    if name.startswith("tensorflow.python.keras.") or name.startswith("tensorflow.keras."):
        name = "keras." + name.partition(".keras.")[2]
    prefix = name
    while prefix not in _MOVED and "." in prefix:
        prefix = prefix.rpartition(".")[0]
    if prefix not in _MOVED:
        return "plimsoll." + name
    return _beside(_MOVED[prefix], name[len(prefix) + 1 :])


def _beside(package: str, rest: str) -> str:
    """The longest module under a package that exists along the path `rest`; maybe the package."""
    for word in filter(None, rest.split(".")):
        if not _exists(f"{package}.{word}"):
            break
        package = f"{package}.{word}"
    return package


def _exists(name: str) -> bool:
    if name in sys.modules:
        return True
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, AttributeError, ValueError):
        return False


class _SameModule:
    """Loads a module under another name as the very module object that has the real one."""

    def __init__(self, real: str):
        self.real = real

    def create_module(self, spec):
        if not _exists(self.real):
            raise ModuleNotFoundError(_no_module(spec.name), name=spec.name)
        module = importlib.import_module(self.real)
        self.spec = module.__spec__
        return module

    def exec_module(self, module):
        # The import system has put the other name's spec there; relative imports need the real one.
        module.__spec__ = self.spec

    def get_code(self, fullname):
        return importlib.util.find_spec(self.real).loader.get_code(self.real)


def _no_module(name: str) -> str:
    path = shown(name)
    other = instead(path)
    return f"Plimsoll has no {path}" + (f"; {other}" if other else "")


class _Finder:
    """Finds the modules for which `real_name` has a module of Plimsoll."""

    def __init__(self, real_name):
        self.real_name = real_name

    def find_spec(self, fullname, path=None, target=None):
        real = self.real_name(fullname)
        if real is None or (fullname in _MOVED_HERE and PathFinder.find_spec(fullname, path)):
            return None
        return ModuleSpec(fullname, _SameModule(real), origin=f"module {real}", is_package=True)


def _name_of_alias(name: str) -> str | None:
    """The real module of plimsoll.tensorflow.keras… and of Keras's older names in Plimsoll."""
    if not name.startswith("plimsoll."):
        return None
    original = name.removeprefix("plimsoll.")
    if original.startswith("tensorflow.keras"):
        return real_name(original)
    return real_name(original) if original in _MOVED and original.startswith("keras.") else None


_finder = _Finder(real_name)
_alias_finder = _Finder(_name_of_alias)


def install_aliases() -> None:
    """plimsoll.tensorflow.keras is plimsoll.keras, module by module, and older names are known.

    The finder is first, for the folder of plimsoll.keras would be imported twice otherwise.
    """
    if _alias_finder not in sys.meta_path:
        sys.meta_path.insert(0, _alias_finder)


def _ours(module) -> bool:
    return getattr(module, "__name__", "").partition(".")[0] == "plimsoll"


def install() -> None:
    """From now on `import tensorflow` and `import keras` give Plimsoll's modules.

    An ImportError says so if the real ones were imported before: a script cannot have both.
    """
    for root in _ROOTS:
        if root in sys.modules and not _ours(sys.modules[root]):
            raise ImportError(
                f"the real {root} is imported already; load Plimsoll before it, in a new process",
                name=root,
            )
    install_aliases()
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)


def uninstall() -> None:
    """`import tensorflow` and `import keras` find what is installed again."""
    if _finder in sys.meta_path:
        sys.meta_path.remove(_finder)
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in _ROOTS and _ours(module):
            del sys.modules[name]
