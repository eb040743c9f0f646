"""Fuel consumption from a table: normalization, linear and deep regression."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

from _same import report, same_weights

random = np.random.default_rng(0)
features = random.uniform(0, 1, (160, 4)) * [8, 400, 200, 5000] + [0, 60, 40, 1500]
mileage = 45 - 0.006 * features[:, 3] - 0.03 * features[:, 2] + random.normal(0, 0.5, 160)
train_features, test_features = features[:128], features[128:]
train_labels, test_labels = mileage[:128], mileage[128:]

normalizer = layers.Normalization(axis=-1)
normalizer.adapt(np.array(train_features))
report("mean", normalizer.mean.numpy())
report("normalized", normalizer(train_features[:3]).numpy(), atol=1e-4)  # thousands minus thousands

horsepower_normalizer = layers.Normalization(input_shape=[1, ], axis=None)
horsepower_normalizer.adapt(train_features[:, 2])
horsepower_model = tf.keras.Sequential([horsepower_normalizer, layers.Dense(units=1)])
same_weights(horsepower_model)
horsepower_model.compile(optimizer=tf.keras.optimizers.Adam(learning_rate=0.1),
                         loss="mean_absolute_error")
history = horsepower_model.fit(train_features[:, 2], train_labels, epochs=5, verbose=0,
                               validation_split=0.2, shuffle=False)
report("horsepower", history.history)


def build_and_compile_model(norm):
    model = keras.Sequential([
        norm,
        layers.Dense(64, activation="relu"),
        layers.Dense(64, activation="relu"),
        layers.Dense(1),
    ])
    model.build((None, 4))
    same_weights(model)
    model.compile(loss="mean_absolute_error", optimizer=tf.keras.optimizers.Adam(0.001),
                  metrics=["mse", keras.metrics.RootMeanSquaredError()])
    return model


dnn_model = build_and_compile_model(normalizer)
dnn_model.summary()
history = dnn_model.fit(train_features, train_labels, validation_split=0.2, verbose=0, epochs=5,
                        shuffle=False)
report("deep", history.history)
report("test", dnn_model.evaluate(test_features, test_labels, verbose=0))
report("predictions", dnn_model.predict(test_features).flatten())
