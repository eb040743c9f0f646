"""Cross-validation with copies of a model, averages of weights and of predictions, two stages."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.keras.utils import normalize, to_categorical

from _same import report, same_weights

random = np.random.default_rng(0)
x = normalize(random.normal(size=(60, 4)), axis=1).astype("float32")
labels = np.argmax(x @ random.normal(size=(4, 3)), axis=1)
y = to_categorical(labels, num_classes=3)


def build_model(units=8, rate=0.05):
    model = keras.Sequential()
    model.add(keras.Input((4,)))
    model.add(layers.Dense(units, kernel_initializer=keras.initializers.HeNormal(seed=1)))
    model.add(layers.PReLU())
    model.add(layers.BatchNormalization(momentum=0.9))
    model.add(layers.Dense(3, activation="softmax"))
    model.compile(loss="categorical_crossentropy", optimizer=keras.optimizers.Adam(rate),
                  metrics=["accuracy", keras.metrics.Precision(), keras.metrics.AUC(num_thresholds=50)])
    return model


template = build_model()
same_weights(template)
initial = template.get_weights()
folds = np.array_split(np.arange(60), 3)
scores, finals = [], []
for held_out in folds:
    rest = np.setdiff1d(np.arange(60), held_out)
    model = build_model()
    model.set_weights(initial)
    model.fit(x[rest], y[rest], epochs=3, batch_size=10, shuffle=False, verbose=0)
    scores.append(model.evaluate(x[held_out], y[held_out], verbose=0)[:2])
    finals.append(model)
report("scores", np.array(scores))
report("mean", np.mean(scores, axis=0))
predictions = np.mean([model.predict(x, verbose=0) for model in finals], axis=0)
report("ensemble", predictions[:5])
report("confusion", tf.math.confusion_matrix(labels, np.argmax(predictions, axis=1)))

averaged = [np.mean(group, axis=0) for group in zip(*(model.get_weights() for model in finals))]
template.set_weights(averaged)
report("averaged", template.evaluate(x, y, verbose=0, return_dict=True)["loss"])

copies = [keras.models.clone_model(finals[0]) for _ in range(2)]
report("copies", [len(copy.get_weights()) for copy in copies])
for copy in copies:
    copy.set_weights(finals[0].get_weights())
    copy.compile("sgd", "categorical_crossentropy")
first = copies[0].fit(x, y, epochs=1, batch_size=20, shuffle=False, verbose=0).history["loss"]
second = [copies[1].train_on_batch(x[i:i + 20], y[i:i + 20]) for i in range(0, 60, 20)]
report("same_steps", [copies[0].get_weights()[0], copies[1].get_weights()[0]])
report("first", first)
report("last_batch", float(np.ravel(second[-1])[0]))

inputs = keras.Input((4,))
members = [model(inputs) for model in finals]
ensemble = keras.Model(inputs, layers.Average()(members))
report("as_a_model", ensemble.predict(x[:5], verbose=0))
for model in finals:
    model.trainable = False
stacked = keras.Model(inputs, layers.Dense(3, activation="softmax", name="meta")(
    layers.Concatenate()(members)))
head = stacked.get_layer("meta")
head.set_weights([np.ones(head.kernel.shape) * 0.1, np.zeros(3)])
stacked.compile("sgd", "categorical_crossentropy", metrics=["accuracy"])
report("trained", len(stacked.trainable_variables))
history = stacked.fit(x, y, epochs=2, batch_size=20, shuffle=False, verbose=0)
report("stacked", history.history)
report("head", head.get_weights())


class LossHistory(keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        self.losses = []

    def on_train_batch_end(self, batch, logs=None):
        self.losses.append(logs.get("loss"))


recorder = LossHistory()
model = build_model()
model.set_weights(initial)
history = model.fit(
    x, y, epochs=6, batch_size=20, shuffle=False, verbose=0, validation_split=0.2,
    callbacks=[recorder, keras.callbacks.EarlyStopping(monitor="val_loss", mode="min", min_delta=0.05,
                                                       patience=1, start_from_epoch=1),
               keras.callbacks.ReduceLROnPlateau(factor=0.5, patience=0, min_delta=0.05)])
report("epochs", len(history.history["loss"]))
report("batches", recorder.losses)
report("rate", float(model.optimizer.learning_rate))
report("validation", history.history["val_loss"])
