"""Metrics and losses of one's own: classes with weights, functions, wrappers, in compile and by hand."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import backend as K

from _same import report, same_weights


class BinaryTruePositives(tf.keras.metrics.Metric):
    def __init__(self, name="binary_true_positives", **kwargs):
        super().__init__(name=name, **kwargs)
        self.true_positives = self.add_weight(name="tp", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        y_true = tf.cast(y_true, tf.bool)
        y_pred = tf.cast(y_pred > 0.5, tf.bool)
        values = tf.logical_and(tf.equal(y_true, True), tf.equal(y_pred, True))
        values = tf.cast(values, self.dtype)
        if sample_weight is not None:
            sample_weight = tf.cast(sample_weight, self.dtype)
            sample_weight = tf.reshape(sample_weight, tf.shape(values))
            values = tf.multiply(values, sample_weight)
        self.true_positives.assign_add(tf.reduce_sum(values))

    def result(self):
        return self.true_positives

    def reset_state(self):
        self.true_positives.assign(0)


class F1Score(keras.metrics.Metric):
    def __init__(self, name="f1", **kwargs):
        super().__init__(name=name, **kwargs)
        self.precision = keras.metrics.Precision()
        self.recall = keras.metrics.Recall()

    def update_state(self, y_true, y_pred, sample_weight=None):
        self.precision.update_state(y_true, y_pred, sample_weight)
        self.recall.update_state(y_true, y_pred, sample_weight)

    def result(self):
        p, r = self.precision.result(), self.recall.result()
        return 2 * p * r / (p + r + K.epsilon())

    def reset_state(self):
        self.precision.reset_state()
        self.recall.reset_state()


class HuberLoss(keras.losses.Loss):
    def __init__(self, delta=1.0, name="my_huber", **kwargs):
        super().__init__(name=name, **kwargs)
        self.delta = delta

    def call(self, y_true, y_pred):
        error = tf.cast(y_true, y_pred.dtype) - y_pred
        small = tf.abs(error) <= self.delta
        return tf.where(small, tf.square(error) / 2, self.delta * (tf.abs(error) - 0.5 * self.delta))

    def get_config(self):
        return {**super().get_config(), "delta": self.delta}


def r2(y_true, y_pred):
    residual = K.sum(K.square(y_true - y_pred))
    total = K.sum(K.square(y_true - K.mean(y_true)))
    return 1 - residual / (total + K.epsilon())


def rmse(y_true, y_pred):
    return tf.sqrt(tf.reduce_mean(tf.square(y_pred - y_true)))


def quantile_loss(q):
    def loss(y_true, y_pred):
        e = y_true - y_pred
        return tf.reduce_mean(tf.maximum(q * e, (q - 1) * e), axis=-1)
    return loss


def weighted_bce(y_true, y_pred):
    y_pred = K.clip(y_pred, K.epsilon(), 1 - K.epsilon())
    bce = -(2.0 * y_true * K.log(y_pred) + (1 - y_true) * K.log(1 - y_pred))
    return K.mean(bce, axis=-1)


m = BinaryTruePositives()
m.update_state([0, 1, 1, 1], tf.constant([0, 1, 0, 0.7]))
print("Intermediate result:", float(m.result()))
report("intermediate", m.result())
m.update_state([1, 1, 1, 1], tf.constant([0.0, 1, 1, 0]), sample_weight=[1, 2, 3, 4])
report("final", float(m.result()))
m.reset_state()
report("reset", m.result().numpy())
report("variables", [len(m.variables), m.name])
f1 = F1Score()
f1([1, 1, 0, 0], [0.9, 0.2, 0.8, 0.1])
report("f1", f1.result())
huber = HuberLoss(0.5)
report("huber", [float(huber(tf.constant([1.0, 2.0]), tf.constant([1.2, 4.0]))), float(huber(np.array([[1.0], [2.0]]), tf.constant([[1.2], [4.0]]), sample_weight=tf.constant([1.0, 3.0])))])
none = HuberLoss(reduction="none")
report("none", none(tf.constant([[1.0, 2.0]]), tf.constant([[1.2, 4.0]])))
summed = HuberLoss(reduction="sum")
report("sum", summed(tf.constant([[1.0, 2.0]]), tf.constant([[1.2, 4.0]])))

rng = np.random.default_rng(3)
x = rng.normal(size=(60, 4)).astype("float32")
linear = x @ np.array([[1.0], [-2.0], [0.5], [0.0]], "float32")
binary = (linear > 0).astype("float32")


def network(activation=None):
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(6, "relu"), keras.layers.Dense(1, activation)])
    return same_weights(model)


model = network("sigmoid")
model.compile(optimizer="adam", loss=weighted_bce, metrics=[BinaryTruePositives(), F1Score(), "accuracy"])
history = model.fit(x, binary, epochs=3, batch_size=20, shuffle=False, verbose=0,
                    validation_data=(x[:10], binary[:10]))
report("binary", history.history, atol=1e-4)
report("metric_names", [metric.name for metric in model.metrics])
model = network()
model.compile("adam", HuberLoss(delta=0.8), metrics=[r2, rmse, "mse", keras.metrics.R2Score()])
history = model.fit(x, linear, epochs=2, batch_size=20, shuffle=False, verbose=0)
report("regression", history.history, atol=1e-3)
for q in (0.1, 0.9):
    model = network()
    model.compile("sgd", quantile_loss(q))
    report(f"quantile{q}", model.fit(x, linear, epochs=2, batch_size=30, shuffle=False, verbose=0).history["loss"])
model = network()
model.compile("sgd", lambda t, p: tf.reduce_mean(tf.abs(t - p)), metrics=[lambda t, p: tf.reduce_max(p)])
history = model.fit(x, linear, batch_size=30, shuffle=False, verbose=0).history
report("lambdas", [value for _, value in sorted(history.items())])
model = network("sigmoid")
model.compile("sgd", loss="binary_crossentropy", metrics=[], weighted_metrics=["accuracy", BinaryTruePositives()])
history = model.fit(x, binary, sample_weight=np.linspace(0, 2, 60), batch_size=30, shuffle=False, verbose=0).history
report("weighted", history, atol=1e-4)
scaled = keras.losses.get("mse")
report("got", float(tf.reduce_mean(scaled([[1.0]], [[3.0]]))))
report("functions", [float(keras.losses.MeanSquaredError(reduction="sum")([[1.0], [2.0]], [[3.0], [5.0]])),
                     float(keras.losses.kld([0.4, 0.6], [0.5, 0.5])),
                     float(keras.losses.cosine_similarity([1.0, 0.0], [0.5, 0.5]))])
mean = keras.metrics.Mean()
for value in [1, 3, 5, 7]:
    mean.update_state(value)
report("mean", mean.result())
meaned = keras.metrics.MeanMetricWrapper(fn=r2, name="wrapped")
meaned.update_state(tf.constant([1.0, 2.0, 3.0]), tf.constant([1.0, 2.0, 2.5]))
report("wrapped", meaned.result())
accuracy = keras.metrics.SparseTopKCategoricalAccuracy(k=2)
report("top_k", accuracy([2, 1], [[0.1, 0.6, 0.3], [0.05, 0.05, 0.9]]))
iou = keras.metrics.OneHotMeanIoU(num_classes=2)
report("iou", iou([[0, 1], [1, 0]], [[0.2, 0.8], [0.4, 0.6]]))
kappa = keras.metrics.FBetaScore(average="macro", beta=2.0, threshold=0.5)
report("fbeta", kappa(np.array([[1, 1], [0, 1]]), np.array([[0.9, 0.2], [0.8, 0.7]])))
