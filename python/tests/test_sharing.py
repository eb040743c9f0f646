"""What Python promises about cost: one trace per shape, memory that is shared, other threads that go on."""
import subprocess
import sys
import threading

import numpy as np
import pytest

import plimsoll.tensorflow as tf
from plimsoll import keras
from plimsoll.keras import layers

X, Y = np.ones((64, 4), "float32"), np.ones((64, 1), "float32")


def small_model(**settings):
    model = keras.Sequential([keras.Input((4,)), layers.Dense(1)])
    model.compile("sgd", "mse", **settings)
    return model


# --- traces -----------------------------------------------------------------------------------


def traces_of(run) -> int:
    """How often a layer's call runs in run(model)."""
    shapes = []

    class Traced(layers.Layer):
        def call(self, inputs):
            shapes.append(tuple(inputs.shape))
            return inputs * 2.0

    model = keras.Sequential([keras.Input((4,)), Traced(), layers.Dense(1)])
    model.compile("sgd", "mse")
    run(model)
    return len(shapes)


def test_call_does_not_run_again_for_steps_and_epochs():
    once = traces_of(lambda model: model.fit(X, Y, batch_size=32, epochs=1, verbose=0))
    assert traces_of(lambda model: model.fit(X, Y, batch_size=2, epochs=20, verbose=0)) == once
    once = traces_of(lambda model: model.predict(X, batch_size=32, verbose=0))
    assert traces_of(lambda model: model.predict(X, batch_size=2, verbose=0)) == once
    once = traces_of(lambda model: model.evaluate(X, Y, batch_size=32, verbose=0))
    assert traces_of(lambda model: model.evaluate(X, Y, batch_size=2, verbose=0)) == once


# --- shared memory ----------------------------------------------------------------------------


def test_arrays_of_a_tensor_are_its_own_memory():
    tensor = tf.constant([[1.0, 2.0], [3.0, 4.0]]) * 2.0
    array = np.asarray(tensor)
    assert np.shares_memory(array, np.asarray(tensor)) and not array.flags.writeable
    assert np.shares_memory(array, np.from_dlpack(tensor))
    assert not np.shares_memory(array, tensor.numpy()) and tensor.numpy().flags.writeable
    assert np.asarray(tensor, dtype="float64").dtype == np.float64
    del tensor
    np.testing.assert_array_equal(array, [[2.0, 4.0], [6.0, 8.0]])


def test_who_cannot_be_told_not_to_write_gets_a_copy():
    tensor = tf.constant([1.0, 2.0])

    class Older:
        __dlpack_device__ = tensor.__dlpack_device__

        def __dlpack__(self, **words):
            return tensor.__dlpack__()

    copy = np.from_dlpack(Older())
    assert not np.shares_memory(copy, np.asarray(tensor))
    np.testing.assert_array_equal(copy, [1.0, 2.0])


@pytest.mark.parametrize("of", [np.asarray, np.from_dlpack, np.array])
def test_an_array_of_a_variable_does_not_change_with_it(of):
    variable = tf.Variable([1.0, 2.0])
    array = of(variable)
    variable.assign([5.0, 6.0])
    np.testing.assert_array_equal(array, [1.0, 2.0])
    np.testing.assert_array_equal(variable.numpy(), [5.0, 6.0])


def test_a_view_of_a_tensor_is_its_own_memory():
    tensor = tf.constant([[1.0, 2.0], [3.0, 4.0]]) * 2.0
    view = memoryview(tensor)
    assert view.readonly and view.format == "f" and view.shape == (2, 2)
    assert np.shares_memory(np.frombuffer(view, "float32"), np.asarray(tensor))
    del tensor
    assert view.tolist() == [[2.0, 4.0], [6.0, 8.0]]


def test_views_have_the_type_and_shape_of_the_tensor():
    for value in ([True, False], [1, 2], np.int64([3]), np.uint8([[4]]), 1.5, np.zeros((0, 3), "float32")):
        tensor = tf.constant(value)
        view = np.asarray(memoryview(tensor))
        assert view.dtype == tensor.numpy().dtype and view.shape == tuple(tensor.shape)
        np.testing.assert_array_equal(view, tensor.numpy())
        assert np.asarray(tensor).dtype == view.dtype
    texts = tf.constant([b"a", b"bc"])
    assert np.asarray(texts).tolist() == [b"a", b"bc"]
    with pytest.raises(BufferError, match="texts"):
        memoryview(texts)


def test_a_view_of_what_reads_a_variable_does_not_change_with_it():
    variable = tf.Variable([1.0, 2.0])
    view = memoryview(variable.read_value())
    variable.assign([5.0, 6.0])
    assert view.tolist() == [1.0, 2.0]


def test_a_definition_has_no_view():
    with pytest.raises(Exception, match="no value|placeholder|definition"):
        memoryview(keras.Input((3,)))


def test_capsules_of_dlpack_share_the_memory():
    tensor = tf.constant([1.0, 2.0]) * 2.0
    capsule = tf.experimental.dlpack.to_dlpack(tensor)

    class Holder:
        __dlpack_device__ = tensor.__dlpack_device__

        def __dlpack__(self, **words):
            return capsule

    assert np.shares_memory(np.from_dlpack(Holder()), np.asarray(tensor))
    again = tf.experimental.dlpack.from_dlpack(tf.experimental.dlpack.to_dlpack(tensor))
    np.testing.assert_array_equal(again.numpy(), [2.0, 4.0])
    assert again.dtype == tf.float32
    variable = tf.Variable([1, 2])
    held = tf.experimental.dlpack.to_dlpack(variable)
    variable.assign([5, 6])
    np.testing.assert_array_equal(tf.experimental.dlpack.from_dlpack(held).numpy(), [1, 2])
    np.testing.assert_array_equal(tf.experimental.dlpack.from_dlpack(np.arange(3)).numpy(), [0, 1, 2])


