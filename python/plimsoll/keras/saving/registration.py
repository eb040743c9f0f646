"""Classes and functions of the user's that files may name."""

import inspect

from plimsoll.keras import _serialization


class CustomObjectScope:
    """`with custom_object_scope({"MyLayer": MyLayer}):` files in it may name MyLayer."""

    def __init__(self, custom_objects):
        self.custom_objects = dict(custom_objects or {})
        self._before = []

    def __enter__(self):
        self._before.append(dict(_serialization.custom_objects))
        _serialization.custom_objects.update(self.custom_objects)
        return self

    def __exit__(self, *error):
        _serialization.custom_objects.clear()
        _serialization.custom_objects.update(self._before.pop())


custom_object_scope = CustomObjectScope


def get_custom_objects():
    """The dictionary of registered objects; what is added to it is registered too."""
    return _serialization.registered


def register_keras_serializable(package="Custom", name=None):
    """A decorator: files may name the class or function as "package>name"."""

    def decorator(target):
        if inspect.isclass(target) and not hasattr(target, "get_config"):
            raise ValueError(
                f"Cannot register a class that does not have a get_config() method: {target}"
            )
        _serialization.registered[f"{package}>{name or target.__name__}"] = target
        return target

    return decorator


def get_registered_name(obj):
    """The name under which an object is registered, else its own."""
    return _serialization.registered_name_of(obj)


def get_registered_object(name, custom_objects=None, module_objects=None):
    """The object with a name in an open scope, registered, or in one of the dictionaries."""
    scopes = (_serialization.custom_objects, _serialization.registered)
    for known in (*scopes, custom_objects or {}, module_objects or {}):
        if name in known:
            return known[name]
    return None
