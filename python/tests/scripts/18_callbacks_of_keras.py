"""Keras's own callbacks together: stopping early, the best file, plateaus, schedules, a log."""

import os

import numpy as np
import tensorflow as tf
from tensorflow.keras.callbacks import (CSVLogger, EarlyStopping, LambdaCallback,
                                        LearningRateScheduler, ModelCheckpoint, ReduceLROnPlateau,
                                        TerminateOnNaN)
from tensorflow.keras.layers import Dense
from tensorflow.keras.models import Sequential, load_model

from _same import report, same_weights

random = np.random.default_rng(0)
x = random.normal(size=(80, 6)).astype("float32")
y = np.sin(x.sum(axis=1, keepdims=True)).astype("float32")


def new_model():
    model = Sequential([Dense(24, activation="relu", input_shape=(6,)), Dense(1)])
    same_weights(model)
    model.compile(loss="mean_squared_error", optimizer=tf.keras.optimizers.Adam(0.03),
                  metrics=["mae"])
    return model


def scheduler(epoch, lr):
    if epoch < 2:
        return lr
    return float(lr * tf.math.exp(-0.1))


model = new_model()
seen = []
callbacks = [
    EarlyStopping(monitor="val_loss", patience=2, restore_best_weights=True, verbose=1),
    ModelCheckpoint("best.keras", monitor="val_loss", save_best_only=True, verbose=1),
    CSVLogger("training.csv", separator=",", append=False),
    LearningRateScheduler(scheduler),
    LambdaCallback(on_epoch_end=lambda epoch, logs: seen.append(epoch)),
    TerminateOnNaN(),
]
history = model.fit(x, y, epochs=12, batch_size=16, validation_split=0.25, shuffle=False,
                    callbacks=callbacks, verbose=0)
report("history", history.history)
report("seen", seen)
report("weights", model.get_weights())
best = load_model("best.keras")
report("best", best.predict(x[:5], verbose=0))
with open("training.csv") as log:
    lines = log.read().splitlines()
report("csv_header", lines[0])
report("csv_rows", len(lines) - 1)

model = new_model()
reduce_lr = ReduceLROnPlateau(monitor="val_loss", factor=0.5, patience=1, min_lr=0.001, verbose=1)
checkpoint = ModelCheckpoint(filepath="weights-{epoch:02d}.weights.h5", save_weights_only=True)
history = model.fit(x, y, epochs=8, batch_size=20, validation_data=(x[:20], -y[:20]), shuffle=False,
                    callbacks=[reduce_lr, checkpoint], verbose=0)
report("rates", history.history["learning_rate"])
report("files", sorted(name for name in os.listdir(".") if name.endswith(".weights.h5")))
model.load_weights("weights-03.weights.h5")
report("third_epoch", model.evaluate(x, y, verbose=0))
