"""tf.test: what tests and scripts ask about the installation, and a TestCase."""
import os
import tempfile
import unittest

import numpy as np

from plimsoll import _missing
from plimsoll._convert import map_structure


def is_gpu_available(cuda_only=False, min_cuda_compute_capability=None) -> bool:
    return False


def is_built_with_cuda() -> bool:
    return False


is_built_with_rocm = is_built_with_gpu_support = is_built_with_cuda


def is_built_with_xla() -> bool:
    return False


def gpu_device_name() -> str:
    return ""


def get_temp_dir() -> str:
    return tempfile.gettempdir()


class TestCase(unittest.TestCase):
    """unittest's, with assertions about tensors."""

    def evaluate(self, tensors):
        return map_structure(np.asarray, tensors)

    def assertAllClose(self, a, b, rtol=1e-6, atol=1e-6, msg=None) -> None:
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol, atol, err_msg=msg or "")

    def assertAllEqual(self, a, b, msg=None) -> None:
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b), msg or "")

    def assertNotAllClose(self, a, b, rtol=1e-6, atol=1e-6, msg=None) -> None:
        self.assertFalse(np.allclose(np.asarray(a), np.asarray(b), rtol, atol), msg)

    def assertNotAllEqual(self, a, b, msg=None) -> None:
        self.assertFalse(np.array_equal(np.asarray(a), np.asarray(b)), msg)

    def assertNear(self, f1, f2, err, msg=None) -> None:
        self.assertLessEqual(abs(float(f1) - float(f2)), err, msg)

    def assertShapeEqual(self, input_a, input_b, msg=None) -> None:
        self.assertEqual(tuple(input_a.shape), tuple(input_b.shape), msg)

    def assertAllInRange(self, target, lower_bound, upper_bound, **kwargs) -> None:
        found = np.asarray(target)
        self.assertTrue(((found >= lower_bound) & (found <= upper_bound)).all())

    def get_temp_dir(self) -> str:
        if not hasattr(self, "_folder"):
            self._folder = tempfile.mkdtemp(prefix=type(self).__name__ + os.extsep)
        return self._folder


def main(argv=None) -> None:
    unittest.main()


_missing.lazy(globals(), {})
