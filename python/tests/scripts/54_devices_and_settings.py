"""What scripts set before they begin: devices, seeds, loggers, strategies, precision."""

import logging
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import mixed_precision

from _same import report, report_shape, same_weights

tf.get_logger().setLevel("ERROR")
logging.getLogger("tensorflow").setLevel(logging.ERROR)
tf.random.set_seed(42)
np.random.seed(42)
keras.utils.set_random_seed(42)

print("Num GPUs Available: ", len(tf.config.list_physical_devices("GPU")))
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    try:
        for gpu in gpus:
            tf.config.experimental.set_memory_growth(gpu, True)
    except RuntimeError as e:
        print(e)
tf.config.set_soft_device_placement(True)
report("gpus", len(gpus))
report("cpus", len(tf.config.list_physical_devices("CPU")) > 0)
report("versions", [tf.__version__.split(".")[0], keras.__version__.split(".")[0]])

with tf.device("/CPU:0"):
    a = tf.random.uniform((4, 3), minval=2.0, maxval=5.0)
    b = tf.random.normal([4, 3], mean=100.0, stddev=0.001)
report_shape("uniform", a)
report("in_range", [bool(tf.reduce_min(a) >= 2.0), bool(tf.reduce_max(a) < 5.0)])
report("near", bool(tf.reduce_all(tf.abs(b - 100.0) < 0.1)))
tf.random.set_seed(7)
first = tf.random.uniform([3])
tf.random.set_seed(7)
report("same_seed", bool(tf.reduce_all(first == tf.random.uniform([3]))))
report_shape("integers", tf.random.uniform((5,), maxval=10, dtype=tf.int32))
report_shape("truncated", tf.random.truncated_normal([6]))
report("shuffled", np.sort(tf.random.shuffle(tf.range(6)).numpy()))

strategy = tf.distribute.MirroredStrategy()
report("replicas", strategy.num_replicas_in_sync)
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(3, activation="relu", input_shape=(4,)),
                              keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
same_weights(model)
x = np.sin(np.arange(48)).reshape(12, 4)
history = model.fit(x, x.sum(axis=1), epochs=2, batch_size=4, shuffle=False, verbose=0)
report("loss", history.history["loss"])

mixed_precision.set_global_policy("mixed_float16")
report("policy", mixed_precision.global_policy().name)
half = keras.Sequential([keras.layers.Dense(4, activation="relu"),
                         keras.layers.Dense(1, dtype="float32")])
report("half", half(x).shape)
report("dtype", half(x).dtype.name)
mixed_precision.set_global_policy("float32")

try:
    tf.constant([[1.0, 2.0]]) @ tf.constant([[1.0, 2.0]])
except tf.errors.InvalidArgumentError as error:
    report("caught", True)
    print("caught:", error)
try:
    model(np.ones((2, 7)))
except ValueError as error:
    report("value_error", True)
keras.backend.set_floatx("float32")
report("format", [keras.backend.floatx(), keras.backend.image_data_format()])
tf.keras.backend.clear_session()
