"""Functions of tf give what they give under the real TensorFlow, and gradients too."""
import numpy as np
import ops_peer
import pytest
import tf_ops_cases

import plimsoll.tensorflow as tf
from plimsoll import keras


@pytest.mark.parametrize("case", tf_ops_cases.cases())
def test_result_is_that_of_tensorflow(case):
    theirs = ops_peer.real()[case]
    assert theirs[0] != "error", theirs
    assert ops_peer.difference(tf_ops_cases.result(tf, keras, case), theirs) is None


@pytest.mark.parametrize("call", [
    lambda x: tf.linalg.inv(x), lambda x: tf.math.atan(x), lambda x: tf.image.crop_and_resize(
        tf.reshape(x, (1, 2, 2, 1)), [[0.0, 0.0, 1.0, 1.0]], [0], (2, 2)),
    lambda x: keras.ops.arctan(x), lambda x: keras.ops.det(x)])
def test_what_has_no_gradient_refuses_a_tape(call):
    x = tf.constant([[2.0, 1.0], [0.5, 0.75]])
    call(x)
    with tf.GradientTape():
        with pytest.raises(NotImplementedError, match="no gradient"):
            call(x)


def test_the_same_seed_gives_the_same_numbers():
    drawn = []
    for seed in (3, 4, 3):
        tf.random.set_seed(seed)
        drawn.append([np.asarray(each) for each in (
            tf.random.normal((3,)), tf.random.uniform((3,), 0, 100, tf.int32), tf.random.shuffle(
                tf.range(20)), tf.random.truncated_normal((4,)), tf.random.uniform((2,), seed=5))])
    assert all(np.array_equal(a, b) for a, b in zip(drawn[0], drawn[2]))
    assert not any(np.array_equal(a, b) for a, b in zip(drawn[0], drawn[1]))


def test_classes_are_sampled_by_their_frequency():
    drawn, of_true, of_drawn = tf.random.log_uniform_candidate_sampler([[3], [0]], 1, 4, True, 8, seed=1)
    values = np.asarray(drawn)
    assert len(set(values.tolist())) == 4 and values.min() >= 0 and values.max() < 8
    assert tuple(of_true.shape) == (2, 1) and tuple(of_drawn.shape) == (4,)
    share = (np.log(2) - np.log(1)) / np.log(9)  # of class 0
    assert float(of_true[1, 0]) == pytest.approx(1 - (1 - share) ** 4, rel=1e-5)
    many, _, _ = tf.random.log_uniform_candidate_sampler([[0]], 1, 4000, False, 8, seed=1)
    assert np.mean(np.asarray(many) == 0) == pytest.approx(share, abs=0.03)
    with pytest.raises(ValueError, match="no 9 different classes"):
        tf.random.log_uniform_candidate_sampler([[0]], 1, 9, True, 8)


def test_random_numbers_keep_to_their_ranges():
    assert set(np.asarray(tf.random.uniform((300,), 2, 5, tf.int32)).tolist()) == {2, 3, 4}
    assert np.abs(np.asarray(tf.random.truncated_normal((500,), 1.0, 2.0)) - 1.0).max() <= 4.0
    assert (np.asarray(tf.random.categorical([[0.0, -50.0], [-50.0, 0.0]], 9)) == [[0], [1]]).all()
    drawn = np.asarray(tf.random.Generator.from_seed(1).uniform((200,), -1.0, 1.0))
    assert -1 <= drawn.min() < -0.5 and 0.5 < drawn.max() < 1


def test_random_changes_of_an_image_are_among_the_fixed_ones():
    image = tf.constant(np.arange(24, dtype="uint8").reshape(2, 4, 3))
    flips = {np.asarray(tf.image.random_flip_left_right(image)).tobytes() for _ in range(40)}
    assert flips == {np.asarray(each).tobytes() for each in (image, tf.image.flip_left_right(image))}
    part = np.asarray(tf.image.random_crop(image, (1, 2, 3)))
    whole = np.asarray(image)
    assert any(np.array_equal(part, whole[i:i + 1, j:j + 2]) for i in range(2) for j in range(3))
    with pytest.raises(ValueError, match="Need value.shape >= size"):
        tf.image.random_crop(image, (3, 2, 3))


def test_a_name_that_is_not_here_is_told():
    with pytest.raises(AttributeError, match="Plimsoll has no tf.nn.fractional_max_pool"):
        tf.nn.fractional_max_pool
    with pytest.raises(ImportError, match="Plimsoll has no tf.image.combined"):
        from plimsoll.tensorflow.image import combined  # noqa: F401


def test_errors_of_tensorflow_are_those_of_the_engine():
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.strings.to_number("x")
    with pytest.raises(tf.errors.NotFoundError):
        tf.io.read_file("no such file")
    with pytest.raises(tf.errors.OutOfRangeError):
        iter(tf.data.Dataset.range(0)).get_next()
    assert issubclass(tf.errors.ResourceExhaustedError, MemoryError)


def test_a_strategy_has_one_replica_and_runs_a_function_once():
    strategy = tf.distribute.MirroredStrategy()
    calls = []
    with strategy.scope():
        assert tf.distribute.get_strategy() is strategy
        found = strategy.run(lambda x: calls.append(1) or x * 2, args=(tf.constant([1.0, 3.0]),))
    assert strategy.num_replicas_in_sync == 1 and len(calls) == 1
    assert float(strategy.reduce(tf.distribute.ReduceOp.MEAN, found, axis=0)) == 4.0


def test_there_is_a_processor_and_no_gpu():
    assert tf.config.list_physical_devices("GPU") == []
    assert [each.device_type for each in tf.config.list_physical_devices()] == ["CPU"]
    for device in tf.config.list_physical_devices():
        tf.config.experimental.set_memory_growth(device, True)


@pytest.mark.parametrize("shape", [(4, 3), (40, 30)])
def test_conditions_on_what_was_just_computed_are_counted_and_reduced(shape):
    def condition():
        return tf.random.uniform(shape) < 2.0

    assert int(tf.reduce_sum(tf.cast(condition(), tf.int32))) == np.prod(shape)
    assert bool(tf.reduce_all(condition()))
    assert (np.asarray(tf.cast(condition(), tf.int32) + 1) == 2).all()
