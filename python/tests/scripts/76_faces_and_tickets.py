"""Many inputs and outputs: losses by name, lists and dictionaries, weights of losses, sample weights per output."""

import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import (BatchNormalization, Concatenate, Conv2D, Dense, Dropout, Embedding, Flatten,
                                     GlobalAveragePooling2D, Input, LSTM, MaxPooling2D, concatenate)
from tensorflow.keras.models import Model
from tensorflow.keras.utils import plot_model, to_categorical

from _same import report, same_weights

rng = np.random.default_rng(0)
images = rng.random((30, 12, 12, 3)).astype("float32")
ages = rng.uniform(0, 1, 30).astype("float32")
genders = rng.integers(0, 2, 30)
races = to_categorical(rng.integers(0, 4, 30), 4)


def branch(inputs, units, activation, name):
    x = Conv2D(4, (3, 3), padding="same", activation="relu")(inputs)
    x = BatchNormalization(axis=-1)(x)
    x = MaxPooling2D(pool_size=(3, 3))(x)
    x = Flatten()(x)
    x = Dense(8, activation="relu")(x)
    return Dense(units, activation=activation, name=name)(x)


def build():
    inputs = Input(shape=(12, 12, 3), name="face")
    model = Model(inputs=inputs, outputs=[branch(inputs, 1, "linear", "age_output"),
                                          branch(inputs, 4, "softmax", "race_output"),
                                          branch(inputs, 1, "sigmoid", "gender_output")], name="face_net")
    return same_weights(model)


model = build()
model.compile(optimizer=tf.keras.optimizers.Adam(learning_rate=1e-3),
              loss={"age_output": "mse", "race_output": "categorical_crossentropy",
                    "gender_output": "binary_crossentropy"},
              loss_weights={"age_output": 4.0, "race_output": 1.5, "gender_output": 0.1},
              metrics={"age_output": "mae", "race_output": "accuracy", "gender_output": ["accuracy", "mse"]})
report("output_names", model.output_names)


def generate(batch_size=10):
    while True:
        for i in range(0, 30, batch_size):
            part = slice(i, i + batch_size)
            yield images[part], (ages[part], races[part], genders[part])


history = model.fit(generate(), steps_per_epoch=3, epochs=2, verbose=0, validation_data=(images[:10], (ages[:10], races[:10], genders[:10])))
report("by_name", history.history, atol=1e-3)
report("keys", sorted(history.history.keys()))
age_pred, race_pred, gender_pred = model.predict(images, verbose=0)
report("shapes", np.array([age_pred.shape, race_pred.shape, gender_pred.shape]))
report("predicted", age_pred[:3], atol=1e-3)
scores = model.evaluate(images, [ages, races, genders], verbose=0)
report("scores", scores, atol=1e-3)

model = build()
model.compile("sgd", loss=["mse", "categorical_crossentropy", "binary_crossentropy"], loss_weights=[1, 0.5, 0.2])
history = model.fit(images, [ages, races, genders], batch_size=10,
                    shuffle=False, verbose=0,
                    sample_weight=[np.linspace(0, 1, 30), np.ones(30), np.linspace(1, 0, 30)])
report("weighted", history.history, atol=1e-4)

title_input = Input(shape=(None,), name="title")
body_input = Input(shape=(None,), name="body")
tags_input = Input(shape=(5,), name="tags")
title_features = Embedding(20, 6)(title_input)
body_features = Embedding(20, 6, mask_zero=True)(body_input)
title_features = LSTM(6)(title_features)
body_features = LSTM(4)(body_features)
x = concatenate([title_features, body_features, tags_input])
priority = Dense(1, name="priority")(x)
department = Dense(3, name="department")(x)
tickets = same_weights(Model(inputs=[title_input, body_input, tags_input],
                             outputs={"priority": priority, "department": department}))
title = rng.integers(0, 20, (24, 7))
body = rng.integers(1, 20, (24, 9))
body[:, 6:] = 0
tags = rng.integers(0, 2, (24, 5)).astype("float32")
tickets.compile(optimizer=tf.keras.optimizers.SGD(0.1),
                loss={"priority": tf.keras.losses.BinaryCrossentropy(from_logits=True),
                      "department": tf.keras.losses.CategoricalCrossentropy(from_logits=True)},
                loss_weights={"priority": 1.0, "department": 0.2}, metrics={"department": ["acc"]})
targets = {"priority": rng.random((24, 1)), "department": to_categorical(rng.integers(0, 3, 24), 3)}
history = tickets.fit({"title": title, "body": body, "tags": tags}, targets, epochs=2, batch_size=8, shuffle=False,
                      verbose=0)
report("tickets", history.history, atol=1e-4)
dataset = tf.data.Dataset.from_tensor_slices(({"title": title, "body": body, "tags": tags}, targets)).batch(8)
report("evaluated", tickets.evaluate(dataset, return_dict=True, verbose=0), atol=1e-4)
predicted = tickets.predict({"title": title[:2], "body": body[:2], "tags": tags[:2]}, verbose=0)
report("predicted_names", sorted(predicted))
report("department", predicted["department"], atol=1e-4)
called = tickets([title[:2], body[:2], tags[:2]])
report("called", called["priority"], atol=1e-4)
single = tickets.train_on_batch({"title": title, "body": body, "tags": tags}, targets, return_dict=True)
report("single", {k: float(v) for k, v in single.items()}, atol=1e-4)
try:
    plot_model(tickets, "tickets.png", show_shapes=True)
except ImportError as error:
    print(error)
middle = Model(inputs=tickets.input, outputs=tickets.get_layer("department").output)
report("middle", np.array(middle.predict([title, body, tags], verbose=0).shape))
