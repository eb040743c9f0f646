"""Layers of one's own: add_weight in build, regularizers, masks, training flags, nested layers, get_config, files."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import initializers, layers

from _same import report, same_weights


class Linear(keras.layers.Layer):
    def __init__(self, units=32, **kwargs):
        super(Linear, self).__init__(**kwargs)
        self.units = units

    def build(self, input_shape):
        self.w = self.add_weight(shape=(input_shape[-1], self.units), initializer="random_normal", trainable=True)
        self.b = self.add_weight(shape=(self.units,), initializer="zeros", trainable=True)

    def call(self, inputs):
        return tf.matmul(inputs, self.w) + self.b

    def get_config(self):
        config = super(Linear, self).get_config()
        config.update({"units": self.units})
        return config


class ComputeSum(keras.layers.Layer):
    def __init__(self, input_dim):
        super().__init__()
        self.total = self.add_weight(initializer="zeros", shape=(input_dim,), trainable=False)

    def call(self, inputs):
        self.total.assign_add(tf.reduce_sum(inputs, axis=0))
        return self.total


x = tf.ones((2, 2))
my_sum = ComputeSum(2)
report("first_sum", my_sum(x).numpy())
report("second_sum", my_sum(x).numpy())
report("weights", [len(my_sum.weights), len(my_sum.non_trainable_weights), len(my_sum.trainable_weights)])

linear_layer = Linear(4)
y = linear_layer(tf.ones((2, 3)))
report("shape", np.array(y.shape))
report("config", [linear_layer.get_config()["units"], linear_layer.get_config()["trainable"]])
new_layer = Linear.from_config(linear_layer.get_config())
report("new", new_layer.units)


class MLPBlock(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.linear_1 = Linear(32)
        self.linear_2 = Linear(32)
        self.linear_3 = Linear(1)

    def call(self, inputs):
        x = self.linear_1(inputs)
        x = tf.nn.relu(x)
        x = self.linear_2(x)
        x = tf.nn.relu(x)
        return self.linear_3(x)


mlp = MLPBlock()
y = mlp(tf.ones(shape=(3, 64)))
report("nested", [len(mlp.weights), len(mlp.trainable_weights)])


class ActivityRegularizationLayer(keras.layers.Layer):
    def __init__(self, rate=1e-2):
        super(ActivityRegularizationLayer, self).__init__()
        self.rate = rate

    def call(self, inputs):
        self.add_loss(self.rate * tf.reduce_sum(inputs))
        return inputs


class OuterLayer(keras.layers.Layer):
    def __init__(self):
        super(OuterLayer, self).__init__()
        self.activity_reg = ActivityRegularizationLayer(1e-2)
        self.dense = layers.Dense(3, kernel_regularizer=tf.keras.regularizers.l2(1e-3),
                                  kernel_initializer=initializers.Constant(0.5))

    def call(self, inputs):
        return self.dense(self.activity_reg(inputs))


layer = OuterLayer()
report("no_losses", len(layer.losses))
_ = layer(tf.ones((1, 2)))
report("losses", [float(loss) for loss in layer.losses])
_ = layer(tf.ones((1, 2)))
report("losses_again", [float(loss) for loss in layer.losses])
inputs = keras.Input(shape=(3,))
outputs = ActivityRegularizationLayer()(inputs)
model = keras.Model(inputs, layers.Dense(2, kernel_initializer="ones")(outputs))
model.compile(optimizer="adam", loss="mse")
report("fit_losses", model.fit(np.ones((4, 3)), np.ones((4, 2)), verbose=0).history["loss"])


class CustomDropout(keras.layers.Layer):
    def __init__(self, rate, **kwargs):
        super().__init__(**kwargs)
        self.rate = rate

    def call(self, inputs, training=None):
        if training:
            return tf.nn.dropout(inputs, rate=self.rate)
        return inputs


dropout = CustomDropout(0.5)
report("inference", dropout(tf.ones((2, 2))))
report("training", sorted(set(np.unique(dropout(tf.ones((20, 20)), training=True)).tolist())))


class Antirectifier(layers.Layer):
    def __init__(self, initializer="he_normal", **kwargs):
        super().__init__(**kwargs)
        self.initializer = keras.initializers.get(initializer)

    def build(self, input_shape):
        output_dim = input_shape[-1]
        self.kernel = self.add_weight(shape=(output_dim * 2, output_dim), initializer=self.initializer,
                                      name="kernel", trainable=True)

    def call(self, inputs):
        inputs -= tf.reduce_mean(inputs, axis=-1, keepdims=True)
        pos = tf.nn.relu(inputs)
        neg = tf.nn.relu(-inputs)
        concatenated = tf.concat([pos, neg], axis=-1)
        return tf.matmul(concatenated, self.kernel)

    def get_config(self):
        base_config = super().get_config()
        config = {"initializer": keras.initializers.serialize(self.initializer)}
        return dict(list(base_config.items()) + list(config.items()))


rng = np.random.default_rng(0)
data, target = rng.random((32, 10)), rng.integers(0, 3, 32)
model = keras.Sequential([keras.Input(shape=(10,)), layers.Dense(8), Antirectifier(), layers.Dense(8),
                          Antirectifier(), layers.Dense(3)])
same_weights(model)
model.compile(loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True), optimizer=keras.optimizers.RMSprop(),
              metrics=[keras.metrics.SparseCategoricalAccuracy()])
report("history", model.fit(data, target, batch_size=8, epochs=3, shuffle=False, verbose=0).history, atol=1e-4)
model.save("antirectifier.keras")
with keras.utils.custom_object_scope({"Antirectifier": Antirectifier}):
    again = keras.models.load_model("antirectifier.keras")
report("again", again.evaluate(data, target, verbose=0), atol=1e-4)


@keras.utils.register_keras_serializable(package="MyLayers")
class Scale(layers.Layer):
    def __init__(self, factor=1.0, constraint=None, **kwargs):
        super().__init__(**kwargs)
        self.factor = factor
        self.constraint = keras.constraints.get(constraint)

    def build(self, input_shape):
        self.gain = self.add_weight(name="gain", shape=input_shape[1:], initializer="ones",
                                    regularizer=keras.regularizers.L1(0.1), constraint=self.constraint)
        super().build(input_shape)

    def call(self, x):
        return x * self.gain * self.factor

    def compute_output_shape(self, input_shape):
        return input_shape

    def get_config(self):
        return {**super().get_config(), "factor": self.factor,
                "constraint": keras.constraints.serialize(self.constraint)}


model = keras.Sequential([keras.Input((4,)), Scale(2.0, "non_neg", name="scale"), layers.Dense(1, use_bias=False)])
model.layers[1].set_weights([np.ones((4, 1))])
model.compile("sgd", "mse")
history = model.fit(-np.ones((8, 4)), np.full(8, 9.0), epochs=4, batch_size=8, verbose=0)
report("constrained", history.history["loss"])
report("gain", model.layers[0].gain.numpy())
model.save("scale.keras")
again = keras.models.load_model("scale.keras")
report("registered", again.get_layer("scale").factor)
report("same", again.predict(np.ones((1, 4)), verbose=0))


class MaskedMean(layers.Layer):
    def __init__(self):
        super().__init__()
        self.supports_masking = True

    def call(self, inputs, mask=None):
        if mask is None:
            return tf.reduce_mean(inputs, axis=1)
        mask = tf.cast(mask, inputs.dtype)[:, :, tf.newaxis]
        return tf.reduce_sum(inputs * mask, axis=1) / tf.reduce_sum(mask, axis=1)

    def compute_mask(self, inputs, mask=None):
        return None


inputs = keras.Input((5,), dtype="int32")
embedded = layers.Embedding(7, 3, mask_zero=True)(inputs)
model = same_weights(keras.Model(inputs, MaskedMean()(embedded)))
report("masked", model.predict(np.array([[1, 2, 0, 0, 0], [3, 4, 5, 6, 1]]), verbose=0))
masking = layers.Masking(mask_value=0.0)
report("mask", masking.compute_mask(tf.constant([[[1.0, 2.0], [0.0, 0.0]]])))
lstm = layers.LSTM(3, kernel_initializer="ones", recurrent_initializer="zeros")
report("lstm_mask", lstm(masking(tf.constant([[[1.0, 2.0], [0.0, 0.0]]]))))
report("counted", [MaskedMean().count_params() if MaskedMean().built else 0])
