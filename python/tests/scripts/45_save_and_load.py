"""A model saved and loaded in every format, its weights alone, its architecture alone, a clone."""

import os

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras.layers import BatchNormalization, Conv2D, Dense, Flatten
from tensorflow.keras.models import Sequential, clone_model, load_model, model_from_json

from _same import report, same_weights

images = np.sin(np.arange(24 * 8 * 8 * 2)).reshape(24, 8, 8, 2).astype("float32")
labels = np.arange(24) % 3


def create_model():
    model = Sequential([
        Conv2D(4, 3, activation="relu", input_shape=(8, 8, 2), name="conv"),
        BatchNormalization(),
        Flatten(),
        Dense(3, activation="softmax", kernel_regularizer=keras.regularizers.l2(0.01)),
    ])
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


model = create_model()
same_weights(model)
model.fit(images, labels, epochs=2, batch_size=8, shuffle=False, verbose=0)
expected = model.predict(images, verbose=0)
report("expected", expected)

model.save("model.keras")
model.save("model.h5")
for name in ("model.keras", "model.h5"):
    loaded = load_model(name)
    report(name, loaded.predict(images, verbose=0))
    report(name + "_evaluate", loaded.evaluate(images, labels, verbose=0))
    if name.endswith(".h5"):
        loaded.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
    loaded.fit(images, labels, epochs=1, batch_size=8, shuffle=False, verbose=0)
    report(name + "_trained_on", loaded.get_weights())
loaded = tf.keras.models.load_model("model.keras", compile=False)
report("not_compiled", loaded(images[:2]))

model.save_weights("only.weights.h5")
other = create_model()
other.load_weights("only.weights.h5")
report("weights_file", other.predict(images, verbose=0))
other.set_weights([w * 0 for w in other.get_weights()])
report("zeros", other.predict(images[:2], verbose=0))

from_json = model_from_json(model.to_json())
from_json.set_weights(model.get_weights())
report("from_json", from_json.predict(images, verbose=0))
from_config = Sequential.from_config(model.get_config())
report("from_config", len(from_config.get_weights()))
clone = clone_model(model)
report("clone_is_new", bool(np.allclose(clone.get_weights()[0], model.get_weights()[0])))
clone.set_weights(model.get_weights())
report("clone", clone.predict(images, verbose=0))
report("files", sorted(name for name in os.listdir(".") if name.startswith(("model", "only"))))


@keras.utils.register_keras_serializable()
def doubled(x):
    return 2 * keras.activations.relu(x)


custom = Sequential([keras.Input((4,)), Dense(3, activation=doubled)])
same_weights(custom)
custom.save("custom.keras")
rows = np.cos(np.arange(20)).reshape(5, 4)
report("custom", load_model("custom.keras").predict(rows, verbose=0))