ROOM = """
import re, sys
import numpy as np
import plimsoll.tensorflow as tf

def resident_mib(field="VmRSS"):
    return int(re.search(field + r":\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024

{before}
begin = resident_mib()
open("/proc/self/clear_refs", "w").write("5")  # the peak begins anew
{then}
print(resident_mib("VmHWM") - begin)
"""


def taken_mib(before: str, then: str) -> float:
    """By how much the process grows at most."""
    done = subprocess.run([sys.executable, "-c", ROOM.format(before=before, then=then)], capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return float(done.stdout)


@pytest.mark.parametrize("array, mib", [
    ("np.ones((64, 1 << 18))", 64),
    ("np.ones((64, 1 << 18), 'float32')", 64),
    ("np.ones((64, 1 << 18), 'int16')", 64),
    ("np.ones((1 << 18, 64)).T", 64),
], ids=["float64", "float32", "int16", "transposed"])
def test_a_tensor_of_an_array_takes_its_own_size_alone(array, mib):
    before = f"x = {array}; tf.constant(1.0).numpy()"
    assert taken_mib(before, "t = tf.constant(x, 'float32')") < mib + 8
    if "int16" not in array:
        assert taken_mib(before, "t = tf.convert_to_tensor(x)") < mib + 8


def test_a_prediction_is_not_copied():
    before = ("model = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(16384)])\n"
              "x = np.ones((1024, 1), 'float32'); model.predict(x[:32], verbose=0)")
    assert taken_mib(before, "y = model.predict(x, verbose=0)") < 64 + 16
    assert taken_mib(before, "y = np.array(model.predict(x, verbose=0))") > 128 - 8  # two of them are seen


def test_a_prediction_may_be_written():
    found = small_model().predict(X, verbose=0)
    found[:] = 7.0
    assert (found == 7.0).all() and found.flags.writeable and found.flags.c_contiguous


def test_predictions_of_one_tensor_do_not_share_memory():
    class Twice(keras.Model):
        def call(self, inputs):
            doubled = inputs * 2.0
            return {"a": doubled, "b": doubled}

    found = Twice().predict(X, verbose=0)
    found["a"][:] = 7.0
    assert (found["b"] == 2.0).all()


def test_fit_reads_the_array_where_it_is():
    x = np.zeros((8, 4), "float32")
    model = small_model()
    model.set_weights([np.zeros((4, 1), "float32"), np.zeros(1, "float32")])

    class Writing(keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            x[:] = 1.0

    model.fit(x, np.ones((8, 1), "float32"), batch_size=8, epochs=2, verbose=0, callbacks=[Writing()])
    assert (model.get_weights()[0] != 0.0).all()  # the gradient of the kernel is 0 for zeros


# --- plans ------------------------------------------------------------------------------------


def test_the_plan_of_a_model_is_a_table_and_a_page():
    model = keras.Sequential([keras.Input((4,)), layers.Dense(300, name="wide<b>"), layers.Dense(1, name="last")])
    model.compile("adam", "mse")
    plan = model.plan(batch_size=256)
    assert plan.batch_size == 256 and plan.weight_bytes >= 4 * (4 * 300 + 300 + 300 + 1)
    assert plan.peak_bytes > model.plan(batch_size=1).peak_bytes >= plan.baseline_bytes
    assert "last" in str(plan)
    page = plan._repr_html_()
    assert page.count("<tr>") == 1 + len(plan.layers) and "at a batch of 256" in page
    assert "<td>last</td>" in page and "wide<b>" not in page and "wide&lt;b&gt;" in page
    with pytest.raises(AttributeError, match="a memory plan has no 'peak'"):
        plan.peak


# --- threads ----------------------------------------------------------------------------------


@pytest.mark.parametrize("run", ["fit", "evaluate", "predict"])
def test_other_threads_run_while_the_engine_does(run):
    """Batches are read by a thread of their own, which needs the lock that the caller's must have let go."""
    readers = set()

    def batches():
        for _ in range(8):
            readers.add(threading.get_ident())
            yield X[:16], Y[:16]

    getattr(small_model(), run)(batches(), verbose=0)
    assert readers - {threading.get_ident()}


# --- Keras 2's words --------------------------------------------------------------------------


def test_the_words_and_names_of_keras_2_train_the_same():
    def batches():
        while True:
            yield X[:16], Y[:16]

    found = []
    for fit in (lambda model: model.fit(batches(), steps_per_epoch=4, epochs=2, verbose=0),
                lambda model: model.fit(batches(), steps_per_epoch=4, epochs=2, verbose=0, workers=4,
                                        use_multiprocessing=True, max_queue_size=20),
                lambda model: model.fit_generator(batches(), 4, 2, verbose=0, workers=4)):
        model = small_model()
        model.set_weights([np.zeros((4, 1), "float32"), np.zeros(1, "float32")])
        found.append(fit(model).history["loss"])
        loss = model.evaluate(X, Y, verbose=0)
        assert model.evaluate_generator(batches(), 2, verbose=0, workers=2) == pytest.approx(loss)
        assert model.predict_generator(batches(), 2, verbose=0).shape == (32, 1)
    assert found[0] == found[1] == found[2]
    with pytest.raises(TypeError, match="unexpected keyword argument 'worker'"):
        small_model().fit(X, Y, worker=4)
