"""Models with a train_step and a test_step of their own, used through fit."""

import keras
import numpy as np
import tensorflow as tf

from _same import report, same_weights

loss_tracker = keras.metrics.Mean(name="loss")
mae_metric = keras.metrics.MeanAbsoluteError(name="mae")


class CustomModel(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = tf.reduce_mean(keras.losses.mean_squared_error(y, y_pred))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        loss_tracker.update_state(loss)
        mae_metric.update_state(y, y_pred)
        return {"loss": loss_tracker.result(), "mae": mae_metric.result()}

    def test_step(self, data):
        x, y = data
        y_pred = self(x, training=False)
        mae_metric.update_state(y, y_pred)
        return {"mae": mae_metric.result()}

    @property
    def metrics(self):
        return [loss_tracker, mae_metric]


class CompiledModel(keras.Model):
    """Uses the loss and the metrics of compile."""

    def train_step(self, data):
        if len(data) == 3:
            x, y, sample_weight = data
        else:
            sample_weight = None
            x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compute_loss(x=x, y=y, y_pred=y_pred, sample_weight=sample_weight)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply(gradients, self.trainable_variables)
        for metric in self.metrics:
            if metric.name == "loss":
                metric.update_state(loss)
            else:
                metric.update_state(y, y_pred, sample_weight=sample_weight)
        return {m.name: m.result() for m in self.metrics}


random = np.random.default_rng(0)
x = random.random((96, 16)).astype("float32")
y = (x[:, :1] - x[:, 1:2]).astype("float32")

inputs = keras.Input(shape=(16,))
outputs = keras.layers.Dense(1)(inputs)
model = CustomModel(inputs, outputs)
same_weights(model)
model.compile(optimizer="adam")
history = model.fit(x, y, epochs=3, batch_size=32, shuffle=False, verbose=0)
report("history", history.history)
report("evaluate", model.evaluate(x, y, verbose=0))

hidden = keras.layers.Dense(8, activation="relu")(inputs)
model = CompiledModel(inputs, keras.layers.Dense(1)(hidden))
same_weights(model)
model.compile(optimizer=keras.optimizers.RMSprop(), loss="mse", metrics=["mae"])
weights = np.linspace(0.5, 1.5, 96)
history = model.fit(x, y, sample_weight=weights, epochs=3, batch_size=32, shuffle=False, verbose=0)
report("weighted", history.history)
report("weights", model.get_weights())
