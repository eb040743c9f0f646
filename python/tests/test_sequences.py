"""PyDataset in fit: its batches are shuffled as Keras does, and it is told of epochs."""
import numpy as np
import pytest

from plimsoll import keras


class Numbered(keras.utils.PyDataset):
    """Batch i is full of i; `told` has what was asked for."""

    def __init__(self):
        super().__init__()
        self.told = []

    def __len__(self):
        return 16

    def __getitem__(self, index):
        assert isinstance(index, int)
        self.told.append(index)
        return np.full((4, 3), index, "float32"), np.zeros((4, 1), "float32")

    def on_epoch_begin(self):
        self.told.append("begin")

    def on_epoch_end(self):
        self.told.append("end")


def epochs_of(told: list) -> list:
    """What was asked for in each epoch."""
    assert told[0] == "begin" and told[-1] == "end"
    return [part[:part.index("end")] for part in _split(told)]


def _split(told: list) -> list:
    begins = [i for i, what in enumerate(told) if what == "begin"]
    return [told[begin + 1:end] for begin, end in zip(begins, [*begins[1:], len(told)])]


def told_by_fit(eagerly=False, **words) -> list:
    keras.utils.set_random_seed(3)
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse", run_eagerly=eagerly)
    data = Numbered()
    model.fit(data, epochs=3, verbose=0, **words)
    return epochs_of(data.told)


@pytest.mark.parametrize("eagerly", [False, True])
def test_the_order_of_batches_is_another_in_each_epoch(eagerly):
    epochs = told_by_fit(eagerly)
    assert [sorted(epoch) for epoch in epochs] == [list(range(16))] * 3
    assert len({tuple(epoch) for epoch in [*epochs, range(16)]}) == 4
    assert told_by_fit(eagerly) == epochs


@pytest.mark.parametrize("eagerly", [False, True])
def test_the_order_is_kept_without_shuffle(eagerly):
    assert told_by_fit(eagerly, shuffle=False) == [list(range(16))] * 3


def test_the_order_is_kept_in_a_run_that_can_go_on(tmp_path):
    assert told_by_fit(run=tmp_path / "run") == [list(range(16))] * 3


def test_evaluate_and_predict_keep_the_order():
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile("sgd", "mse")
    data = Numbered()
    np.testing.assert_array_equal(model.predict(data, verbose=0)[::4, 0], 3 * np.arange(16))
    model.evaluate(data, verbose=0)
    assert epochs_of(data.told) == [list(range(16))] * 2


def test_other_sequences_keep_their_order():
    asked = []

    class Plain:
        def __len__(self):
            return 16

        def __getitem__(self, index):
            asked.append(index)
            return np.zeros((4, 3), "float32"), np.zeros((4, 1), "float32")

    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(Plain(), verbose=0)
    assert asked == list(range(16))
