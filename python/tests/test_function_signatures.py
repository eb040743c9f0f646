"""Functions of ops, utils, random and saving are called as Keras's are: same names, same places, same defaults."""

import inspect
import json
import re

import pytest

import freeze_signatures
from plimsoll import keras

FROZEN = json.loads(freeze_signatures.TABLE.read_text())
MODULES = ("ops", "utils", "random", "saving")

def entry(module: str, name: str):
    found = FROZEN[module][name]
    return FROZEN[module][found] if isinstance(found, str) else found


def functions_of(module: str) -> list:
    """The names that both have; classes are compared when they are made of the table."""
    ours = getattr(keras, module)
    names = []
    for name in FROZEN[module]:
        try:
            found = getattr(ours, name)
        except (AttributeError, NotImplementedError):
            continue
        if not inspect.isclass(found):
            names.append(name)
    return names


CASES = [(module, name) for module in MODULES for name in functions_of(module)]


def difference(module: str, name: str) -> str:
    """In which argument a call of Keras's would mean something else here; nothing: in none."""
    ours = freeze_signatures.parameters_of(getattr(getattr(keras, module), name))
    kinds = {row[1] for row in ours}
    takes_all = inspect.Parameter.VAR_POSITIONAL in kinds and inspect.Parameter.VAR_KEYWORD in kinds
    if takes_all:
        return ""
    by_name = {row[0]: row for row in ours}
    places = [row[0] for row in ours if row[1] in (0, 1)]
    place = 0
    for row in entry(module, name):
        argument, kind = row[0], row[1]
        if kind in (2, 4):
            continue
        if argument not in by_name:
            if 4 not in kinds:
                return f"{argument} is missing"
        elif kind in (0, 1) and (place >= len(places) or places[place] != argument):
            return f"{argument} is at another place"
        elif len(row) == 3 and not isinstance(row[2], dict) and by_name[argument][2:] != row[2:]:
            return f"{argument} has another default: {by_name[argument][2:]}"
        place += kind in (0, 1)
    return ""


@pytest.mark.parametrize("module, name", CASES)
def test_a_function_is_called_as_keras_is(module, name):
    assert difference(module, name) == ""


def test_most_functions_are_compared():
    assert len(CASES) > 300


def test_a_function_with_a_changed_argument_would_be_found():
    text = difference("ops", "expand_dims")
    assert text == "" and re.match("axis", FROZEN["ops"]["expand_dims"][1][0])
    FROZEN["ops"]["expand_dims"][1][0] = "dim"
    try:
        assert difference("ops", "expand_dims") == "dim is missing"
    finally:
        FROZEN["ops"]["expand_dims"][1][0] = "axis"
