"""Losses as classes, functions, names and classes of one's own, with every reduction."""

import keras
import numpy as np
import tensorflow as tf

from _same import report, same_weights

y_true = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], dtype="float32")
y_pred = np.array([[0.05, 0.9, 0.05], [0.1, 0.7, 0.2], [0.6, 0.3, 0.1]], dtype="float32")
labels = np.array([1, 2, 0])
weights = np.array([1.0, 0.5, 2.0])

report("cce", keras.losses.CategoricalCrossentropy()(y_true, y_pred).numpy())
cce = keras.losses.CategoricalCrossentropy()
report("cce_weighted", cce(y_true, y_pred, sample_weight=weights))
report("cce_smooth", keras.losses.CategoricalCrossentropy(label_smoothing=0.1)(y_true, y_pred))
report("cce_sum", keras.losses.CategoricalCrossentropy(reduction="sum")(y_true, y_pred))
report("cce_none", keras.losses.CategoricalCrossentropy(reduction=None)(y_true, y_pred))
report("scce", keras.losses.SparseCategoricalCrossentropy()(labels, y_pred))
report("bce", keras.losses.BinaryCrossentropy(from_logits=True)(y_true, y_pred * 4 - 2))
report("mse", keras.losses.MeanSquaredError()(y_true, y_pred))
report("huber", keras.losses.Huber(delta=0.3)(y_true, y_pred))
report("cosine", keras.losses.CosineSimilarity(axis=-1)(y_true, y_pred))
report("hinge", keras.losses.Hinge()(y_true * 2 - 1, y_pred))
report("kl", keras.losses.KLDivergence()(y_true, y_pred))
report("log_cosh", keras.losses.LogCosh()(y_true, y_pred))
report("poisson", keras.losses.Poisson()(y_true, y_pred))
report("focal", keras.losses.BinaryFocalCrossentropy(gamma=2)(y_true, y_pred))

report("f_mse", keras.losses.mean_squared_error(y_true, y_pred))
report("f_mae", keras.losses.mean_absolute_error(y_true, y_pred))
report("f_cce", keras.losses.categorical_crossentropy(y_true, y_pred))
report("f_scce", keras.losses.sparse_categorical_crossentropy(labels, y_pred))
report("f_bce", keras.losses.binary_crossentropy(y_true, y_pred))
report("m_mae", keras.metrics.mean_absolute_error(y_true, y_pred))
report("m_mse", keras.metrics.mean_squared_error(y_true, y_pred))
report("got", keras.losses.get("mse")(y_true, y_pred))
report("logits", tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=y_pred))
report("sigmoid", tf.nn.sigmoid_cross_entropy_with_logits(labels=y_true, logits=y_pred))
report("softmax", tf.nn.softmax_cross_entropy_with_logits(labels=y_true, logits=y_pred))


class CustomMSE(keras.losses.Loss):
    def __init__(self, regularization_factor=0.1, name="custom_mse"):
        super().__init__(name=name)
        self.regularization_factor = regularization_factor

    def call(self, y_true, y_pred):
        mse = tf.math.reduce_mean(tf.square(y_true - y_pred), axis=-1)
        reg = tf.math.reduce_mean(tf.square(0.5 - y_pred), axis=-1)
        return mse + reg * self.regularization_factor


def huber_fn(y_true, y_pred):
    error = y_true - y_pred
    is_small_error = tf.abs(error) < 1
    return tf.where(is_small_error, tf.square(error) / 2, tf.abs(error) - 0.5)


report("custom", CustomMSE()(y_true, y_pred))
x = np.cos(np.arange(40)).reshape(20, 2).astype("float32")
for name, loss in (("class", CustomMSE(0.2)), ("function", huber_fn)):
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(3)])
    same_weights(model)
    model.compile(optimizer="sgd", loss=loss)
    history = model.fit(x, x @ np.ones((2, 3), "float32"), epochs=2, shuffle=False, verbose=0)
    report(name, history.history["loss"])
    report(name + "_weights", model.get_weights())
