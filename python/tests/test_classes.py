"""Every row of the engine is a class of Python with Keras's signature."""
import importlib
import inspect
import json
import time

import pytest

import freeze_signatures
from plimsoll.keras import _classes, _rows
from plimsoll.keras._class_texts import CLASS_TEXTS
from plimsoll.keras._signatures import MODULE_OF_KIND

KINDS = [kind for kind in MODULE_OF_KIND if kind != "activations"]
ROWS = [(kind, name) for kind in KINDS for name in sorted(_rows.rows(kind))]
FROZEN = json.loads(freeze_signatures.TABLE.read_text())

# Arguments without a default, where the engine has no example of the class.
NEEDED = {
    "initial_learning_rate": 0.1, "decay_steps": 10, "decay_rate": 0.5, "first_decay_steps": 10,
    "boundaries": [10, 20], "values": [0.3, 0.2, 0.1], "num_classes": 3, "target_class_ids": [0, 2],
    "specificity": 0.5, "sensitivity": 0.5, "recall": 0.5, "precision": 0.5,
}
# Arguments that have a default which the class itself refuses.
CHOSEN = {"CategoryEncoding": {"num_tokens": 4}, "Discretization": {"bin_boundaries": [0.0, 1.0]}}


def class_of(kind, name):
    return getattr(importlib.import_module("plimsoll.keras." + MODULE_OF_KIND[kind]), name)


def needed_arguments(kind, name):
    """The arguments without a default, from the row's example or from the table above."""
    row = class_of(kind, name)._row
    values = {**NEEDED, **row.default_config}
    needed = {parameter.name: values[parameter.name] for parameter in row.named.values()
              if parameter.default is inspect.Parameter.empty}
    return {**needed, **CHOSEN.get(name, {})}


def example(kind, name):
    arguments = needed_arguments(kind, name)
    return class_of(kind, name).from_config(arguments) if arguments else class_of(kind, name)()


def without_name(config):
    return {key: value for key, value in config.items() if key != "name"}


def parameters_of(kind, name):
    found = FROZEN[MODULE_OF_KIND[kind]].get(name)
    return FROZEN[MODULE_OF_KIND[kind]][found] if isinstance(found, str) else found


def test_there_are_rows_of_every_kind():
    assert all(_rows.rows(kind) for kind in KINDS)


@pytest.mark.parametrize("kind, name", ROWS)
def test_help_says_what_a_class_computes(kind, name):
    assert name in CLASS_TEXTS, "write its sentence into python/plimsoll/keras/_class_texts.py"


@pytest.mark.parametrize("kind, name", ROWS)
def test_an_object_comes_back_from_its_config(kind, name):
    made = example(kind, name)
    config = made.get_config()
    again = type(made).from_config(config)
    assert type(again) is type(made)
    assert again.get_config() == config


@pytest.mark.parametrize("kind, name", ROWS)
def test_the_example_of_the_engine_comes_back_from_its_config(kind, name):
    row = class_of(kind, name)._row
    if not row.default_config:
        pytest.skip("the engine has no example of it")
    made = class_of(kind, name).from_config(row.default_config)
    assert without_name(row.default_config).items() <= made.get_config().items()


@pytest.mark.parametrize("kind, name", ROWS)
def test_arguments_are_in_the_order_of_the_frozen_table(kind, name):
    frozen = parameters_of(kind, name)
    if frozen is None:
        pytest.skip("Keras does not publish it")
    found = list(inspect.signature(class_of(kind, name)).parameters.values())
    assert [[p.name, int(p.kind)] for p in found] == [row[:2] for row in frozen]
    for parameter, row in zip(found, frozen):
        is_required = parameter.default is inspect.Parameter.empty
        assert is_required == (len(row) == 2)


@pytest.mark.parametrize("kind, name", ROWS)
def test_the_defaults_of_the_engine_are_those_of_keras(kind, name):
    own = class_of(kind, name)
    defaults = {p.name: p.default for p in own._row.named.values()
                if p.default is not inspect.Parameter.empty and p.default is not None}
    said = own.from_config({**defaults, **needed_arguments(kind, name)}).get_config()
    assert without_name(said) == without_name(example(kind, name).get_config())


@pytest.mark.parametrize("kind, name", ROWS)
def test_help_has_a_line_for_every_argument(kind, name):
    own = class_of(kind, name)
    for parameter in own._row.named:
        assert f"\n    {parameter}: " in own.__doc__


def test_a_class_takes_less_than_a_millisecond_to_make():
    times = []
    for kind, name in ROWS:
        start = time.perf_counter()
        _classes._class_of_row.__wrapped__(kind, name)
        times.append(time.perf_counter() - start)
    assert sorted(times)[len(times) // 2] < 1e-3


def test_every_alias_of_keras_is_the_same_class():
    for kind in KINDS:
        for name, target in FROZEN[MODULE_OF_KIND[kind]].items():
            if isinstance(target, str) and _rows.row_name(kind, target):
                assert class_of(kind, name) is class_of(kind, target)
