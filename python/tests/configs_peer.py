"""Prints the configs that the real Keras writes, for [[module, class name, arguments], …] on stdin.

A text in place of a config says why Keras refused the arguments.
"""
import json
import sys

import keras


def plain(value):
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def config_of(module, name, arguments):
    package = keras
    for part in module.split("."):
        package = getattr(package, part)
    own = getattr(package, name)
    has_layer = any("class_name" in str(value) for value in arguments.values())
    made = own.from_config(arguments) if has_layer else own(**arguments)
    return plain(keras.saving.serialize_keras_object(made)["config"])


def config_or_error(row):
    try:
        return config_of(*row)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    print(json.dumps([config_or_error(row) for row in json.load(sys.stdin)]))
