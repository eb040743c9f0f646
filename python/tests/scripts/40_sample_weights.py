"""A weight for each record, from arrays, from a Dataset and for each step of a sequence."""

import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Dense, SimpleRNN
from tensorflow.keras.models import Sequential

from _same import report, same_weights

x = np.cos(np.arange(240)).reshape(60, 4)
y = (x[:, 0] > 0).astype("int32") + (x[:, 1] > 0.5)
weight = np.where(y == 2, 3.0, 1.0)


def new_model():
    model = Sequential([Dense(10, activation="relu", input_shape=(4,)), Dense(3)])
    same_weights(model)
    model.compile(optimizer="sgd", weighted_metrics=["accuracy"],
                  loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model


model = new_model()
history = model.fit(x, y, sample_weight=weight, epochs=3, batch_size=20, shuffle=False, verbose=0)
report("arrays", history.history)
report("weighted", model.evaluate(x, y, sample_weight=weight, verbose=0))
report("unweighted", model.evaluate(x, y, verbose=0))

model = new_model()
dataset = tf.data.Dataset.from_tensor_slices((x, y, weight)).batch(20)
history = model.fit(dataset, epochs=3, verbose=0)
report("dataset", history.history)
report("train_on_batch", model.train_on_batch(x[:20], y[:20], sample_weight=weight[:20]))
report("test_on_batch", model.test_on_batch(x[:20], y[:20]))
report("predict_on_batch", model.predict_on_batch(x[:3]))
report("weights", model.get_weights())

steps = np.sin(np.arange(16 * 6 * 2)).reshape(16, 6, 2)
target = steps.sum(axis=2, keepdims=True)
temporal = np.tile(np.linspace(0, 1, 6), (16, 1))
recurrent = Sequential([SimpleRNN(5, return_sequences=True, input_shape=(6, 2)), Dense(1)])
same_weights(recurrent)
recurrent.compile("adam", "mse")
history = recurrent.fit(steps, target, sample_weight=temporal, epochs=3, batch_size=8,
                        shuffle=False, verbose=0)
report("temporal", history.history["loss"])
