"""A run with TensorBoard's callback, in a folder named as in every notebook."""

import os

import numpy as np
import tensorflow as tf
from tensorflow.keras.callbacks import EarlyStopping, TensorBoard

from _same import report, same_weights

x = np.arange(64, dtype="float32").reshape(16, 4) / 64
y = (x.sum(axis=1) > 1.9).astype("float32")

model = tf.keras.models.Sequential([
    tf.keras.layers.Dense(8, activation="relu", input_shape=(4,)),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
same_weights(model)
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])

log_dir = os.path.join("logs", "fit", "run-1")
tensorboard_callback = TensorBoard(log_dir=log_dir, histogram_freq=0)
history = model.fit(x, y, epochs=4, batch_size=8, shuffle=False, validation_data=(x, y), verbose=0,
                    callbacks=[tensorboard_callback, EarlyStopping(patience=3)])
report("history", history.history)
report("runs", sorted(name for name in os.listdir(log_dir) if name in ("train", "validation")))
files = [name for name in os.listdir(os.path.join(log_dir, "train"))]
report("event_files", [len(files), all("tfevents" in name for name in files)])

with tf.summary.create_file_writer("logs/own").as_default():
    for step in range(3):
        tf.summary.scalar("squares", step * step, step=step)
report("own", len(os.listdir("logs/own")))
report("weights", model.get_weights())
