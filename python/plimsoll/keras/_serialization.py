"""Objects of Keras as {"module": …, "class_name": …, "config": …} and back."""
import functools
import importlib
import inspect

from plimsoll.keras import _signatures
from plimsoll.keras._names import did_you_mean

# What register_keras_serializable registered: "package>name" -> class or function.
registered: dict = {}
# What custom_object_scope adds while it is open.
custom_objects: dict = {}


def serialize_object(value):
    """The object as Keras writes it into a file."""
    if value is None or isinstance(value, (str, dict)):
        return value
    if not hasattr(value, "get_config"):
        return name_of_function(value) or {
            "module": "builtins", "class_name": "function", "config": registered_name_of(value),
            "registered_name": "function"}
    own = type(value)
    class_name, module = own.__name__, own.__module__
    registered_name = registered_name_of(own)
    if module.startswith("plimsoll."):
        return {"module": public_module(module), "class_name": class_name,
                "config": value.get_config(), "registered_name": None}
    return {"module": None if registered_name != class_name else module, "class_name": class_name,
            "config": value.get_config(), "registered_name": registered_name}


def public_module(module: str) -> str:
    """"keras.layers" for "plimsoll.keras.layers"."""
    return module.removeprefix("plimsoll.")


def registered_name_of(value) -> str:
    """The name under which register_keras_serializable has it, or its own."""
    return next((name for name, known in registered.items() if known is value), value.__name__)


def name_of_function(value) -> str | None:
    """Keras's name of one of our own functions; None for a function of the user's."""
    name = getattr(value, "__name__", None)
    if name is None or not str(getattr(value, "__module__", "")).startswith("plimsoll"):
        return None
    return name


def find_custom(name: str, given: dict | None = None):
    """A class or function of the user's by its name, with or without its package."""
    for known in (given or {}, custom_objects, registered):
        if name in known:
            return known[name]
    return next((value for full, value in registered.items() if full.split(">")[-1] == name), None)


def own_object(config):
    """The user's function or object that a setting names; None if it names one of Keras's."""
    if not (custom_objects or registered) or not isinstance(config, (str, dict)):
        return None
    name, settings = config, {}
    if isinstance(config, dict):
        name, settings = config.get("registered_name") or config.get("class_name"), config.get("config")
        if config.get("class_name") == "function":
            name = settings
    found = find_custom(name) if isinstance(name, str) else None
    return found.from_config(settings) if inspect.isclass(found) else found


def deserialize_object(config, package: str, custom: dict | None = None):
    """The object of `config`; `package` ("losses") has the classes and functions of its kind."""
    if not isinstance(config, dict):
        return by_name(config, package, custom)
    name, settings = config.get("class_name"), config.get("config", {})
    if name is None:
        raise ValueError(f"keras.{package}: a config needs a class_name, found {config!r}")
    if name == "function":
        return by_name(settings, package, custom)
    target = find_custom(config.get("registered_name") or name, custom) or find_custom(name, custom)
    if target is None:
        target = _published(name, _package_of(config, package))
    if not inspect.isclass(target):
        return target
    parameters = inspect.signature(target.from_config).parameters
    if custom and "custom_objects" in parameters:
        return target.from_config(settings, custom_objects=custom)
    return target.from_config(settings)


def _package_of(config: dict, package: str) -> str:
    """Files name the module, which may be another one: an activation may be a layer."""
    module = str(config.get("module") or "")
    return module.removeprefix("keras.") if module.startswith("keras.") else package


def by_name(name: str, package: str, custom: dict | None = None):
    """The class or function called `name`, in any of Keras's spellings of it."""
    for known in (custom or {}, custom_objects, registered):
        if name in known:
            return known[name]
    return _published(name, package, custom)


def _published(name: str, package: str, custom: dict | None = None):
    module = importlib.import_module("plimsoll.keras." + package)
    found = getattr(module, name, None)
    if found is None or inspect.ismodule(found):  # keras.optimizers.adam was a module once
        found = getattr(module, _spellings(package).get(name.lower(), ""), None)
    if found is None:  # "mse" is Keras's, whatever "package>mse" is
        found = find_custom(name, custom)
    if found is None:
        known = [other for other in dir(module) if not other.startswith("_")]
        raise ValueError(f"keras.{package}: '{name}' is not known.{did_you_mean(name, known)} "
                         "A class or function of your own is found if it is in custom_objects or "
                         "registered with keras.saving.register_keras_serializable.")
    return found


@functools.cache
def _spellings(package: str) -> dict:
    """Names in small letters and their real form: Keras takes "adam" for Adam."""
    names = _signatures.names(package)
    return {name.lower(): name for name in names if not isinstance(names[name], str)}
