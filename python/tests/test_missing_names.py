"""A name that is not here fails with the sentence that says so, in every module that scripts name."""
import inspect

import pytest

from plimsoll import keras
from plimsoll import tensorflow as tf


def modules_of(module, found: dict) -> dict:
    """The published modules in a module of tf, by name; those of tf.keras are not among them."""
    found[module.__name__] = module
    for name in getattr(module, "__all__", ()):
        value = getattr(module, name)
        if inspect.ismodule(value) and value.__name__.startswith("plimsoll.tensorflow") and value.__name__ not in found:
            modules_of(value, found)
    return found


MODULES = {**modules_of(tf, {}), **{each.__name__: each for each in (
    keras.config, keras.dtype_policies, keras.layers, keras.models, keras.optimizers, keras.random, keras.tree)}}


def test_the_modules_of_tf_are_found():
    assert {f"plimsoll.tensorflow.{name}" for name in (
        "summary.experimental", "config.experimental", "config.threading", "compat.v1.experimental", "compat.v1.logging",
        "io.gfile", "distribute.cluster_resolver", "version")} <= set(MODULES)


@pytest.mark.parametrize("name", sorted(MODULES))
def test_a_missing_name_is_told(name):
    with pytest.raises(AttributeError, match=r"^Plimsoll has no (tf|keras)\b.*\.no_such_name"):
        MODULES[name].no_such_name


def test_an_import_of_a_missing_name_is_told():
    with pytest.raises(ImportError, match="Plimsoll has no tf.summary.experimental.write_raw_pb"):
        from plimsoll.tensorflow.summary.experimental import write_raw_pb  # noqa: F401
    with pytest.raises(ImportError, match="Plimsoll has no keras.models.model_from_jason; there is model_from_json"):
        from plimsoll.keras.models import model_from_jason  # noqa: F401


def test_a_sub_module_is_imported_where_names_are_missing():
    from plimsoll.keras.models import profile

    assert inspect.ismodule(profile)
