"""keras.initializers, regularizers, constraints and activations."""
import numpy as np
import pytest

from plimsoll.keras import activations, constraints, initializers, regularizers


def test_an_initializer_gives_a_tensor_of_the_shape():
    values = np.asarray(initializers.RandomNormal(mean=5.0, stddev=0.1, seed=1)(shape=(200, 30)))
    assert values.shape == (200, 30)
    assert values.mean() == pytest.approx(5, abs=0.01)
    assert values.std() == pytest.approx(0.1, abs=0.01)
    assert np.asarray(initializers.Ones()((2,), dtype="int32")).dtype == np.int32


def test_the_same_seed_gives_the_same_numbers():
    first, second = (np.asarray(initializers.GlorotUniform(seed=3)((4, 4))) for _ in range(2))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, np.asarray(initializers.GlorotUniform(seed=4)((4, 4))))


def test_initializers_without_a_seed_differ():
    first, second = (np.asarray(initializers.GlorotUniform()((4, 4))) for _ in range(2))
    assert not np.array_equal(first, second)


def test_a_constant_may_be_an_array():
    table = np.arange(6.0).reshape(2, 3)
    constant = initializers.Constant(table)
    assert np.array_equal(np.asarray(constant((2, 3))), table)
    assert constant.get_config()["value"] == table.tolist()


@pytest.mark.parametrize("name", ["he_normal", "HeNormal", "zeros", "random_uniform", "orthogonal"])
def test_initializers_have_names(name):
    assert isinstance(initializers.get(name), initializers.Initializer)


def test_small_names_are_the_classes():
    assert initializers.he_normal is initializers.HeNormal
    assert regularizers.l2 is regularizers.L2
    assert constraints.max_norm is constraints.MaxNorm


def test_regularizers_compute_penalties():
    x = np.array([[1.0, -2.0]], np.float32)
    assert float(regularizers.L2(0.5)(x)) == pytest.approx(2.5)
    assert float(regularizers.l1_l2(l1=0.1, l2=0.01)(x)) == pytest.approx(0.35)
    assert regularizers.get("l2").l2 == pytest.approx(0.01)


def test_constraints_change_weights():
    assert np.asarray(constraints.NonNeg()([-1.0, 2.0])).tolist() == [0, 2]
    column = np.asarray(constraints.UnitNorm(axis=0)([[3.0], [4.0]]))
    assert column[:, 0] == pytest.approx([0.6, 0.8])


def test_objects_of_the_users_own_are_called():
    class Half(initializers.Initializer):
        def __call__(self, shape, dtype=None):
            return np.full(shape, 0.5)

    class Sum(regularizers.Regularizer):
        def __call__(self, x):
            return x.sum()

    assert initializers.get(Half())((2,)).tolist() == [0.5, 0.5]
    assert Half()._runs_in_python
    assert regularizers.get(Sum())(np.ones(3)) == 3
    function = abs
    assert constraints.get(function) is function


def test_configs_come_back():
    for package, made in ((initializers, initializers.VarianceScaling(2.0, mode="fan_out")),
                          (regularizers, regularizers.L1(0.3)),
                          (constraints, constraints.MinMaxNorm(0.1, 0.9, rate=0.5))):
        again = package.deserialize(package.serialize(made))
        assert type(again) is type(made)
        assert again.get_config() == made.get_config()


def test_activations_are_functions():
    x = np.array([-1.0, 0.0, 2.0], np.float32)
    assert np.asarray(activations.relu(x)).tolist() == [0, 0, 2]
    assert np.asarray(activations.relu(x, negative_slope=0.5)).tolist() == [-0.5, 0, 2]
    assert np.asarray(activations.relu(x, max_value=1.0)).tolist() == [0, 0, 1]
    assert float(np.asarray(activations.softmax(x)).sum()) == pytest.approx(1)
    columns = np.asarray(activations.softmax(np.ones((2, 3), np.float32), axis=0))
    assert columns == pytest.approx(np.full((2, 3), 0.5))
    assert np.asarray(activations.leaky_relu(x, negative_slope=0.1))[0] == pytest.approx(-0.1)


@pytest.mark.parametrize("name", sorted(activations.__all__))
def test_every_activation_comes_back_from_its_name(name):
    if name in ("get", "serialize", "deserialize"):
        return
    function = activations.get(name)
    assert activations.deserialize(activations.serialize(function)) is function
    assert np.asarray(function(np.ones((2, 4), np.float32))).dtype == np.float32


def test_no_activation_is_linear():
    assert activations.get(None) is activations.linear
    own = np.tanh
    assert activations.get(own) is own


def test_an_activation_that_is_not_here_says_so():
    with pytest.raises(ValueError, match="'rleu' is not known"):
        activations.get("rleu")
