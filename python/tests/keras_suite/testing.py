"""keras.src.testing for Keras's tests: the assertions that they call, written anew."""
import json
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from absl.testing import parameterized
from keras_suite import parameters as test_utils  # noqa: F401
from keras_suite.layer_check import check_layer

from plimsoll import keras
from plimsoll.keras import _serialization


test_case = sys.modules[__name__]


def _false() -> bool:
    return False


uses_gpu = uses_tpu = jax_uses_gpu = jax_uses_tpu = torch_uses_gpu = _false
tensorflow_uses_gpu = tensorflow_uses_tpu = _false


# The tests that asked for the words of an error of Keras and got a sentence of Plimsoll's.
other_words: dict = {}


class _AnyWords:
    """assertRaises that notes that the words of the error were other ones."""

    def __init__(self, test, error, words):
        self.test, self.words = test, words
        self.inner = unittest.TestCase.assertRaises(test, error)

    def __enter__(self):
        return self.inner.__enter__()

    def __exit__(self, *raised):
        caught = self.inner.__exit__(*raised)
        if caught and not re.search(self.words, str(self.inner.exception)):
            other_words[self.test._testMethodName] = True
        return caught


class TestCase(parameterized.TestCase):
    """What Keras's tests derive from."""

    maxDiff = None

    def setUp(self):
        super().setUp()
        keras.utils.clear_session()
        known = dict(_serialization.registered)
        self.addCleanup(lambda: (_serialization.registered.clear(), _serialization.registered.update(known)))

    def assertRaisesRegex(self, error, expected_regex, *call, **named):
        """The type of the error counts; Plimsoll's sentences are its own."""
        context = _AnyWords(self, error, expected_regex)
        if not call:
            return context
        with context:
            call[0](*call[1:], **named)
        return None

    def get_temp_dir(self) -> str:
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        return folder

    def convert_to_numpy(self, x):
        return np.asarray(x)

    def assertAllClose(self, actual, desired, atol=1e-6, rtol=1e-6, tpu_atol=None, tpu_rtol=None, msg=None):
        np.testing.assert_allclose(np.asarray(actual), np.asarray(desired), rtol, atol, err_msg=msg or "")

    def assertNotAllClose(self, x1, x2, atol=1e-6, rtol=1e-6, msg=None):
        with self.assertRaises(AssertionError, msg=msg or "all elements are close"):
            self.assertAllClose(x1, x2, atol, rtol)

    def assertAlmostEqual(self, actual, desired, decimal=3, tpu_decimal=None, msg=None):
        np.testing.assert_almost_equal(np.asarray(actual), np.asarray(desired), decimal, msg or "")

    def assertAllEqual(self, actual, desired, msg=None):
        np.testing.assert_array_equal(np.asarray(actual), np.asarray(desired), msg or "")

    def assertLen(self, iterable, expected_len, msg=None):
        self.assertEqual(len(iterable), expected_len, msg)

    def assertSparse(self, x, sparse=True):
        self.assertFalse(sparse, "Plimsoll has no sparse tensors")

    def assertRagged(self, x, ragged=True):
        self.assertFalse(ragged, "Plimsoll has no ragged tensors")

    def assertDType(self, x, dtype, msg=None):
        found = keras.backend.standardize_dtype(getattr(x, "dtype", type(x)))
        self.assertEqual(found, keras.backend.standardize_dtype(dtype), msg)

    def assertFileExists(self, path):
        self.assertTrue(Path(path).is_file(), f"there is no file {path}")

    def run_class_serialization_test(self, instance, custom_objects=None):
        """The config makes an object of the same config, directly and through JSON."""
        config = as_json(instance.get_config())
        with keras.saving.custom_object_scope(custom_objects or {}):
            again = type(instance).from_config(instance.get_config())
            self._assert_same_object(instance, again, config)
            written = as_json(keras.saving.serialize_keras_object(instance))
            again = keras.saving.deserialize_keras_object(from_json(written))
        self._assert_same_object(instance, again, config)
        return again

    def _assert_same_object(self, instance, again, config: str):
        self.assertEqual(as_json(again.get_config()), config)
        names = [set(dir(each)) - {"__annotations__"} for each in (instance, again)]
        self.assertEqual(*names)

    def run_layer_test(self, layer_cls, init_kwargs, **expected):
        check_layer(self, layer_cls, init_kwargs or {}, **expected)


def as_json(value) -> str:
    """JSON in which tuples are not lists."""
    def marked(part):
        if isinstance(part, tuple):
            return {"__tuple__": [marked(each) for each in part]}
        if isinstance(part, list):
            return [marked(each) for each in part]
        if isinstance(part, dict):
            return {key: marked(each) for key, each in part.items()}
        return part

    return json.dumps(marked(value), sort_keys=True, indent=1)


def from_json(text: str):
    return json.loads(text, object_hook=lambda part: tuple(part["__tuple__"]) if "__tuple__" in part else part)
