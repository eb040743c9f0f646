"""Rare cases with class weights, an initial bias, and the metrics that matter for them."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

from _same import report, same_weights

random = np.random.default_rng(0)
features = random.normal(size=(300, 10)).astype("float32")
labels = (features[:, 0] + features[:, 1] > 1.8).astype("int64")
neg, pos = np.bincount(labels)
total = neg + pos
report("counts", [neg, pos])
labels = labels.reshape(-1, 1)

METRICS = [
    keras.metrics.BinaryCrossentropy(name="cross entropy"),
    keras.metrics.MeanSquaredError(name="Brier score"),
    keras.metrics.TruePositives(name="tp"),
    keras.metrics.FalsePositives(name="fp"),
    keras.metrics.TrueNegatives(name="tn"),
    keras.metrics.FalseNegatives(name="fn"),
    keras.metrics.BinaryAccuracy(name="accuracy"),
    keras.metrics.Precision(name="precision"),
    keras.metrics.Recall(name="recall"),
    keras.metrics.AUC(name="auc"),
    keras.metrics.AUC(name="prc", curve="PR"),
]


def make_model(metrics=METRICS, output_bias=None):
    if output_bias is not None:
        output_bias = tf.keras.initializers.Constant(output_bias)
    model = keras.Sequential([
        keras.layers.Dense(16, activation="relu", input_shape=(features.shape[-1],)),
        keras.layers.Dense(1, activation="sigmoid", bias_initializer=output_bias),
    ])
    model.compile(optimizer=keras.optimizers.Adam(learning_rate=1e-3),
                  loss=keras.losses.BinaryCrossentropy(), metrics=metrics)
    return model


initial_bias = np.log([pos / neg])
model = make_model(output_bias=initial_bias)
report("bias", model.layers[-1].bias.numpy())
same_weights(model)
class_weight = {0: (1 / neg) * (total / 2.0), 1: (1 / pos) * (total / 2.0)}
history = model.fit(features, labels, batch_size=60, epochs=4, shuffle=False, verbose=0,
                    class_weight=class_weight, validation_data=(features[:100], labels[:100]))
report("history", history.history)
results = model.evaluate(features, labels, batch_size=100, verbose=0)
for name, value in zip(model.metrics_names, results):
    print(name, ": ", value)
report("results", results)
report("weights", model.get_weights())
