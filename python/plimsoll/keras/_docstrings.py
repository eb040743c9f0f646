"""Texts for help(), made of a row's signature and config."""
import inspect

from plimsoll.keras._argument_texts import ARGUMENT_TEXTS
from plimsoll.keras._class_texts import CLASS_TEXTS

_KIND_WORDS = {
    "layers": "layer", "losses": "loss", "metrics": "metric", "optimizers": "optimizer",
    "schedules": "learning rate schedule", "initializers": "initializer",
    "regularizers": "regularizer", "constraints": "constraint",
}
_TYPE_WORDS = {bool: "True or False", int: "int", float: "float", str: "str", list: "list or tuple",
               tuple: "list or tuple", dict: "object"}
_TYPE_OF_SUFFIX = {
    "activation": "name, function or layer", "initializer": "name or initializer",
    "regularizer": "name or regularizer", "constraint": "name or constraint",
    "learning_rate": "float or schedule", "layer": "layer",
}
_OTHERS = {
    "layers": "Every layer also takes name, trainable, dtype and Keras 2's input_shape.",
    "optimizers": "lr and decay are taken as Keras 2 took them.",
}


def type_word(row, name: str) -> str:
    """What an argument may be, in a word or two."""
    for suffix, word in _TYPE_OF_SUFFIX.items():
        if name.endswith(suffix):
            return word
    parameter = row.named.get(name)
    for value in (row.default_config.get(name), parameter.default if parameter else None):
        if type(value) in _TYPE_WORDS:
            return _TYPE_WORDS[type(value)]
    return ""


def argument_line(row, parameter: inspect.Parameter) -> str:
    """"units: int, required. …"."""
    is_required = parameter.default is inspect.Parameter.empty
    default = "required" if is_required else f"default {parameter.default!r}"
    words = ", ".join(word for word in (type_word(row, parameter.name), default) if word)
    text = ARGUMENT_TEXTS.get(parameter.name, "")
    return f"    {parameter.name}: {words}." + (f" {text}" if text else "")


def class_text(row) -> str:
    """The docstring of a generated class."""
    kind = _KIND_WORDS[row.kind]
    article = "an" if kind[0] in "aeiou" else "a"
    says = CLASS_TEXTS.get(row.name, f"{article.capitalize()} {kind}.")
    lines = [says, "", f"The {kind} keras.{row.module}.{row.name}, with Keras's arguments and "
             "defaults."]
    arguments = list(row.named.values())
    if arguments:
        lines += ["", "Arguments:"]
        lines += [argument_line(row, parameter) for parameter in arguments]
    if row.kind in _OTHERS:
        lines += ["", _OTHERS[row.kind]]
    return "\n".join(lines)
