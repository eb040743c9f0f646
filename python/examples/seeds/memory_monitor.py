"""A callback that prints how full the memory is after each epoch."""

# ---- prelude ----
# The text leaves open the model and the data, and needs a package that may not be there.
import sys
import types

import numpy as np

from plimsoll.tensorflow import keras


def virtual_memory():
    with open("/proc/meminfo") as file:
        kibibytes = {line.split(":")[0]: int(line.split()[1]) for line in file}
    free = kibibytes["MemAvailable"] / kibibytes["MemTotal"]
    return types.SimpleNamespace(percent=round(100 * (1 - free), 1))


try:
    import psutil
except ImportError:
    sys.modules["psutil"] = types.ModuleType("psutil")
    sys.modules["psutil"].virtual_memory = virtual_memory

X_train = np.random.default_rng(0).normal(size=(256, 20)).astype("float32")
y_train = X_train.sum(axis=1)
model = keras.Sequential([keras.Input((20,)), keras.layers.Dense(32, activation="relu"),
                          keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")

# ---- the text, its imports changed ----
import plimsoll.tensorflow as tf
import psutil #Requires installation: pip install psutil

#Monitor GPU memory usage after each epoch
def memory_monitor(epoch, logs):
    gpu_memory = psutil.virtual_memory().percent
    print(f"GPU memory usage after epoch {epoch + 1}: {gpu_memory}%")

callbacks = [tf.keras.callbacks.LambdaCallback(on_epoch_end=memory_monitor)]

model.fit(X_train, y_train, epochs=10, callbacks=callbacks)
