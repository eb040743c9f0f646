"""Functions that scripts use less often: conditions, structures, segments, patches, distances."""

import numpy as np
import tensorflow as tf

from _same import report

a = tf.constant([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
b = tf.constant([[0.5, 1.5, -1.0], [2.0, -0.5, 1.0]])
report("arithmetic", [tf.subtract(a, b), tf.divide(a, b), tf.math.divide_no_nan(a, tf.zeros_like(a))])
report("floor", [tf.floor(b), tf.math.ceil(b), tf.math.floordiv(a, b), tf.math.mod(a, b)])
report("logic", [tf.logical_and(a > 0, b > 0), tf.logical_or(a > 0, b > 0), tf.logical_not(a > 0)])
report("compare", [tf.greater(a, b), tf.less_equal(a, b), tf.not_equal(a, b)])
report("top_k", [tf.nn.top_k(a, k=2).values, tf.nn.top_k(a, k=2).indices])
report("moments", list(tf.nn.moments(a, axes=[0])))
report("l2", tf.math.l2_normalize(a, axis=1))
report("activations", [tf.nn.leaky_relu(a, alpha=0.1), tf.nn.elu(a), tf.nn.selu(a), tf.nn.softplus(b)])
report("bias", tf.nn.bias_add(a, [1.0, 2.0, 3.0]))
report("segments", [tf.math.segment_sum(a, [0, 0]),
                    tf.math.unsorted_segment_sum(a, [1, 0], num_segments=3)])
report("scatter", [tf.tensor_scatter_nd_add(a, [[0, 1]], [10.0]),
                   tf.tensor_scatter_nd_update(a, [[1]], [[7.0, 8.0, 9.0]])])
report("slice", tf.slice(a, [0, 1], [2, 2]))
report("broadcast", tf.broadcast_to([1.0, 2.0, 3.0], [2, 3]))
report("diagonal", [tf.linalg.diag_part(tf.eye(3) * 4), tf.linalg.set_diag(tf.ones((2, 2)), [5.0, 6.0])])
report("triangle", tf.linalg.band_part(tf.ones((3, 3)), 0, -1))
report("norms", [tf.norm(a), tf.norm(a, ord=1, axis=1), tf.linalg.norm(b, axis=0)])
report("cumulated", [tf.cumsum(a, axis=1), tf.math.cumprod(b, axis=0), tf.cumsum(a, reverse=True)])
report("sorted", [tf.sort(a, axis=1), tf.argsort(a, axis=1, direction="DESCENDING")])
report("searched", tf.searchsorted([1.0, 3.0, 5.0], [0.0, 3.0, 6.0]))
report("histogram", tf.histogram_fixed_width([0.1, 0.4, 0.9, 0.95], [0.0, 1.0], nbins=4))
report("meshgrid", list(tf.meshgrid(tf.range(3), tf.range(2))))
report("einsum", tf.einsum("ij,kj->ik", a, b))
report("tensordot", tf.tensordot(a, tf.transpose(b), axes=1))
report("reduced", [tf.reduce_any(a > 4), tf.reduce_all(a > -7), tf.reduce_prod(b), tf.reduce_logsumexp(a),
                   tf.math.reduce_variance(a, axis=1), tf.math.count_nonzero(a > 0)])
report("confusion", tf.math.confusion_matrix([0, 1, 2, 1], [0, 2, 2, 1], num_classes=3))
report("in_top_k", tf.math.in_top_k([2, 0], a, 1))
report("clipped", [tf.clip_by_norm(a, 2.0), tf.clip_by_value(a, -1, 1)])

report("cond", [tf.cond(tf.reduce_sum(a) > 0, lambda: a + 1, lambda: a - 1),
                tf.case([(tf.constant(False), lambda: 1), (tf.constant(True), lambda: 2)])])
i, total = tf.while_loop(lambda i, s: i < 5, lambda i, s: (i + 1, s + i), [0, 0])
report("while", [int(i), int(total)])
array = tf.TensorArray(tf.float32, size=3)
for step in range(3):
    array = array.write(step, tf.fill([2], float(step)))
report("array", [array.stack(), array.read(1)])
report("mapped", tf.map_fn(lambda row: tf.reduce_sum(row), a))
report("scanned", tf.scan(lambda total, row: total + row, a))
structure = {"x": a, "y": [b, 3.0]}
report("nested", [len(tf.nest.flatten(structure)),
                  tf.nest.map_structure(lambda v: v * 2, structure)["y"][1]])
report("py_function", tf.py_function(lambda v: v * 2, [a], tf.float32))
report("numpy_function", tf.numpy_function(lambda v: np.sort(v, axis=1), [a], tf.float32))
report("identity", tf.identity(a))
report("grouped", tf.unique_with_counts([3, 1, 3, 3])[2])

image = tf.reshape(tf.range(48, dtype=tf.float32), (1, 4, 4, 3)) / 48
report("patches", tf.image.extract_patches(image, [1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "VALID"))
report("crop_and_resize", tf.image.crop_and_resize(image, [[0.0, 0.0, 0.5, 0.5]], [0], (2, 2)))
report("psnr", tf.image.psnr(image, image * 0.9, max_val=1.0))
report("standardized", tf.image.per_image_standardization(image[0])[0])
report("padded", tf.image.pad_to_bounding_box(image[0], 1, 1, 6, 6)[:2, :2])
report("saturated", tf.image.adjust_saturation(image[0], 1.5)[0], atol=1e-4)
report("convolved", tf.nn.conv2d(image, tf.ones((2, 2, 3, 1)), strides=1, padding="SAME")[0, :, :, 0])
report("pooled", [tf.nn.max_pool2d(image, 2, 2, "VALID"), tf.nn.avg_pool2d(image, 2, 2, "VALID")])
report("depth", tf.nn.depth_to_space(tf.reshape(tf.range(16.0), (1, 2, 2, 4)), 2)[0, :, :, 0])
report("losses", [tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones_like(b), logits=b),
                  tf.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax(a), logits=b),
                  tf.nn.l2_loss(a)])
report("substrings", tf.strings.substr(["hello", "world"], 1, 3))
report("joined", [tf.strings.join(["a", "b"], separator="-"), tf.strings.length("hello"),
                  tf.strings.reduce_join([["x", "y"]], axis=1)])
report("shape", [list(tf.TensorShape([None, 3]).as_list()[1:]), tf.rank(a), tf.size(a)])
report("types", [tf.as_dtype("float32").name, tf.int32.name, tf.constant(1.5).dtype.is_floating])
