"""Gradients with a norm above 1 are clipped, with layers and epochs where the text has dots."""

# ---- prelude ----
# The text leaves open the data.
import numpy as np

X_train = np.random.default_rng(0).normal(size=(64, 8)) * 100
y_train = X_train.sum(axis=1)

# ---- the text, its imports changed ----
import plimsoll.tensorflow as tf

optimizer = tf.keras.optimizers.Adam(clipnorm=1.0) #Clips gradients with norm above 1.0

model = tf.keras.models.Sequential([
    tf.keras.layers.Dense(16, activation='relu'),
    tf.keras.layers.Dense(1)
])

model.compile(optimizer=optimizer, loss='mse')

model.fit(X_train, y_train, epochs=10)
