"""get, serialize and deserialize of one kind of objects."""
import inspect

from plimsoll.keras import _serialization


def get(package: str, identifier, wrap=None):
    """The object for a name, a config, a class, an object or a function.

    `wrap` makes an object with a handle of a function of the user's.
    """
    if identifier is None:
        return None
    if isinstance(identifier, str):
        found = _serialization.by_name(identifier, package)
        return get(package, found, wrap)
    if isinstance(identifier, dict):
        return get(package, _serialization.deserialize_object(identifier, package), wrap)
    if inspect.isclass(identifier):
        return identifier()
    if callable(identifier) or hasattr(identifier, "get_config"):
        return identifier if wrap is None or _has_handle(identifier) else wrap(identifier)
    raise ValueError(f"keras.{package}: expected a name, a config, an object or a function, found "
                     f"{identifier!r}")


def _has_handle(value) -> bool:
    """Without asking for the handle, which might be made for that."""
    return hasattr(type(value), "_handle") or "_handle" in getattr(value, "__dict__", ())


def serialize(value):
    """The config of an object, or the name of a function."""
    return _serialization.serialize_object(value)


def deserialize(package: str, config, custom_objects=None):
    """The object of a config, or of a name."""
    found = _serialization.deserialize_object(config, package, custom_objects)
    return found() if inspect.isclass(found) and isinstance(config, str) else found
