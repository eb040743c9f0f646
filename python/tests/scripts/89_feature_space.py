"""Tables by keras.utils.FeatureSpace: every kind of feature, crosses, single rows, datasets, models and files."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.keras.utils import FeatureSpace

from _same import report, same_weights

rng = np.random.default_rng(4)
count = 40
table = {
    "age": rng.normal(50, 9, count).astype("float32"),
    "chol": rng.normal(240, 40, count).astype("float32"),
    "raw": rng.normal(0, 1, count).astype("float32"),
    "oldpeak": rng.uniform(0, 6, count).astype("float32"),
    "ca": rng.integers(0, 4, count),
    "visits": rng.integers(0, 999, count),
    "thal": rng.choice(["fixed", "normal", "reversible", "?"], count),
    "city": rng.choice(["Bonn", "Köln", "Ulm"], count),
    "note": rng.choice(["no pain", "some pain", "pain at rest"], count),
}
target = (table["ca"] > 1).astype("int64")


def kinds():
    return {
        "thal": FeatureSpace.string_categorical(num_oov_indices=2),
        "age": "float_normalized",
        "chol": FeatureSpace.float_rescaled(scale=0.01, offset=-1.0),
        "raw": "float",
        "oldpeak": FeatureSpace.float_discretized(num_bins=4),
        "ca": "integer_categorical",
        "visits": FeatureSpace.integer_hashed(num_bins=6),
        "city": "string_hashed",
        "note": FeatureSpace.feature(
            dtype="string", preprocessor=layers.Hashing(num_bins=4, salt=17), output_mode="one_hot"),
    }


def rows(first, last):
    return {name: column[first:last] for name, column in table.items()}


train_ds = tf.data.Dataset.from_tensor_slices((rows(0, 32), target[:32])).batch(8)
crosses = [("thal", "ca"), FeatureSpace.cross(("city", "ca"), crossing_dim=7)]
space = FeatureSpace(kinds(), crosses=crosses, crossing_dim=5, hashing_dim=3)
space.adapt(train_ds.map(lambda x, y: x))
report("vector", space(rows(30, 40)))
report("row", space({name: column[3] for name, column in table.items()}))
report("words", space.preprocessors["thal"].get_vocabulary())
report("mapped", [x for x, _ in train_ds.map(lambda x, y: (space(x), y))])
report("bins", space.crossers["city_X_ca"].num_bins)

x = layers.Dense(8, activation="relu")(space.get_encoded_features())
model = keras.Model(space.get_inputs(), layers.Dense(1, activation="sigmoid")(x))
same_weights(model)
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
report("loss", model.fit(train_ds, epochs=3, verbose=0).history["loss"])
report("predictions", model.predict(tf.data.Dataset.from_tensor_slices(rows(32, 40)).batch(4), verbose=0))

space.save("space.keras")
again = keras.models.load_model("space.keras")
report("again", again(rows(30, 40)))
report("features", sorted(again.features))

numbers = FeatureSpace(
    {
        "thal": FeatureSpace.string_categorical(output_mode="int"),
        "ca": FeatureSpace.integer_categorical(max_tokens=3, output_mode="int"),
        "oldpeak": FeatureSpace.float_discretized(num_bins=3, output_mode="int"),
        "raw": "float",
    },
    crosses=[FeatureSpace.cross(("thal", "ca"), crossing_dim=9, output_mode="int")],
    output_mode="dict",
)
numbers.adapt({name: table[name] for name in numbers.features})
report("numbers", {name: value for name, value in numbers({k: table[k] for k in numbers.features}).items()})
report("number_of_row", numbers({"thal": "normal", "ca": 2, "oldpeak": 1.5, "raw": 0.25}))
numbers.save("numbers.keras")
report("numbers_again", keras.models.load_model("numbers.keras")({k: table[k] for k in numbers.features}))

for name, wrong in {"empty": lambda: FeatureSpace({}), "kind": lambda: FeatureSpace({"a": "float64"}),
                    "unadapted": lambda: FeatureSpace({"a": "float_normalized"}).get_inputs(),
                    "unknown": lambda: FeatureSpace({"a": "float"}, crosses=[("a", "b")])}.items():
    try:
        wrong()
    except ValueError:
        report(f"refused.{name}", True)
