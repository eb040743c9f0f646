"""Tensors, variables and tapes."""
import threading

import numpy as np
import pytest

import plimsoll
import plimsoll.tensorflow as tf
from plimsoll import _core


def test_arrays_of_every_type_become_tensors_and_come_back():
    for dtype, held in (("float64", "float32"), ("float16", "float32"), ("int8", "int32"),
                        ("uint16", "int32"), ("uint32", "int64"), ("int64", "int64"),
                        ("uint8", "uint8"), ("bool", "bool")):
        array = np.arange(6).reshape(2, 3).astype(dtype)
        tensor = tf.constant(array)
        assert tensor.dtype == held
        np.testing.assert_array_equal(tensor.numpy(), array.astype(held))


def test_indexing_is_numpys():
    array = np.arange(60, dtype=np.float32).reshape(3, 4, 5)
    tensor = tf.constant(array)
    for key in (0, -1, slice(1, 3), (0, 1), (slice(None), -1), (..., 2), (0, slice(None, None, 2)),
                (None, 1), ([0, 2],), (slice(None), [1, 3]), (slice(2, 0, -1),)):
        np.testing.assert_array_equal(tensor[key].numpy(), array[key])
    np.testing.assert_array_equal(tensor[array > 30].numpy(), array[array > 30])
    with pytest.raises(ValueError, match="outside an axis"):
        tensor[7]


def test_a_tensor_is_a_number_where_python_wants_one():
    loss = tf.reduce_sum(tf.constant([1.0, 2.0]))
    assert loss < 4 and float(loss) == 3.0 and int(loss) == 3 and f"{loss:.2f}" == "3.00"
    assert len(tf.zeros((4, 2))) == 4
    assert [float(each) for each in tf.constant([1.0, 2.0])] == [1.0, 2.0]
    with pytest.raises(TypeError):
        hash(loss)
    assert len({loss.ref(), loss.ref()}) == 1


def test_equality_is_by_element():
    np.testing.assert_array_equal((tf.constant([1, 2]) == tf.constant([1, 3])).numpy(), [True, False])
    assert (tf.constant(1) == None) is False  # noqa: E711


def test_numbers_of_mixed_kinds_are_promoted_not_cut():
    assert float(tf.constant(3) + 0.5) == 3.5
    assert float(tf.constant(3) * tf.constant(0.5)) == 1.5


def test_a_tape_gives_gradients_after_it_was_closed():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        assert float(y) == 9.0  # a value that is asked for inside keeps its history
    assert float(tape.gradient(y, x)) == 6.0
    with pytest.raises(RuntimeError, match="persistent"):
        tape.gradient(y, x)


def test_tapes_nest_for_second_derivatives():
    x = tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x**3
        first = inner.gradient(y, x)
    assert float(first) == 12.0 and float(outer.gradient(first, x)) == 12.0


def test_sources_of_gradients_may_be_nested_and_unconnected():
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        y = 3 * a
    found = tape.gradient(y, {"a": a, "b": [b]})
    assert float(found["a"]) == 3.0 and found["b"] == [None]
    assert float(tape.gradient(y, b, unconnected_gradients="zero")) == 0.0


def test_a_loop_over_indices_compiles_one_step():
    x = tf.constant(np.random.default_rng(0).normal(size=(50, 4)).astype(np.float32))
    w = tf.Variable(np.ones((4, 1), np.float32))

    def step(i):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.expand_dims(x[i], 0) @ w) ** 2)
        w.assign_sub(0.01 * tape.gradient(loss, w))
        return loss

    for i in range(3):
        float(step(i))
    before = _core.compiled_steps()
    for i in range(50):
        float(step(i))
    assert _core.compiled_steps() == before


def test_the_line_that_keeps_tensors_is_named():
    kept = []
    for _ in range(5):
        kept.append(tf.ones((100, 100)) * 2.0)  # this line
    rows = [row for row in plimsoll.live_tensors() if row["file"].endswith("test_tensors.py")]
    assert rows[0]["count"] == 5
    with open(__file__, encoding="utf-8") as file:
        assert "# this line" in file.read().splitlines()[rows[0]["line"] - 1]
    del kept


def test_errors_name_the_line_of_the_program():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"at test_tensors\.py:\d+"):
        tf.ones((2, 3)) @ tf.ones((4, 5))


def test_tensors_are_freed_on_any_thread():
    made = [tf.ones((10,)) * i for i in range(200)]

    def drop():
        while made:
            made.pop()

    threads = [threading.Thread(target=drop) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert float(tf.reduce_sum(tf.ones((3,)))) == 3.0
