"""tf.data pipelines: windows of a series, filters, interleaving, scans, options, tuples and dictionaries."""

import numpy as np
import tensorflow as tf

from _same import report, same_weights


def values(dataset):
    return [np.asarray(v).tolist() for v in dataset.as_numpy_iterator()]


dataset = tf.data.Dataset.range(10)
dataset = dataset.window(5, shift=1, drop_remainder=True)
dataset = dataset.flat_map(lambda window: window.batch(5))
dataset = dataset.map(lambda window: (window[:-1], window[-1:]))
dataset = dataset.batch(2).prefetch(1)
for x, y in dataset:
    print("x = ", x.numpy(), "y = ", y.numpy())
report("windows", [x, y])


def windowed_dataset(series, window_size, batch_size, shuffle_buffer):
    series = tf.expand_dims(series, axis=-1)
    ds = tf.data.Dataset.from_tensor_slices(series)
    ds = ds.window(window_size + 1, shift=1, drop_remainder=True)
    ds = ds.flat_map(lambda w: w.batch(window_size + 1))
    ds = ds.shuffle(shuffle_buffer) if shuffle_buffer else ds
    ds = ds.map(lambda w: (w[:-1], w[1:]))
    return ds.batch(batch_size).prefetch(1)


series = np.sin(np.arange(60) / 5).astype("float32")
train_set = windowed_dataset(series, 8, 10, 0)
model = tf.keras.models.Sequential([
    tf.keras.layers.Input((None, 1)),
    tf.keras.layers.Conv1D(filters=4, kernel_size=3, strides=1, padding="causal", activation="relu"),
    tf.keras.layers.LSTM(4, return_sequences=True),
    tf.keras.layers.Dense(1),
    tf.keras.layers.Lambda(lambda x: x * 2.0)])
same_weights(model)
model.compile(loss=tf.keras.losses.Huber(), optimizer=tf.keras.optimizers.SGD(learning_rate=1e-2, momentum=0.9),
              metrics=["mae"])
history = model.fit(train_set, epochs=2, verbose=0)
report("history", history.history, atol=1e-4)


def model_forecast(model, series, window_size):
    ds = tf.data.Dataset.from_tensor_slices(series)
    ds = ds.window(window_size, shift=1, drop_remainder=True)
    ds = ds.flat_map(lambda w: w.batch(window_size))
    ds = ds.batch(32).prefetch(1)
    return model.predict(ds, verbose=0)


forecast = model_forecast(model, series[..., np.newaxis], 8)
report("forecast_shape", np.array(forecast.shape))
report("forecast", forecast[::10, -1, 0], atol=1e-4)
report("mae", tf.keras.losses.mae(series[8:], forecast[:-1, -1, 0]), atol=1e-4)

base = tf.data.Dataset.from_tensor_slices([8, 3, 0, 8, 2, 1])
report("filtered", values(base.filter(lambda x: x < 3)))
report("filtered_mod", values(tf.data.Dataset.range(10).filter(lambda x: tf.equal(x % 2, 0))))
report("reduced", int(base.reduce(0, lambda state, value: state + value)))
report("reduced_numpy", base.reduce(np.int32(0), lambda x, y: x * 2 + y))
report("scan", values(base.scan(initial_state=0, scan_func=lambda s, x: (s + x, s))))
report("enumerated", [[int(i), int(v)] for i, v in base.enumerate(start=5)])
report("interleaved", values(tf.data.Dataset.range(1, 4).interleave(
    lambda x: tf.data.Dataset.from_tensors(x).repeat(3), cycle_length=2, block_length=2)))
report("concatenated", values(base.take(2).concatenate(base.skip(4))))
report("chained", values(tf.data.Dataset.range(3).repeat(2).batch(4, drop_remainder=True)))
report("sharded", values(base.shard(num_shards=2, index=1)))
report("unbatched", values(tf.data.Dataset.from_tensors([[1, 2], [3, 4]]).unbatch().unbatch()))
report("take_while", values(base.take_while(lambda x: x > 0)))
report("cardinality", [int(base.cardinality()), int(base.repeat().cardinality()),
                       int(base.filter(lambda x: x > 1).cardinality()), int(base.batch(4).cardinality())])
