"""Functions of keras.ops give what they give under the real Keras, gradients too."""
import keras_ops_cases
import numpy as np
import ops_peer
import pytest
import tf_ops_cases

import plimsoll.tensorflow as tf
from plimsoll import keras
from plimsoll.keras import ops


@pytest.mark.parametrize("case", keras_ops_cases.cases())
def test_result_is_that_of_keras(case):
    theirs = ops_peer.real()[case]
    assert theirs[0] != "error", theirs
    assert ops_peer.difference(tf_ops_cases.result(tf, keras, case), theirs) is None


def test_all_names_that_are_listed_are_functions():
    assert all(callable(getattr(ops, name)) for name in dir(ops)
               if name not in ("image", "linalg", "nn", "numpy"))
    assert {"top_k", "relu", "scatter_update", "nn"} <= set(dir(ops))


def test_an_operation_of_a_model_is_computed_in_it():
    inputs = keras.Input((4,))
    model = keras.Model(inputs, ops.reshape(ops.softmax(inputs * 2.0), (-1, 2, 2)))
    x = np.arange(8, dtype="float32").reshape(2, 4)
    assert np.allclose(model.predict(x, verbose=0), np.asarray(ops.softmax(x * 2)).reshape(2, 2, 2))
