"""A CSV file fetched, read by lines and by columns, and turned into numbers."""

import pathlib

import numpy as np
import tensorflow as tf
from tensorflow import keras

from _same import report, same_weights

path = pathlib.Path("titanic_source.csv").absolute()
rows = [f"{i % 2},{'male' if i % 3 else 'female'},{20 + i % 40}.5,{7 + (i * 13) % 50},class_{i % 3}"
        for i in range(36)]
path.write_text("survived,sex,age,fare,class\n" + "\n".join(rows) + "\n")
file_path = keras.utils.get_file("titanic.csv", origin=path.as_uri(), cache_dir=".",
                                 cache_subdir="data")
report("fetched", pathlib.Path(file_path).name)

lines = tf.data.TextLineDataset(file_path)
for line in lines.take(2):
    print(line.numpy())
report("first_line", next(iter(lines)).numpy().decode())


def parse(line):
    fields = tf.strings.split(line, ",")
    age = tf.strings.to_number(fields[2])
    fare = tf.strings.to_number(fields[3], tf.float32)
    label = tf.strings.to_number(fields[0], out_type=tf.int32)
    return tf.stack([age / 60.0, fare / 50.0]), label


parsed = lines.skip(1).map(parse)
x, y = next(iter(parsed.batch(36)))
report("x", x)
report("y", y)
model = keras.Sequential([keras.layers.InputLayer(shape=(2,)),
                          keras.layers.Dense(4, activation="relu"),
                          keras.layers.Dense(2, activation=keras.activations.softmax)])
same_weights(model)
# SGD, for TensorFlow counts one step too many at the end of data of unknown length.
model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
report("history", model.fit(parsed.batch(12), epochs=3, verbose=0).history)

defaults = [tf.int32, tf.string, tf.float32, tf.float32, tf.string]
columns = tf.io.decode_csv([rows[3], rows[4]], record_defaults=[0, "", 0.0, 0.0, ""])
report("decoded", [columns[0], columns[2], columns[3]])
csv_ds = tf.data.experimental.CsvDataset(file_path, defaults, header=True)
report("csv_ages", [float(row[2]) for row in csv_ds.take(4)])

dataset = tf.data.experimental.make_csv_dataset(
    file_path, batch_size=6, label_name="survived", num_epochs=1, shuffle=False,
    ignore_errors=True)
for features, labels in dataset.take(1):
    report("columns", sorted(features))
    report("ages", features["age"])
    report("labels", labels)
    report("sex", [text.decode() for text in features["sex"].numpy()])
report("joined", tf.strings.join(["a", "b"], separator="-").numpy().decode())
report("length", tf.strings.length(["one", "three"]))
report("matches", tf.strings.regex_full_match(["male", "female"], "m.*"))
report("numbers", tf.strings.as_string([1, 22]).numpy().astype("U"))
report("generic", np.array([len(line) for line in path.read_text().splitlines()[:3]]))
