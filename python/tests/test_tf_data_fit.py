"""fit, evaluate and predict on a Dataset do what they do on its arrays."""

import gc
import itertools

import numpy as np
import pytest

import plimsoll.tensorflow as tf
from plimsoll.tensorflow import keras

Dataset = tf.data.Dataset
ROWS = np.random.default_rng(0).normal(size=(50, 4)).astype(np.float32)
TARGETS = ROWS.sum(1, keepdims=True)


def _small():
    inputs = keras.Input((4,))
    model = keras.Model(inputs, keras.layers.Dense(1, kernel_initializer="ones")(inputs))
    model.compile(keras.optimizers.SGD(0.01), "mse")
    return model


def _slices():
    return Dataset.from_tensor_slices((ROWS, TARGETS * 2))


DATA = {
    "records": lambda: _slices().batch(8).prefetch(2),
    "a function on many records": lambda: _slices().map(lambda x, y: (x * 1.0, y)).batch(8),
    "a function on values": lambda: _slices().batch(8).map(lambda x, y: (x.numpy() * 1.0, y)),
    "a thread": lambda: _slices().batch(8).map(lambda x, y: (x.numpy(), y)).prefetch(2),
    "a generator": lambda: Dataset.from_generator(
        lambda: zip(ROWS, TARGETS * 2),
        output_signature=(tf.TensorSpec((4,), tf.float32), tf.TensorSpec((1,), tf.float32)),
    ).batch(8),
}


@pytest.mark.parametrize("name", DATA)
def test_weights_losses_and_predictions_are_those_of_arrays(name):
    expected, found = _small(), _small()
    wanted = expected.fit(ROWS, TARGETS * 2, batch_size=8, epochs=3, shuffle=False, verbose=0)
    history = found.fit(DATA[name](), epochs=3, verbose=0)
    np.testing.assert_allclose(history.history["loss"], wanted.history["loss"], rtol=1e-5)
    for ours, theirs in zip(found.get_weights(), expected.get_weights(), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5)
    loss = found.evaluate(DATA[name](), verbose=0)
    np.testing.assert_allclose(loss, expected.evaluate(ROWS, TARGETS * 2, 8, 0), rtol=1e-5)
    inputs = DATA[name]().map(lambda x, y: x)
    outputs = found.predict(inputs, verbose=0)
    np.testing.assert_allclose(outputs, expected.predict(ROWS, verbose=0), rtol=1e-5)


def test_the_columns_of_a_dict_go_to_the_inputs_of_their_names():
    inputs = {"small": keras.Input((1,), name="small"), "large": keras.Input((4,), name="large")}
    both = keras.layers.Concatenate()(list(inputs.values()))
    model = keras.Model(inputs, keras.layers.Dense(1, kernel_initializer="ones")(both))
    kernel, bias = model.get_weights()
    kernel[1:] = 0
    model.set_weights([kernel, bias])
    columns = {"small": np.full((6, 1), 7.0), "large": np.ones((6, 4))}
    for shift in (lambda x: x, lambda x: {key: value * 1.0 for key, value in x.items()}):
        dataset = Dataset.from_tensor_slices(columns).map(shift).batch(4)
        np.testing.assert_allclose(model.predict(dataset, verbose=0), np.full((6, 1), 7.0))
    dataset = Dataset.from_tensor_slices(columns).batch(4)
    np.testing.assert_allclose(model.predict(dataset, verbose=0), np.full((6, 1), 7.0))


def test_an_endless_generator_trains_for_the_steps_of_an_epoch():
    given, closed = [], []

    def endless():
        try:
            for number in itertools.count():
                given.append(number)
                yield ROWS[:5], TARGETS[:5]
        finally:
            closed.append(1)

    dataset = Dataset.from_generator(
        endless, output_types=(tf.float32, tf.float32), output_shapes=((None, 4), (None, 1))
    )
    history = _small().fit(dataset, epochs=2, steps_per_epoch=3, verbose=0)
    assert len(history.history["loss"]) == 2
    # Some batches are read ahead, and the first is read to plan with.
    assert 6 <= len(given) <= 10
    gc.collect()
    assert closed


def test_the_error_of_a_generator_comes_out_of_fit():
    def failing_generator():
        yield ROWS[:5], TARGETS[:5]
        raise KeyError("the line that failed")

    dataset = Dataset.from_generator(
        failing_generator,
        output_types=(tf.float32, tf.float32),
        output_shapes=((None, 4), (None, 1)),
    )
    with pytest.raises(KeyError, match="the line that failed") as caught:
        _small().fit(dataset, verbose=0)
    assert caught.traceback[-1].name == "failing_generator"


def test_shuffled_records_train_on_each_once():
    seen = []

    class Noted(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            seen.append(batch)

    dataset = _slices().shuffle(50).batch(8, drop_remainder=True)
    _small().fit(dataset, epochs=2, verbose=0, callbacks=[Noted()])
    assert seen == [0, 1, 2, 3, 4, 5] * 2
