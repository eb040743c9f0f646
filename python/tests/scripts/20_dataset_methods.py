"""tf.data step by step: every method that tutorials show, with what comes out of it."""

import numpy as np
import tensorflow as tf

from _same import report

dataset = tf.data.Dataset.from_tensor_slices([8, 3, 0, 8, 2, 1])
for elem in dataset:
    print(elem.numpy())
report("elements", [elem.numpy() for elem in dataset])
report("first", next(iter(dataset)).numpy())
report("sum", dataset.reduce(0, lambda state, value: state + value).numpy())
report("cardinality", dataset.cardinality().numpy())
report("len", len(dataset))

batched = tf.data.Dataset.range(10).batch(4)
report("batches", [batch.numpy() for batch in batched])
report("dropped", [b.numpy() for b in tf.data.Dataset.range(10).batch(4, drop_remainder=True)])
report("skipped", list(tf.data.Dataset.range(10).skip(7).as_numpy_iterator()))
report("repeated", list(tf.data.Dataset.range(3).repeat(2).as_numpy_iterator()))
report("sharded", list(tf.data.Dataset.range(10).shard(num_shards=3, index=1).as_numpy_iterator()))
report("filtered", list(tf.data.Dataset.range(10).filter(lambda v: v % 3 == 0).as_numpy_iterator()))
report("mapped", list(tf.data.Dataset.range(4).map(lambda v: v * v + 1).as_numpy_iterator()))
report("joined", list(tf.data.Dataset.range(2).concatenate(
    tf.data.Dataset.range(7, 9)).as_numpy_iterator()))
report("stepped", list(tf.data.Dataset.range(2, 20, 5).as_numpy_iterator()))

features = tf.data.Dataset.from_tensor_slices(tf.reshape(tf.range(12, dtype=tf.float32), (4, 3)))
labels = tf.data.Dataset.from_tensor_slices(tf.constant([0, 1, 1, 0]))
zipped = tf.data.Dataset.zip((features, labels))
for x, y in zipped.batch(2):
    print(x.shape, y.shape)
report("zipped_x", [x.numpy() for x, y in zipped])
report("zipped_y", [int(y) for x, y in zipped])
report("spec", [str(spec.shape) for spec in zipped.element_spec])

nested = tf.data.Dataset.from_tensor_slices({"a": [1, 2, 3], "b": ([4.0, 5.0, 6.0], [7, 8, 9])})
report("nested", [float(row["a"]) + float(row["b"][0]) + int(row["b"][1]) for row in nested])

windows = tf.data.Dataset.range(6).window(3, shift=1, drop_remainder=True)
flat = windows.flat_map(lambda window: window.batch(3))
report("windows", [window.numpy() for window in flat])
report("unbatched", list(batched.unbatch().as_numpy_iterator()))
lengths = tf.data.Dataset.range(1, 4).map(lambda n: tf.fill([n], n))
report("padded", [b.numpy() for b in lengths.padded_batch(3, padded_shapes=[None])])
interleaved = tf.data.Dataset.range(2).interleave(
    lambda n: tf.data.Dataset.from_tensors(n).repeat(3), cycle_length=2, block_length=1)
report("interleaved", list(interleaved.as_numpy_iterator()))
report("numbered", [(int(i), int(v)) for i, v in dataset.enumerate()])

shuffled = tf.data.Dataset.range(20).shuffle(buffer_size=20, seed=1).cache()
values = list(shuffled.prefetch(tf.data.AUTOTUNE).as_numpy_iterator())
report("shuffled", sorted(values))
report("is_dataset", isinstance(shuffled, tf.data.Dataset))
whole = tf.data.Dataset.from_tensors(np.ones((2, 3), dtype="float32"))
report("whole", [element.numpy() for element in whole])
