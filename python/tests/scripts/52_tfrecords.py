"""Examples written to a TFRecord file and read back by a feature description."""

import numpy as np
import tensorflow as tf

from _same import report, same_weights


def _bytes_feature(value):
    if isinstance(value, type(tf.constant(0))):
        value = value.numpy()
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))


def _float_feature(values):
    return tf.train.Feature(float_list=tf.train.FloatList(value=values))


def _int64_feature(value):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=[value]))


def serialize_example(label, name, values):
    feature = {"label": _int64_feature(label), "name": _bytes_feature(name),
               "values": _float_feature(values)}
    return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()


n_observations = 40
values = np.sin(np.arange(n_observations * 3)).reshape(n_observations, 3)
filename = "test.tfrecord"
with tf.io.TFRecordWriter(filename) as writer:
    for i in range(n_observations):
        writer.write(serialize_example(i % 2, b"row %d" % i, values[i]))

raw_dataset = tf.data.TFRecordDataset([filename])
report("count", sum(1 for _ in raw_dataset))
for raw_record in raw_dataset.take(1):
    example = tf.train.Example()
    example.ParseFromString(raw_record.numpy())
    report("by_hand", list(example.features.feature["values"].float_list.value))

feature_description = {
    "label": tf.io.FixedLenFeature([], tf.int64, default_value=0),
    "name": tf.io.FixedLenFeature([], tf.string, default_value=""),
    "values": tf.io.FixedLenFeature([3], tf.float32),
}


def _parse_function(example_proto):
    return tf.io.parse_single_example(example_proto, feature_description)


parsed_dataset = raw_dataset.map(_parse_function)
for parsed in parsed_dataset.skip(4).take(1):
    report("parsed_values", parsed["values"])
    report("parsed_name", parsed["name"].numpy().decode())
    report("parsed_label", int(parsed["label"]))

training = parsed_dataset.map(lambda row: (row["values"], row["label"])).batch(10)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu", input_shape=(3,)),
                             tf.keras.layers.Dense(2)])
same_weights(model)
# SGD, for TensorFlow counts one step too many at the end of data of unknown length.
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
report("loss", model.fit(training, epochs=3, verbose=0).history["loss"])
batch = next(iter(raw_dataset.batch(5)))
report("parsed_batch", tf.io.parse_example(batch, feature_description)["values"])
tensor = tf.io.serialize_tensor(tf.constant([[1.0, 2.0]]))
report("tensor", tf.io.parse_tensor(tensor, out_type=tf.float32))
