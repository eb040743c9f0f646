"""Layers, activations and losses of one's own: their settings, in files and back."""

import json

import keras
import numpy as np
import tensorflow as tf
from keras import layers

from _same import report, same_weights


@keras.saving.register_keras_serializable(package="study")
class ScaledDense(layers.Layer):
    def __init__(self, units, scale=1.0, activation=None, **kwargs):
        super().__init__(**kwargs)
        self.units, self.scale = units, scale
        self.activation = keras.activations.get(activation)

    def build(self, input_shape):
        self.w = self.add_weight(shape=(input_shape[-1], self.units), initializer="he_normal",
                                 trainable=True, name="w")
        self.b = self.add_weight(shape=(self.units,), initializer="zeros", name="b")

    def call(self, inputs):
        return self.activation(self.scale * (tf.matmul(inputs, self.w) + self.b))

    def get_config(self):
        config = super().get_config()
        config.update({"units": self.units, "scale": self.scale,
                       "activation": keras.activations.serialize(self.activation)})
        return config


class Residual(layers.Layer):
    """A layer of layers; not registered, so that files need custom_objects."""

    def __init__(self, width, **kwargs):
        super().__init__(**kwargs)
        self.width = width
        self.inner = [layers.Dense(width, activation="relu"), layers.Dense(width)]
        self.norm = layers.LayerNormalization()

    def call(self, inputs, training=None):
        h = inputs
        for layer in self.inner:
            h = layer(h)
        return self.norm(inputs + h)

    def get_config(self):
        return {**super().get_config(), "width": self.width}


@keras.saving.register_keras_serializable(package="study", name="soft_step")
def soft_step(x):
    return keras.ops.sigmoid(4.0 * x)


@keras.saving.register_keras_serializable(package="study")
class PowerLoss(keras.losses.Loss):
    def __init__(self, power=3, name="power_loss", **kwargs):
        super().__init__(name=name, **kwargs)
        self.power = power

    def call(self, y_true, y_pred):
        return keras.ops.mean(keras.ops.abs(y_true - y_pred) ** self.power, axis=-1)

    def get_config(self):
        return {**super().get_config(), "power": self.power}


layer = ScaledDense(3, scale=0.5, activation="relu", name="scaled")
config = layer.get_config()
report("config", [config["units"], config["scale"], config["activation"], config["name"]])
again = ScaledDense.from_config(config)
report("again", [again.units, again.name])
report("by_class", layers.deserialize(layers.serialize(layer)).scale)

inputs = keras.Input(shape=(4,), name="rows")
h = ScaledDense(6, scale=0.5, activation="tanh")(inputs)
h = Residual(6, name="residual")(h)
h = layers.Dense(5, activation=soft_step)(h)
outputs = layers.Dense(1, name="answer")(h)
model = keras.Model(inputs, outputs, name="own")
same_weights(model)
x = np.cos(np.arange(80)).reshape(20, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
model.compile(optimizer=keras.optimizers.Adam(0.01), loss=PowerLoss(power=2), metrics=["mae"])
history = model.fit(x, y, epochs=3, batch_size=5, shuffle=False, verbose=0)
report("history", history.history)
expected = model.predict(x, verbose=0)
report("expected", expected)

model.save("own.keras")
loaded = keras.models.load_model("own.keras", custom_objects={"Residual": Residual})
report("loaded", loaded.predict(x, verbose=0))
loaded.compile(optimizer=keras.optimizers.Adam(0.01), loss=PowerLoss(power=2), metrics=["mae"])
report("evaluated", loaded.evaluate(x, y, verbose=0))
history = loaded.fit(x, y, epochs=1, batch_size=5, shuffle=False, verbose=0)
report("trained_on", history.history)
with keras.saving.custom_object_scope({"Residual": Residual}):
    report("in_scope", keras.models.load_model("own.keras").predict(x[:2], verbose=0))
    copy = keras.Model.from_config(model.get_config())
    copy.set_weights(model.get_weights())
    report("from_config", copy.predict(x[:3], verbose=0))
    text = keras.models.model_from_json(model.to_json())
    report("from_json", [layer.name for layer in text.layers][-2:])
names = [layer["class_name"] for layer in json.loads(model.to_json())["config"]["layers"]]
report("names", names)
clone = keras.models.clone_model(model)
clone.set_weights(model.get_weights())
report("clone", clone(x[:3]))
report("weight_names", [weight.name for weight in model.get_layer("residual").weights])
model.save_weights("own.weights.h5")
copy.set_weights([w * 0 for w in copy.get_weights()])
copy.load_weights("own.weights.h5")
report("weights_file", copy.predict(x[:3], verbose=0))
