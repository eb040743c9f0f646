"""The package trains a model where NumPy is the only other package."""
import importlib.metadata

import numpy as np

installed = {each.name.lower() for each in importlib.metadata.distributions()} - {"pip", "setuptools", "wheel"}
assert installed == {"numpy", "plimsoll"}, f"expected NumPy and plimsoll alone, found {sorted(installed)}"

import plimsoll.tensorflow as tf  # noqa: E402

model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2)])
model.compile("adam", "mse", metrics=["mae"])
data = tf.data.Dataset.from_tensor_slices((np.ones((64, 4)), np.ones((64, 2)))).batch(16)
losses = model.fit(data, epochs=3, verbose=2).history["loss"]
assert losses[-1] < losses[0], losses
model.save("only_numpy.keras")
assert tf.keras.models.load_model("only_numpy.keras").predict(data, verbose=0).shape == (64, 2)
