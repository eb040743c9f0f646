"""Several inputs and outputs by name: losses, weights, metrics and samples' weights in dictionaries."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

from _same import report, same_weights

random = np.random.default_rng(0)
title = random.integers(0, 30, (48, 6))
tags = random.integers(0, 2, (48, 5)).astype("float32")
priority = (tags.sum(axis=1, keepdims=True) / 5).astype("float32")
department = (title.sum(axis=1) % 3).astype("int64")

title_input = keras.Input(shape=(6,), name="title", dtype="int32")
tags_input = keras.Input(shape=(5,), name="tags")
h = layers.Embedding(30, 4, embeddings_regularizer=keras.regularizers.L1(1e-3))(title_input)
h = layers.GlobalAveragePooling1D()(h)
h = layers.concatenate([h, layers.Dense(4, activation="swish",
                                        kernel_regularizer=keras.regularizers.l1_l2(1e-3, 1e-3))(
    tags_input)])
priority_pred = layers.Dense(1, name="priority", activation="sigmoid")(h)
department_pred = layers.Dense(3, name="department")(h)
model = keras.Model(inputs=[title_input, tags_input], outputs={"priority": priority_pred,
                                                               "department": department_pred})
same_weights(model)
model.compile(
    optimizer=keras.optimizers.SGD(0.1, momentum=0.5, nesterov=True),
    loss={"priority": keras.losses.BinaryCrossentropy(),
          "department": keras.losses.SparseCategoricalCrossentropy(from_logits=True)},
    loss_weights={"priority": 1.0, "department": 0.2},
    metrics={"priority": ["mae"], "department": ["accuracy"]})
inputs = {"title": title, "tags": tags}
targets = {"priority": priority, "department": department}
history = model.fit(inputs, targets, epochs=3, batch_size=16, shuffle=False, verbose=0)
report("history", history.history)
weights = {"priority": np.linspace(0.5, 1.5, 48), "department": np.ones(48)}
history = model.fit(inputs, targets, sample_weight=weights, epochs=2, batch_size=16, shuffle=False,
                    verbose=0)
report("weighted", history.history["loss"])
report("evaluate", model.evaluate(inputs, targets, verbose=0, return_dict=True))
report("predict", model.predict({"title": title[:3], "tags": tags[:3]}, verbose=0))
dataset = tf.data.Dataset.from_tensor_slices((inputs, targets)).batch(16)
history = model.fit(dataset, epochs=1, verbose=0)
report("dataset", history.history["loss"])
report("penalties", float(sum(model.losses)))
report("weights", model.get_weights())

x = random.normal(size=(40, 3)).astype("float32")
first, second = x.sum(axis=1, keepdims=True), (x[:, :1] > 0).astype("float32")
shared = keras.Input((3,))
h = layers.Dense(5, activation="tanh")(shared)
model = keras.Model(shared, [layers.Dense(1, name="value")(h),
                             layers.Dense(1, activation="sigmoid", name="sign")(h)])
same_weights(model)
model.compile("adam", loss=["mse", "binary_crossentropy"], loss_weights=[0.5, 2.0],
              metrics=[["mae"], ["accuracy"]])
history = model.fit(x, [first, second], epochs=2, batch_size=10, shuffle=False, verbose=0,
                    validation_data=(x[:10], [first[:10], second[:10]]))
report("lists", history.history)
report("outputs", model.predict(x[:2], verbose=0))
report("names", model.output_names)

single = keras.Sequential([keras.Input((3,)), layers.Dense(2, activation="softmax")])
same_weights(single)
single.compile("sgd", "sparse_categorical_crossentropy", weighted_metrics=["accuracy"])
labels = second[:, 0].astype("int64")
history = single.fit(x, labels, class_weight={0: 1.0, 1: 3.0}, epochs=2, batch_size=8, shuffle=False,
                     verbose=0)
report("class_weight", history.history["loss"])
sample_weight = np.where(labels == 1, 2.0, 0.5)
weighted = tf.data.Dataset.from_tensor_slices((x, labels, sample_weight)).batch(8)
history = single.fit(weighted, epochs=2, verbose=0)
report("three_parts", history.history)
report("tested", single.evaluate(x, labels, sample_weight=sample_weight, verbose=0))
