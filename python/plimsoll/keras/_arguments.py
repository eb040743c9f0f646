"""Arguments of Keras's classes as the engine's configs hold them."""
import inspect

import numpy as np

from plimsoll.keras import _serialization
from plimsoll.keras._rows import WITHOUT_EFFECT, Row


# How the arguments end that may be code of the user's.
OWN_CODE = ("activation", "initializer", "regularizer", "constraint", "standardize")


class NotInConfig(Exception):
    """A value that only Python can run: a function or an object of a class of the user's."""

    def __init__(self, value):
        super().__init__(value)
        self.value = value


def split(row: Row, given: dict) -> tuple[dict, dict]:
    """The config, and the arguments that only Python can run."""
    config, parts = {}, {}
    for name, value in list(given.items()):
        if name in WITHOUT_EFFECT or not row.is_needed(name, value):
            continue
        try:
            config[name] = _setting(row, name, value, given)
        except NotInConfig as found:
            parts[name] = found.value
            config[name] = given[name] = None
    return config, parts


def _setting(row: Row, name: str, value, given: dict):
    if name == "dtype":
        return dtype_name(value)
    if name == "vocabulary" and value is not None:
        return words_of(value, are_numbers=row.name == "IntegerLookup")
    if row.kind == "layers" and _is_layer(value):
        if not name.endswith("activation"):
            return None  # the base puts the layer itself here
        given[name] = plain(value)  # the engine makes an activation's layer of its config
        return given[name]
    own = _serialization.own_object(value) if name.endswith(OWN_CODE) else None
    if own is not None:
        raise NotInConfig(own)
    return plain(value)


def words_of(vocabulary, are_numbers: bool = False) -> list:
    """A vocabulary as a list: a list, array or tensor of it, or the lines of the file that a text names."""
    if isinstance(vocabulary, (str, bytes)):
        with open(vocabulary, encoding="utf-8") as file:
            lines = file.read().splitlines()
        return [int(line) for line in lines] if are_numbers else lines
    return [word.decode() if isinstance(word, bytes) else word for word in np.asarray(vocabulary).tolist()]


def _is_layer(value) -> bool:
    from plimsoll.keras.layers.layer import Layer

    if isinstance(value, (list, tuple)):
        return bool(value) and isinstance(value[0], Layer)
    return isinstance(value, Layer)


def plain(value):
    """The value as JSON holds it. Raises NotInConfig if it is code of the user's."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if inspect.isclass(value):
        return _of_class(value)
    if hasattr(value, "get_config"):
        return _of_object(value)
    if callable(value):
        return _of_function(value)
    if hasattr(value, "__array__"):
        return np.asarray(value).tolist()
    if hasattr(value, "__iter__"):
        return [plain(item) for item in value]
    raise TypeError(f"a setting of the type {type(value).__name__} is not known: expected a "
                    "number, a text, a list, a dict or an object of Keras")


def _of_class(value: type):
    """A class stands for an object with its defaults; NumPy's element types for their names."""
    if issubclass(value, np.generic) or value in (bool, int, float, str):
        return dtype_name(value)
    return plain(value())


def _of_object(value):
    if getattr(value, "_runs_in_python", False):
        raise NotInConfig(value)
    return _serialization.serialize_object(value)


def _of_function(value):
    name = _serialization.name_of_function(value)
    if name is None:
        raise NotInConfig(value)
    return name


def dtype_name(value):
    """"float32" for a name, a NumPy type, a dtype of TensorFlow or a policy."""
    if value is None:
        return value
    if isinstance(value, str):
        return str.__str__(value)  # TensorFlow's dtypes are texts that print in another way
    if isinstance(value, dict):
        return dtype_name(value.get("config", value).get("name"))
    name = getattr(value, "name", None)
    return name if isinstance(name, str) else np.dtype(value).name
