"""Models of every kind that are made, trained and dropped in a loop, without the garbage collector: memory is flat."""

import gc

import numpy as np
import pytest

import plimsoll.tensorflow as tf
from plimsoll import _core
from plimsoll.tensorflow import keras

layers = keras.layers
SIZE = 256  # a model of two such layers takes 1.5 MiB with the slots of Adam
x = np.zeros((32, SIZE), "float32")


class Gate(layers.Layer):
    def build(self, shape):
        self.inner = layers.Dense(SIZE)
        self.scale = self.add_weight(shape=(shape[-1],), initializer="ones", name="scale")

    def call(self, inputs, training=None):
        self.add_loss(1e-3 * tf.reduce_mean(inputs**2))
        return self.inner(inputs) * self.scale


class OwnModel(keras.Model):
    def __init__(self):
        super().__init__()
        self.first, self.blocks = layers.Dense(SIZE), [Gate()]

    def call(self, inputs, training=None):
        hidden = self.first(inputs)
        for block in self.blocks:
            hidden = block(hidden, training=training)
        return hidden


class OwnStep(OwnModel):
    def train_step(self, data):
        inputs, targets = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(inputs, targets, self(inputs, training=True))
        self.optimizer.apply_gradients(
            zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables)
        )
        return {"loss": loss}


class Counting(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.seen = []

    def on_train_batch_end(self, batch, logs=None):
        self.seen.append((self.model, logs))


class OwnLoss(keras.losses.Loss):
    def call(self, y_true, y_pred):
        return tf.reduce_mean((y_true - y_pred) ** 2, axis=-1)


class OwnMetric(keras.metrics.Metric):
    def __init__(self, name="own"):
        super().__init__(name=name)
        self.total = self.add_weight(name="total", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        self.total.assign_add(tf.reduce_sum(tf.abs(y_true - y_pred)))

    def result(self):
        return self.total


def sequential():
    return keras.Sequential([layers.Dense(SIZE, input_shape=(SIZE,)), layers.Dense(SIZE)])


def functional():
    inputs = keras.Input((SIZE,))
    hidden = layers.Dense(SIZE)(inputs)
    hidden = layers.Lambda(lambda value: value * 2.0 + 1.0)(hidden)
    hidden = layers.concatenate([hidden, tf.nn.relu(hidden)])
    return keras.Model(inputs, layers.Dense(SIZE)(hidden))


def fitted(model, **settings):
    model.compile("adam", "mse")
    model.fit(x, x, verbose=0, **settings)
    return model


def with_own_layer():
    fitted(keras.Sequential([keras.Input((SIZE,)), Gate(), layers.Dense(SIZE)]))



def with_callbacks():
    model = sequential()
    model.compile("adam", OwnLoss(), metrics=[OwnMetric(), "mae"])
    callbacks = [
        Counting(),
        keras.callbacks.EarlyStopping(patience=1, restore_best_weights=True),
        keras.callbacks.ReduceLROnPlateau(patience=1),
        keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: model.count_params()),
    ]
    model.fit(x, x, epochs=2, verbose=0, validation_data=(x, x), callbacks=callbacks)
    model.evaluate(x, x, verbose=0)
    model.predict(x, verbose=0)


def with_an_error():
    model = sequential()
    model.compile("adam", "mse")
    with pytest.raises(ValueError):
        model.fit(x[:, :3], x, verbose=0)


def with_cleared_sessions():
    keras.backend.clear_session()
    model = fitted(functional())
    keras.backend.clear_session()
    model.predict(x, verbose=0)


def in_a_tape():
    model, optimizer = OwnModel(), keras.optimizers.Adam()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - x) ** 2)
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    float(loss)


def in_a_pipeline():
    model = sequential()
    data = tf.data.Dataset.from_tensor_slices((x, x)).map(lambda a, b: (a + 1.0, b)).batch(8).prefetch(2)
    model.compile("adam", "mse")
    model.fit(data, verbose=0)


def with_outputs_of_layers():
    inputs = keras.Input((SIZE,))
    gate = Gate()
    model = keras.Model(inputs, layers.Dense(SIZE)(gate(inputs)))
    part = keras.Model(model.input, [layer.output for layer in model.layers[1:]])
    assert len(part.predict(x, verbose=0)) == 2
    assert gate.output.shape == (None, SIZE)


def run_eagerly():
    model = OwnModel()
    model.compile("adam", "mse", run_eagerly=True)
    model.fit(x, x, verbose=0)


KINDS = {
    "functional with a Lambda": lambda: fitted(functional()),
    "own layer": with_own_layer,
    "own model": lambda: fitted(OwnModel()),
    "own train_step": lambda: fitted(OwnStep()),
    "callbacks and validation": with_callbacks,
    "an error": with_an_error,
    "cleared sessions": with_cleared_sessions,
    "tape": in_a_tape,
    "pipeline": in_a_pipeline,
    "clone": lambda: fitted(keras.models.clone_model(sequential())),
    "outputs of layers": with_outputs_of_layers,
    "run_eagerly": run_eagerly,
}


@pytest.mark.parametrize("kind", KINDS)
def test_memory_is_flat_over_200_models_without_a_collection(kind):
    gc.collect()
    gc.disable()
    try:
        for _ in range(10):
            KINDS[kind]()
        before = _core.process_memory()[0]
        for _ in range(200):
            KINDS[kind]()
        grown_mib = (_core.process_memory()[0] - before) / 2**20
        assert grown_mib < 4, f"{grown_mib:.1f} MiB more are resident"
    finally:
        gc.enable()
        gc.collect()
