"""Rows of different lengths, tables for looking up, sparse values, and state that layers keep from step to step."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

from _same import report, same_weights

words = tf.strings.split(["one two three", "four five"])
report("split", words.to_tensor())
report("split_padded", words.to_tensor(default_value="-", shape=(None, 4)))
report("lengths", words.row_lengths())
report("first", words[0])
rows = tf.ragged.constant([[1, 2, 3], [], [4]])
report("lists", [len(row) for row in rows.to_list()])
report("shape", [int(size or -1) for size in rows.shape.as_list()])
report("splits", rows.row_splits)
report("ids", rows.value_rowids())
report("bounds", rows.bounding_shape())
report("values", rows.values)
report("element", int(rows[0, 1]))
report("padded", rows.to_tensor(default_value=-1))
report("iterated", [len(row.numpy()) for row in rows])
report("kinds", [isinstance(rows, tf.RaggedTensor), isinstance(rows, tf.Tensor)])
report("from_splits", tf.RaggedTensor.from_row_splits([1, 2, 3], [0, 1, 3]).to_tensor())
report("from_lengths", tf.RaggedTensor.from_row_lengths([1, 2, 3], [2, 1]).to_tensor())
report("from_padding", tf.RaggedTensor.from_tensor([[1, 0], [2, 3]], padding=0).row_lengths())

table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), default_value=-1)
report("looked_up", table.lookup(tf.constant(["b", "z"])))
report("entries", int(table.size()))
names = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(tf.constant([1, 2], tf.int64), tf.constant(["x", "y"])), default_value="?")
report("names", names.lookup(tf.constant([2, 7], tf.int64)))
labelled = tf.data.Dataset.from_tensor_slices(["b", "a", "b"]).map(table.lookup)
report("labels", [int(label) for label in labelled])

sparse = tf.SparseTensor(indices=[[0, 0], [1, 2]], values=[1.0, 2.0], dense_shape=[3, 4])
report("dense", tf.sparse.to_dense(sparse))
report("sparse_values", tf.sparse.from_dense([[1, 0], [0, 5]]).values)
report("product", tf.sparse.sparse_dense_matmul(sparse, tf.ones((4, 2))))
both = tf.sets.intersection(tf.constant([[1, 2, 3]]), tf.constant([[3, 2, 9]]))
report("both", tf.sparse.to_dense(both))
report("sizes", tf.sets.size(both))


class Counter(layers.Layer):
    """Counts its calls: a definition or a plan of the model is not one."""

    def build(self, input_shape):
        self.calls = self.add_weight(shape=(), initializer="zeros", trainable=False)
        self.mean = self.add_weight(shape=(input_shape[-1],), initializer="zeros", trainable=False)

    def call(self, inputs, training=False):
        self.calls.assign_add(1.0)
        if training:
            self.mean.assign(0.9 * self.mean + 0.1 * tf.reduce_mean(inputs, axis=0))
        return inputs - self.mean


x = np.random.default_rng(0).normal(1.0, 0.5, (8, 3)).astype("float32")
y = x.sum(axis=1, keepdims=True)
seen = []


class Watch(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        seen.append(float(counter.calls))


for model in (keras.Sequential([keras.Input((3,)), Counter(), layers.Dense(1)]),
              keras.Sequential([Counter(), layers.Dense(1)])):
    counter = model.layers[0]
    model.build((None, 3))
    same_weights(model)
    counter.set_weights([np.zeros(()), np.zeros(3)])
    model.compile("sgd", "mse")
    history = model.fit(x, y, batch_size=2, epochs=2, shuffle=False, verbose=0, callbacks=[Watch()])
    name = f"counter{len(seen)}"
    report(name, history.history["loss"])
    report(name + "_mean", counter.mean.numpy().copy())
    model.predict(x, batch_size=4, verbose=0)
    model(x)
    report(name + "_calls", float(counter.calls))
report("seen", seen)


def renamed(layer):
    config = layer.get_config()
    config["name"] = layer.name + "_copy"
    return layer.__class__.from_config(config)


first, second = keras.Input((4,)), keras.Input((4,))
shared = layers.Dense(3, name="shared")
added = layers.Add(name="added")([shared(first), shared(second)])
model = same_weights(keras.Model([first, second], [added, layers.Dense(2, name="out")(added)]))
clone = keras.models.clone_model(model, clone_function=renamed)
clone.set_weights(model.get_weights())
report("clone", [layer.name for layer in clone.layers if layer.name.endswith("_copy")])
report("clone_outputs", clone.predict([x[:4].T[:, :4], x[4:].T[:, :4]], verbose=0))
