"""Metrics asked by hand: update, result, reset, weights, and one as a class."""

import keras
import numpy as np
import tensorflow as tf

from _same import report, same_weights

y_true = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0]], dtype="float32")
y_pred = np.array([[0.1, 0.8, 0.1], [0.2, 0.5, 0.3], [0.6, 0.3, 0.1], [0.3, 0.3, 0.4]], "float32")
labels = np.argmax(y_true, axis=1)

for metric in (keras.metrics.CategoricalAccuracy(), keras.metrics.BinaryAccuracy(threshold=0.4),
               keras.metrics.MeanAbsoluteError(), keras.metrics.RootMeanSquaredError(),
               keras.metrics.TopKCategoricalAccuracy(k=2), keras.metrics.CosineSimilarity(),
               keras.metrics.CategoricalCrossentropy(), keras.metrics.AUC(),
               keras.metrics.Precision(), keras.metrics.Recall(), keras.metrics.KLDivergence(),
               keras.metrics.F1Score(average="macro", threshold=0.5)):
    metric.update_state(y_true[:2], y_pred[:2])
    first = np.array(metric.result())
    metric.update_state(y_true[2:], y_pred[2:])
    report(metric.name, [first, np.array(metric.result())])

sparse = keras.metrics.SparseCategoricalAccuracy()
sparse.update_state(labels, y_pred, sample_weight=[1, 0, 1, 3])
report("sparse", sparse.result().numpy())
top = keras.metrics.SparseTopKCategoricalAccuracy(k=2)
top.update_state(labels, y_pred)
report("top", float(top.result()))

mean = keras.metrics.Mean()
for value in (1, 3, 5, 7):
    mean(value)
report("mean", float(mean.result()))
mean.reset_state()
mean.update_state([1, 3, 5, 7], sample_weight=[1, 1, 0, 0])
report("mean_weighted", mean.result())
total = keras.metrics.Sum()
total.update_state([1.5, 2.5])
report("sum", float(total.result()))
iou = keras.metrics.MeanIoU(num_classes=3)
iou.update_state([0, 0, 1, 2], [0, 1, 1, 2])
report("iou", float(iou.result()))


class CategoricalTruePositives(keras.metrics.Metric):
    def __init__(self, name="categorical_true_positives", **kwargs):
        super().__init__(name=name, **kwargs)
        self.true_positives = self.add_weight(name="ctp", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        y_pred = tf.reshape(tf.argmax(y_pred, axis=1), shape=(-1, 1))
        values = tf.cast(tf.reshape(y_true, (-1, 1)), "int32") == tf.cast(y_pred, "int32")
        values = tf.cast(values, "float32")
        if sample_weight is not None:
            values = tf.multiply(values, tf.cast(sample_weight, "float32"))
        self.true_positives.assign_add(tf.reduce_sum(values))

    def result(self):
        return self.true_positives

    def reset_state(self):
        self.true_positives.assign(0.0)


own = CategoricalTruePositives()
own.update_state(labels, y_pred)
report("own", float(own.result()))


def mean_pred(y_true, y_pred):
    return tf.reduce_mean(y_pred)


x = np.sin(np.arange(60)).reshape(20, 3)
model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(3, activation="softmax")])
same_weights(model)
model.compile("sgd", "sparse_categorical_crossentropy",
              metrics=[CategoricalTruePositives(), mean_pred, "accuracy"])
history = model.fit(x, np.argmax(x, axis=1), epochs=3, batch_size=10, shuffle=False, verbose=0)
report("history", history.history)
report("matrix", tf.math.confusion_matrix(labels, np.argmax(y_pred, axis=1)))
