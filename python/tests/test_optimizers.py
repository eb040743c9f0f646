"""keras.optimizers: steps, learning rates, schedules and optimizers of the user's own."""
import numpy as np
import pytest

import plimsoll
from plimsoll.keras import optimizers
from plimsoll.keras.optimizers import schedules


def new_variable(value):
    return plimsoll.Variable(np.asarray(value, np.float32))


def test_a_step_changes_the_variable():
    weight = new_variable([1.0, 2.0])
    optimizer = optimizers.SGD(0.5)
    optimizer.apply_gradients(zip([np.array([2.0, -2.0], np.float32)], [weight]))
    assert weight.numpy() == pytest.approx([0, 3])
    assert int(optimizer.iterations.numpy()) == 1
    optimizer.apply([np.array([2.0, -2.0], np.float32)], [weight])
    assert weight.numpy() == pytest.approx([-1, 4])
    optimizer.apply([np.array([2.0, 0.0], np.float32)])
    assert weight.numpy() == pytest.approx([-2, 4])


def test_a_missing_gradient_leaves_its_variable():
    first, second = new_variable([1.0]), new_variable([2.0])
    optimizers.SGD(1.0).apply_gradients([(None, first), (np.ones(1, np.float32), second)])
    assert (first.numpy()[0], second.numpy()[0]) == (1, 1)


def test_the_learning_rate_is_a_variable_with_every_old_name():
    optimizer = optimizers.Adam(0.25)
    assert float(optimizer.learning_rate.numpy()) == 0.25
    optimizer.learning_rate.assign(0.125)
    assert float(optimizer.lr.numpy()) == 0.125
    optimizer.learning_rate = 0.0625
    assert optimizer.get_config()["learning_rate"] == 0.0625
    optimizer.lr = 0.5
    assert float(optimizer.learning_rate) == 0.5


def test_a_schedule_gives_the_rate_of_each_step():
    schedule = schedules.ExponentialDecay(1.0, decay_steps=1, decay_rate=0.5)
    assert float(schedule(3)) == pytest.approx(0.125)
    optimizer = optimizers.SGD(schedule)
    weight = new_variable([0.0])
    for _ in range(3):
        optimizer.apply_gradients([(np.ones(1, np.float32), weight)])
    assert weight.numpy()[0] == pytest.approx(-1.75)
    assert float(optimizer.learning_rate) == pytest.approx(0.125)


class Halving(schedules.LearningRateSchedule):
    """1, 1/2, 1/3, …"""

    def __call__(self, step):
        return 1.0 / (plimsoll._core.cast(step, "float32") + 1.0)


def test_a_schedule_of_the_users_own_gives_the_rate_of_each_step():
    optimizer = optimizers.SGD(Halving())
    weight = new_variable([0.0])
    for _ in range(3):
        optimizer.apply_gradients([(np.ones(1, np.float32), weight)])
    assert weight.numpy()[0] == pytest.approx(-(1 + 1 / 2 + 1 / 3))


def test_a_function_may_give_the_learning_rate():
    rates = iter((0.5, 0.5, 0.25))
    optimizer = optimizers.SGD(lambda: next(rates))
    weight = new_variable([0.0])
    for _ in range(2):
        optimizer.apply_gradients([(np.ones(1, np.float32), weight)])
    assert weight.numpy()[0] == pytest.approx(-0.75)


@pytest.mark.parametrize("form", [
    "adam", "Adam", "ADAM", optimizers.Adam, optimizers.Adam(), "sgd", "rmsprop",
    {"class_name": "Adam", "config": {"learning_rate": 0.5}}])
def test_get_takes_every_form(form):
    optimizer = optimizers.get(form)
    assert isinstance(optimizer, optimizers.Optimizer)
    assert optimizer._handle.class_name == type(optimizer).__name__


def test_configs_come_back_with_their_schedule():
    optimizer = optimizers.Adam(schedules.CosineDecay(0.1, 100), beta_1=0.5, clipnorm=1.0)
    again = optimizers.deserialize(optimizers.serialize(optimizer))
    assert again.get_config() == optimizer.get_config()
    assert again.beta_1 == 0.5


def test_old_places_have_the_same_classes():
    from plimsoll.keras.optimizers.legacy import Adam

    assert Adam is optimizers.Adam
    assert optimizers.experimental.SGD is optimizers.SGD


def test_state_is_listed_and_set():
    optimizer = optimizers.SGD(0.1, momentum=0.9)
    weight = new_variable([1.0, 2.0])
    optimizer.build([weight])
    assert optimizer.built
    names = len(optimizer.variables)
    assert names == len(optimizer.variables()) == 3
    optimizer.set_weights([np.int64(7), np.float32(0.5), np.ones(2, np.float32)])
    assert int(optimizer.iterations.numpy()) == 7
    assert optimizer.get_weights()[2].tolist() == [1, 1]


def test_minimize_takes_a_function():
    weight = new_variable([3.0])
    optimizers.SGD(0.5).minimize(lambda: weight * weight, [weight])
    assert weight.numpy()[0] == pytest.approx(0)


def test_a_loss_scale_optimizer_steps_as_the_one_inside():
    weight = new_variable([1.0])
    optimizer = optimizers.LossScaleOptimizer(optimizers.SGD(1.0))
    optimizer.apply_gradients([(np.ones(1, np.float32), weight)])
    assert weight.numpy()[0] == 0
    again = optimizers.get(optimizers.serialize(optimizer))
    assert isinstance(again.inner_optimizer, optimizers.SGD)


class SignDescent(optimizers.Optimizer):
    """Steps of one size, with a count of them per variable."""

    def __init__(self, learning_rate=0.1, **kwargs):
        super().__init__(learning_rate=learning_rate, **kwargs)

    def build(self, variables):
        super().build(variables)
        self.counts = [self.add_variable_from_reference(v, name="count") for v in variables]

    def update_step(self, gradient, variable, learning_rate):
        variable.assign_sub(plimsoll._core.sign(gradient) * learning_rate)
        self.counts[0].assign_add(np.ones(variable.shape, np.float32))


def test_an_optimizer_of_the_users_own_steps_in_python():
    weight = new_variable([1.0, 1.0])
    optimizer = SignDescent(0.25, name="sign")
    for _ in range(2):
        optimizer.apply_gradients([(np.array([3.0, -3.0], np.float32), weight)])
    assert weight.numpy() == pytest.approx([0.5, 1.5])
    assert int(optimizer.iterations.numpy()) == 2
    assert optimizer.counts[0].numpy().tolist() == [2, 2]
    assert optimizer.get_config()["learning_rate"] == 0.25


def test_an_own_optimizer_clips_gradients():
    class Plain(optimizers.Optimizer):
        def update_step(self, gradient, variable, learning_rate):
            variable.assign_sub(gradient * learning_rate)

    weight = new_variable([0.0, 0.0])
    gradient = np.array([3.0, 4.0], np.float32)
    Plain(1.0, clipnorm=1.0).apply([gradient], [weight])
    assert weight.numpy() == pytest.approx([-0.6, -0.8])
    Plain(1.0, clipvalue=0.5).apply([gradient], [weight])
    assert weight.numpy() == pytest.approx([-1.1, -1.3])
