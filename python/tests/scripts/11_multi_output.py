"""One body and two heads: losses, weights of losses and metrics by name."""

import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Dense, Input
from tensorflow.keras.models import Model
from tensorflow.keras.optimizers import Adam

from _same import report, same_weights

random = np.random.default_rng(0)
x = random.normal(size=(120, 8)).astype("float32")
age = 30 + 5 * x[:, :1] + x[:, 1:2]
kind = (x[:, 2] > 0).astype("int32") + (x[:, 3] > 0).astype("int32")

inputs = Input(shape=(8,), name="features")
body = Dense(16, activation="relu")(inputs)
body = Dense(16, activation="relu")(body)
age_output = Dense(1, name="age")(body)
kind_output = Dense(3, activation="softmax", name="kind")(body)
model = Model(inputs=inputs, outputs=[age_output, kind_output])
same_weights(model)

model.compile(
    optimizer=Adam(learning_rate=0.01),
    loss={"age": "mse", "kind": "sparse_categorical_crossentropy"},
    loss_weights={"age": 0.01, "kind": 1.0},
    metrics={"age": tf.keras.metrics.MeanAbsoluteError(), "kind": "accuracy"},
)
history = model.fit(x, {"age": age, "kind": kind}, epochs=4, batch_size=24, shuffle=False,
                    validation_split=0.2, verbose=0)
report("keys", sorted(history.history))
report("history", history.history)

dataset = tf.data.Dataset.from_tensor_slices((x, {"age": age, "kind": kind})).batch(40)
report("evaluate", model.evaluate(dataset, verbose=0, return_dict=True))
ages, kinds = model.predict(x[:6], verbose=0)
report("ages", ages)
report("kinds", kinds)
report("weights", model.get_weights())