report("len", len(base))
report("spec", [str(base.element_spec.shape), base.element_spec.dtype.name])
dictionary = tf.data.Dataset.from_tensor_slices({"a": [1, 2], "b": [[5.0, 6.0], [7.0, 8.0]]})
for row in dictionary:
    report(f"row{int(row['a'])}", row["b"])
named = tf.data.Dataset.from_tensor_slices(({"x": [1.0, 2.0], "y": [3.0, 4.0]}, [0, 1]))
features, label = next(iter(named.batch(2)))
report("named", features["x"] + features["y"])
zipped = tf.data.Dataset.zip((tf.data.Dataset.range(3), tf.data.Dataset.range(10, 20)))
report("zipped", [[int(a), int(b)] for a, b in zipped])
ragged = tf.data.Dataset.range(1, 5).map(lambda n: tf.fill([n], n))
report("padded", values(ragged.padded_batch(2, padded_shapes=[None]))[1])
report("padded_to", values(ragged.padded_batch(4, padded_shapes=(6,), padding_values=tf.constant(-1, tf.int64)))[0])
buckets = ragged.bucket_by_sequence_length(lambda x: tf.shape(x)[0], bucket_boundaries=[3], bucket_batch_sizes=[2, 2])
report("buckets", [len(v) for v in values(buckets)])


def count(stop):
    i = 0
    while i < stop:
        yield i, [float(i)] * 2
        i += 1


counted = tf.data.Dataset.from_generator(count, args=[5], output_signature=(
    tf.TensorSpec(shape=(), dtype=tf.int32), tf.TensorSpec(shape=(2,), dtype=tf.float32)))
for number, pair in counted.repeat(2).batch(4).take(2):
    pass
report("generated", [number, pair])
report("typed", [int(v) for v in tf.data.Dataset.from_generator(lambda: iter([1, 2, 3]), output_types=tf.int32)])


def heavy(x):
    return np.square(x).astype(np.float32)


wrapped = tf.data.Dataset.range(3).map(lambda x: tf.numpy_function(heavy, [x], tf.float32))
report("numpy_function", values(wrapped))
wrapped = tf.data.Dataset.range(3).map(lambda x: tf.py_function(lambda v: v.numpy() * 2.0, [x], tf.float32))
report("py_function", values(wrapped))
options = tf.data.Options()
options.experimental_deterministic = False
options.deterministic = True
report("options", len(values(base.with_options(options))))
report("batched_map", values(tf.data.Dataset.range(6).batch(3).map(
    lambda x: tf.reduce_sum(x), num_parallel_calls=tf.data.AUTOTUNE, deterministic=True)))
report("apply", values(base.apply(lambda ds: ds.map(lambda v: v + 1))))
report("cached", values(base.cache().repeat(2)))
iterator = iter(base)
report("next", [int(next(iterator)), int(iterator.get_next())])
report("shuffled", sorted(values(base.shuffle(3, seed=1, reshuffle_each_iteration=False))))
train, test = tf.keras.utils.split_dataset(base, left_size=0.5)
report("halves", [len(train), len(test)])
chosen = tf.data.Dataset.choose_from_datasets([base.take(2), base.skip(4)], tf.data.Dataset.range(2).repeat(2))
report("chosen", values(chosen))
report("sampled", len(values(tf.data.Dataset.sample_from_datasets([base.repeat(2), base], [0.5, 0.5], seed=1))) <= 18)
report("single", int(base.take(1).get_single_element()))
report("snapshot", [v.shape for v in tf.data.Dataset.from_tensor_slices(np.zeros((3, 2))).batch(3).as_numpy_iterator()][0])
report("rebatched", values(base.batch(4).rebatch(3)))
report("unique", sorted(values(base.unique())))
report("random_order", int(tf.data.Dataset.random(seed=4).take(3).reduce(0, lambda s, _: s + 1)))
