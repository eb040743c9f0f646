"""Values of every kind, nested ones too, as Keras writes them into JSON, and back."""

import importlib

import numpy as np

from plimsoll.keras import _serialization

_PLAIN = (str, int, float, bool)
# What a config may name. A function such as load_model must not run because a file says so.
_PACKAGES = frozenset(
    "activations constraints initializers layers losses metrics models ops optimizers "
    "optimizers.schedules regularizers".split()
)
_FUNCTION_PACKAGES = ("activations", "losses", "metrics", "ops")


def serialize_keras_object(obj):
    """A value as JSON can hold it: objects become {"module", "class_name", "config", …}."""
    if obj is None or isinstance(obj, _PLAIN):
        return obj
    if isinstance(obj, (list, tuple)):
        return type(obj)(serialize_keras_object(item) for item in obj)
    if isinstance(obj, dict):
        return {key: serialize_keras_object(value) for key, value in obj.items()}
    if isinstance(obj, np.generic) or (isinstance(obj, np.ndarray) and obj.ndim == 0):
        return obj.item()
    special = _serialize_special(obj)
    if special is not None:
        return special
    if hasattr(obj, "get_config"):
        return _serialize_instance(obj)
    if callable(obj) and hasattr(obj, "__name__"):
        return _serialize_function(obj)
    raise TypeError(
        f"Cannot serialize object {obj} of type {type(obj)}. To be serializable, a class must "
        "implement the `get_config()` method."
    )


def _serialize_special(obj):
    if isinstance(obj, np.ndarray):
        return _special("__numpy__", value=obj.tolist(), dtype=obj.dtype.name)
    if isinstance(obj, bytes):
        return _special("__bytes__", value=obj.decode("utf-8"))
    if isinstance(obj, slice):
        parts = {name: serialize_keras_object(getattr(obj, name)) for name in _SLICE}
        return _special("__slice__", **parts)
    if obj is Ellipsis:
        return _special("__ellipsis__")
    if hasattr(obj, "numpy") and hasattr(obj, "dtype") and not hasattr(obj, "get_config"):
        return _special("__tensor__", value=obj.numpy().tolist(), dtype=str(obj.dtype))
    return None


_SLICE = ("start", "stop", "step")


def _special(name, **config) -> dict:
    return {"class_name": name, "config": config}


def _serialize_instance(obj) -> dict:
    result = _serialization.serialize_object(obj)
    result["config"] = serialize_keras_object(result["config"])
    for key in ("build_config", "compile_config"):
        method = getattr(obj, f"get_{key}", None)
        value = method() if method is not None else None
        if value is not None:
            result[key] = serialize_keras_object(value)
    return result


def _serialize_function(function):
    if function.__name__ == "<lambda>":
        raise ValueError(
            "a lambda cannot be saved: give the function a name with def, and register it with "
            "keras.saving.register_keras_serializable"
        )
    name = _serialization.registered_name_of(function)
    module = "builtins" if _serialization.name_of_function(function) else function.__module__
    return {"module": module, "class_name": "function", "config": name, "registered_name": name}


def deserialize_keras_object(config, custom_objects=None, safe_mode=True, **kwargs):
    """The value of what serialize_keras_object() made."""
    module_objects = kwargs.pop("module_objects", None) or {}
    if kwargs:
        raise TypeError(f"deserialize_keras_object() does not know the arguments {list(kwargs)}")
    custom = {**module_objects, **(custom_objects or {})}
    if isinstance(config, str):
        found = _serialization.find_custom(config, custom) if custom else None
        return config if found is None else found
    if config is None or isinstance(config, _PLAIN):
        return config
    if isinstance(config, (list, tuple)):
        return [deserialize_keras_object(item, custom, safe_mode) for item in config]
    if not isinstance(config, dict):
        raise TypeError(f"Could not parse config: {config}")
    if "class_name" not in config or "config" not in config:
        return {k: deserialize_keras_object(v, custom, safe_mode) for k, v in config.items()}
    if config["class_name"].startswith("__"):
        return _deserialize_special(config["class_name"], config["config"])
    return _deserialize_object(config, custom)


def _deserialize_special(name, config):
    if name == "__numpy__":
        return np.array(config["value"], dtype=config["dtype"])
    if name == "__bytes__":
        return config["value"].encode("utf-8")
    if name == "__slice__":
        return slice(*(deserialize_keras_object(config[part]) for part in _SLICE))
    if name == "__ellipsis__":
        return Ellipsis
    if name == "__tensor__":
        from plimsoll import _core

        return _core.constant(config["value"], config["dtype"])
    if name == "__lambda__":
        raise ValueError(
            "the file holds a Python lambda, which is code that anybody may have written; it is "
            "not run. Pass the function in custom_objects instead."
        )
    raise ValueError(f"a config of the kind {name} cannot be read")


def _deserialize_object(config, custom):
    package = str(config.get("module") or "").removeprefix("keras.")
    if config["class_name"] == "function":
        return _find_function(config, package, custom)
    if package not in _PACKAGES:
        # Classes of the user's are found by their names alone.
        name = config.get("registered_name") or config["class_name"]
        if _serialization.find_custom(name, custom) is None:
            raise TypeError(
                f"Could not locate class '{config['class_name']}'. Make sure custom classes are "
                "decorated with `@keras.saving.register_keras_serializable()`, or are in "
                "custom_objects."
            )
        package = "layers"
    instance = _serialization.deserialize_object(config, package, custom)
    if config.get("build_config") and not getattr(instance, "built", True):
        instance.build_from_config(config["build_config"])
    if config.get("compile_config") and hasattr(instance, "compile_from_config"):
        instance.compile_from_config(config["compile_config"])
    return instance


def _find_function(config, package, custom):
    for name in (config.get("registered_name"), config["config"]):
        found = _serialization.find_custom(name, custom) if name else None
        if found is not None:
            return found
    packages = [package] if package in _PACKAGES - {"models"} else _FUNCTION_PACKAGES
    for module in packages:
        found = getattr(importlib.import_module(f"plimsoll.keras.{module}"), config["config"], None)
        if found is not None:
            return found
    raise TypeError(
        f"Could not locate function '{config['config']}'. Make sure custom functions are decorated "
        "with `@keras.saving.register_keras_serializable()`, or are in custom_objects."
    )
