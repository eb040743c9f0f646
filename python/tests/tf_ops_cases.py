"""Expressions that give the same under Plimsoll and the real TensorFlow; run as a script it writes
the results of the real one.

Names in an expression: tf, keras, np, and X (2, 3), Y (2, 3), P (2, 3) positive, S (3, 3) symmetric
and positive definite, I (2, 4, 6, 3) images from 0 to 1, U (4, 6, 3) an image of bytes, N (2, 3)
integers, B (2, 3) booleans, V (5,), Q (2, 6, 3) sequences.
"""
import json
import sys

import numpy as np


def arrays() -> dict:
    random = np.random.default_rng(7)
    x = random.normal(size=(2, 3)).astype("float32")
    square = random.normal(size=(3, 3))
    return {
        "X": x, "Y": random.normal(size=(2, 3)).astype("float32"),
        "P": (np.abs(x) + 0.25).astype("float32"),
        "S": (square @ square.T + 2 * np.eye(3)).astype("float32"),
        "I": random.uniform(size=(2, 4, 6, 3)).astype("float32"),
        "U": random.integers(0, 256, (4, 6, 3)).astype("uint8"),
        "N": random.integers(-4, 9, (2, 3)).astype("int32"),
        "B": random.integers(0, 2, (2, 3)).astype(bool),
        "V": random.normal(size=5).astype("float32"),
        "Q": random.normal(size=(2, 6, 3)).astype("float32"),
    }


VALUES = r"""
tf.nn.relu(X) | tf.nn.relu6(X * 9) | tf.nn.elu(X) | tf.nn.selu(X) | tf.nn.gelu(X)
tf.nn.gelu(X, approximate=True) | tf.nn.silu(X) | tf.nn.swish(X) | tf.nn.silu(X, beta=2.0)
tf.nn.leaky_relu(X) | tf.nn.leaky_relu(X, alpha=0.1) | tf.nn.crelu(X) | tf.nn.tanh(X)
tf.nn.sigmoid(X) | tf.nn.softplus(X) | tf.nn.softsign(X) | tf.nn.softmax(X) | tf.nn.softmax(X, axis=0)
tf.nn.log_softmax(X) | tf.nn.l2_loss(X) | tf.nn.l2_normalize(X, axis=1) | tf.nn.zero_fraction(tf.nn.relu(X))
tf.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax(Y), logits=X)
tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 0], logits=X)
tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.sigmoid(Y), logits=X)
tf.nn.weighted_cross_entropy_with_logits(labels=tf.sigmoid(Y), logits=X, pos_weight=2.0)
tf.nn.log_poisson_loss(P, X) | tf.nn.log_poisson_loss(P * 3, X, compute_full_loss=True)
tf.nn.conv1d(Q, tf.ones((3, 3, 2)) * 0.5, 1, 'SAME') | tf.nn.conv1d(Q, tf.ones((3, 3, 2)), 2, 'VALID')
tf.nn.conv2d(I, tf.ones((3, 3, 3, 2)), 1, 'SAME') | tf.nn.conv2d(I, tf.ones((2, 2, 3, 2)), [1, 2, 2, 1], 'VALID')
tf.nn.conv2d(I, tf.ones((2, 2, 3, 2)), 1, [[0, 0], [1, 0], [0, 1], [0, 0]])
tf.nn.conv2d(I, tf.ones((2, 2, 3, 2)), 1, 'SAME', dilations=2)
tf.nn.conv2d_transpose(I, tf.reshape(tf.range(54.0), (3, 3, 2, 3)), (2, 8, 12, 2), 2)
tf.nn.conv2d_transpose(I, tf.reshape(tf.range(54.0), (3, 3, 2, 3)), (2, 9, 13, 2), 2, 'VALID')
tf.nn.conv2d_transpose(I, tf.reshape(tf.range(96.0), (4, 4, 2, 3)), (2, 8, 12, 2), 2)
tf.nn.depthwise_conv2d(I, tf.reshape(tf.range(54.0), (3, 3, 3, 2)), [1, 1, 1, 1], 'SAME')
tf.nn.separable_conv2d(I, tf.ones((3, 3, 3, 2)), tf.ones((1, 1, 6, 4)), [1, 1, 1, 1], 'SAME')
tf.nn.max_pool(I, 2, 2, 'VALID') | tf.nn.max_pool2d(I, 3, 2, 'SAME') | tf.nn.avg_pool(I, 3, 2, 'SAME')
tf.nn.avg_pool2d(I, [1, 2, 2, 1], [1, 2, 2, 1], 'VALID') | tf.nn.max_pool1d(Q, 2, 2, 'VALID')
tf.nn.bias_add(I, [1.0, 2.0, 3.0]) | tf.nn.embedding_lookup(S, [[0, 2], [1, 1]])
tf.nn.moments(I, [0, 1, 2])[0] | tf.nn.moments(I, [0, 1, 2])[1] | tf.nn.moments(X, [1], keepdims=True)[1]
tf.nn.batch_normalization(X, V[:3], P[0], V[2:], P[1], 1e-3)
tf.nn.top_k(X, 2).values | tf.nn.top_k(X, 2).indices | tf.nn.in_top_k([1, 0], X, 2)
tf.nn.local_response_normalization(I, 1) | tf.nn.space_to_depth(I, 2)
tf.nn.depth_to_space(tf.nn.space_to_depth(I, 2), 2) | tf.nn.compute_average_loss(V, global_batch_size=8)
tf.math.abs(N) | tf.math.acos(X / 3) | tf.math.asin(X / 3) | tf.math.atan(X) | tf.math.atan2(X, Y)
tf.math.acosh(P + 1) | tf.math.asinh(X) | tf.math.atanh(X / 3) | tf.math.sinh(X) | tf.math.cosh(X) | tf.math.tan(X)
tf.math.log1p(P) | tf.math.expm1(X) | tf.math.rsqrt(P) | tf.math.reciprocal(P) | tf.math.erf(X)
tf.math.floordiv(N, 3) | tf.math.floormod(N, 3) | N // 2 | N % 4 | N * 2 | N ** 2 | tf.constant([2, 3]) ** 3
tf.math.divide_no_nan(X, tf.nn.relu(Y)) | tf.math.logical_xor(B, X > 0) | tf.math.xlogy(P, P)
tf.reduce_sum(X, 0) | tf.reduce_sum(N) | tf.reduce_mean(X, [0, 1]) | tf.reduce_mean(N) | tf.reduce_prod(N, 1)
tf.reduce_prod(tf.constant([2, 3])) | tf.reduce_max(N, axis=1, keepdims=True) | tf.reduce_min(X)
tf.reduce_any(B, 1) | tf.reduce_all(B, 0) | tf.math.reduce_std(X, 1) | tf.math.reduce_variance(X)
tf.reduce_logsumexp(X, 1) | tf.math.count_nonzero(N, 1) | tf.argmax(X, 1) | tf.argmin(X, 0) | tf.argmin(N, 1)
tf.cumsum(X, 1) | tf.cumsum(X, 1, exclusive=True) | tf.cumsum(X, 1, reverse=True) | tf.cumsum(N)
tf.math.cumprod(X, 1) | tf.math.cumulative_logsumexp(X, 1) | tf.math.log_sigmoid(X) | tf.math.softplus(X)
tf.clip_by_value(X, -0.5, 0.5) | tf.clip_by_norm(X, 1.0) | tf.linalg.global_norm([X, Y]) | tf.clip_by_global_norm([X, Y], 1.0)[0][1]
tf.clip_by_norm(X, 1.0, axes=1) | tf.norm(X) | tf.norm(X, axis=1) | tf.norm(X, ord=1, axis=0) | tf.norm(X, ord=np.inf, axis=1)
tf.matmul(X, Y, transpose_b=True) | tf.matmul(X, Y, transpose_a=True) | tf.matmul(N, N, transpose_b=True)
tf.einsum('ij,kj->ik', X, Y) | tf.tensordot(X, Y, [[1], [1]]) | tf.tensordot(X, S, 1)
tf.math.is_nan(X) | tf.math.is_inf(X / 0.0) | tf.math.is_finite(X) | tf.math.bincount([1, 2, 2, 0])
tf.math.confusion_matrix([0, 1, 2], [0, 2, 2]) | tf.math.segment_sum(X, [0, 0]) | tf.math.unsorted_segment_sum(X, [1, 0], 3)
tf.math.segment_mean(X, [0, 1]) | tf.math.squared_difference(X, Y) | tf.add_n([X, Y, X]) | tf.math.sign(N)
tf.math.round(X * 3) | tf.math.rint(X * 3) | tf.round([0.5, 1.5, 2.5]) | tf.math.ceil(X) | tf.math.floor(X) | tf.math.pow(P, 0.5)
tf.math.multiply_no_nan(X, tf.nn.relu(Y)) | tf.math.lgamma(P + 1) | tf.math.digamma(P + 1) | tf.math.zero_fraction(tf.nn.relu(X))
tf.math.sigmoid(X) | tf.math.top_k(X, 1).values | tf.math.in_top_k([1, 0], X, 1) | tf.math.polyval([X, Y], 2.0)
tf.cast(X * 3, tf.int32) | tf.cast(B, tf.float32) | tf.cast(N, tf.bool) | tf.cast([1.7, -1.7], tf.int64)
tf.zeros((2, 1)) | tf.ones(3, tf.int32) | tf.fill([2, 2], 5) | tf.zeros_like(N) | tf.ones_like(X) | tf.eye(2, 3)
tf.eye(2, batch_shape=[2]) | tf.range(5) | tf.range(1, 10, 3) | tf.range(0.0, 1.0, 0.25) | tf.linspace(0.0, 1.0, 5)
tf.meshgrid([1, 2], [3, 4, 5])[1] | tf.one_hot([0, 2], 3) | tf.one_hot([1], 3, 5.0, -1.0) | tf.one_hot([1, 0], 2, axis=0)
tf.sequence_mask([1, 3], 4) | tf.shape(I) | tf.size(I) | tf.rank(I) | tf.identity(N)
tf.constant([1, 2, 3, 4], shape=(2, 2)) | tf.constant(3.0, shape=(2,)) | tf.constant([1, 2], dtype=tf.float32)
tf.reshape(X, [-1]) | tf.reshape(X, (3, -1)) | tf.expand_dims(X, 0) | tf.squeeze(tf.expand_dims(X, 1)) | tf.transpose(I, [0, 3, 1, 2])
tf.transpose(X) | tf.concat([X, Y], 0) | tf.concat([X, Y], axis=-1) | tf.stack([X, Y], axis=1) | tf.unstack(X)[1]
tf.split(V[:4], 2)[1] | tf.split(X, [1, 2], axis=1)[1] | tf.tile(X, [2, 1]) | tf.repeat(V, 2) | tf.repeat(X, 2, axis=1)
tf.repeat([1, 2], [2, 3]) | tf.broadcast_to([1.0, 2.0, 3.0], (2, 3)) | tf.reverse(X, [1]) | tf.roll(V, 2, 0)
tf.pad(X, [[1, 0], [0, 2]]) | tf.pad(X, [[1, 1], [1, 1]], 'REFLECT') | tf.pad(X, [[0, 0], [1, 1]], 'SYMMETRIC')
tf.pad(X, [[0, 0], [1, 1]], constant_values=3.0) | tf.slice(X, [0, 1], [2, 2]) | tf.slice(X, [0, 1], [-1, -1])
tf.strided_slice(V, [0], [5], [2]) | tf.gather(V, [0, 3]) | tf.gather(X, [2, 0], axis=1) | tf.gather(X, [[0], [2]], batch_dims=1)
tf.gather_nd(X, [[0, 1], [1, 2]]) | tf.gather_nd(I, [[0, 1], [1, 2]]) | tf.tensor_scatter_nd_update(V, [[1], [3]], [9.0, 8.0])
tf.tensor_scatter_nd_add(V, [[1], [1]], [9.0, 8.0]) | tf.scatter_nd([[1], [3]], [9.0, 8.0], [5]) | tf.boolean_mask(X, B)
tf.boolean_mask(X, [True, False]) | tf.where(B) | tf.where(B, X, Y) | tf.where(X > 0, X, 0.0) | tf.unique([3, 1, 3, 2])[0]
tf.unique([3, 1, 3, 2])[1] | tf.sort(V) | tf.sort(X, axis=0, direction='DESCENDING') | tf.argsort(V) | tf.argsort(X, direction='DESCENDING')
tf.searchsorted([1.0, 2.0, 3.0], [0.5, 2.0, 9.0]) | tf.histogram_fixed_width(V, [-2.0, 2.0], 4) | tf.map_fn(lambda r: r * 2, X)
tf.scan(lambda a, b: a + b, V) | tf.foldl(lambda a, b: a + b, V) | tf.vectorized_map(lambda r: tf.reduce_sum(r), X)
tf.while_loop(lambda i: i < 5, lambda i: (i + 2,), [tf.constant(0)])[0] | tf.cond(tf.constant(True), lambda: X, lambda: Y)
X[0] | X[:, 1] | X[..., -1] | X[tf.newaxis].shape | tf.constant(X)[0, 1:] | tf.constant(V)[::-1] | tf.constant(V)[::2] | tf.constant(X)[tf.constant(X) > 0]
tf.linalg.inv(S) | tf.linalg.det(S) | tf.linalg.solve(S, tf.ones((3, 1))) | tf.linalg.cholesky(S) | tf.linalg.eigvalsh(S)
tf.linalg.svd(S, compute_uv=False) | tf.linalg.trace(S) | tf.linalg.diag([1.0, 2.0]) | tf.linalg.diag_part(S) | tf.linalg.band_part(S, 1, 0)
tf.linalg.set_diag(S, [1.0, 2.0, 3.0]) | tf.linalg.matvec(S, [1.0, 2.0, 3.0]) | tf.linalg.cross([1.0, 2.0, 3.0], [0.0, 1.0, 5.0])
tf.linalg.norm(S) | tf.linalg.slogdet(S)[1] | tf.linalg.expm(S / 5) | tf.linalg.matmul(S, S) | tf.linalg.l2_normalize(X, 1) | tf.linalg.matrix_transpose(X)
tf.linalg.triangular_solve(S, tf.ones((3, 1))) | tf.linalg.pinv(X) | tf.linalg.normalize(X, axis=1)[0] | tf.linalg.diag([1.0, 2.0], k=1) | tf.linalg.tensor_diag([1.0, 2.0])
tf.image.resize(I, (8, 3)) | tf.image.resize(I, (2, 3)) | tf.image.resize(U, (7, 7)) | tf.image.resize(U, (2, 9), 'nearest')
tf.image.resize(I, (8, 12), 'bicubic') | tf.image.resize(I, (2, 3), 'bicubic') | tf.image.resize(I, (2, 3), antialias=True) | tf.image.resize(I, (8, 12), 'lanczos3')
tf.image.resize(I, (2, 3), 'area') | tf.image.resize(I, (3, 4), 'area') | tf.image.resize(U, (8, 8), preserve_aspect_ratio=True)
tf.image.resize_with_pad(U, 9, 9) | tf.image.resize_with_pad(I, 3, 8) | tf.image.resize_with_crop_or_pad(U, 3, 9) | tf.image.central_crop(U, 0.5)
tf.image.convert_image_dtype(U, tf.float32) | tf.image.convert_image_dtype(I, tf.uint8) | tf.image.adjust_brightness(U, 0.2)
tf.image.adjust_contrast(I, 1.5) | tf.image.adjust_contrast(U, 0.5) | tf.image.adjust_gamma(I, 0.7) | tf.image.adjust_hue(I, 0.15) | tf.image.adjust_saturation(I, 0.4)
tf.image.adjust_saturation(I, 2.5) | tf.image.rgb_to_hsv(I) | tf.image.hsv_to_rgb(I) | tf.image.rgb_to_grayscale(I) | tf.image.rgb_to_grayscale(U)
tf.image.grayscale_to_rgb(tf.constant(I[..., :1])) | tf.image.per_image_standardization(U) | tf.image.flip_left_right(I) | tf.image.flip_up_down(U) | tf.image.rot90(U)
tf.image.rot90(I, 3) | tf.image.rot90(I, 2) | tf.image.transpose(I) | tf.image.crop_to_bounding_box(U, 1, 2, 2, 3) | tf.image.pad_to_bounding_box(U, 1, 2, 9, 9)
tf.image.psnr(I, I * 0.9, 1.0) | tf.image.total_variation(tf.constant(I)) | tf.image.sobel_edges(tf.constant(I)) | tf.image.image_gradients(tf.constant(I))[0] | tf.image.rgb_to_yuv(I) | tf.image.yiq_to_rgb(I) | tf.image.yuv_to_rgb(I) | tf.image.rgb_to_yiq(I)
tf.image.ssim(tf.image.resize(I, (16, 16)), tf.image.resize(I * 0.9, (16, 16)), 1.0) | tf.image.extract_patches(I, [1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], 'VALID')
tf.image.extract_patches(I, [1, 3, 3, 1], [1, 2, 2, 1], [1, 1, 1, 1], 'SAME') | tf.image.crop_and_resize(I, [[0.1, 0.2, 0.7, 0.9]], [1], (3, 4))
tf.image.non_max_suppression([[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.9], [2.0, 2.0, 3.0, 3.0]], [0.5, 0.9, 0.2], 3)
tf.strings.lower('ABc') | tf.strings.upper(['a', 'B']) | tf.strings.strip(' a ') | tf.strings.length(['ab', 'c']) | tf.strings.split('a b  c') | tf.strings.split('a,b', ',')
tf.strings.join(['a', ['b', 'c']], '-') | tf.strings.regex_replace('x1 y2', '([a-z])([0-9])', r'\2\1') | tf.strings.regex_full_match(['a1', 'b'], '[a-z][0-9]')
tf.strings.substr(['hello', 'world'], 1, 3) | tf.strings.to_number(['1.5', '-2']) | tf.strings.to_number('7', tf.int32) | tf.strings.as_string([1.5, 2.0])
tf.strings.as_string([1, 2]) | tf.strings.as_string([True]) | tf.strings.as_string(3.14159, precision=2) | tf.strings.reduce_join([['a', 'b'], ['c', 'd']], axis=1, separator='+')
tf.strings.unicode_split('héy', 'UTF-8') | tf.strings.unicode_decode('hé', 'UTF-8') | tf.strings.format('{} and {}', (tf.constant([1, 2]), tf.constant(3))) | tf.strings.ngrams(['a', 'b', 'c'], 2)
tf.io.decode_raw(b'\x01\x00', tf.uint8) | tf.io.parse_tensor(tf.io.serialize_tensor(X), tf.float32) | tf.io.serialize_tensor(N) | tf.io.encode_base64(b'abc') | tf.io.decode_csv(['1,2.5,a', '3,,b'], [[0], [1.0], ['']])[1]
tf.io.decode_png(tf.io.encode_png(U)) | tf.random.normal((2, 3)).shape | tf.random.uniform((4,), 0, 5, tf.int32).dtype.name | tf.random.categorical(X, 4).shape | tf.random.shuffle(V).shape
tf.acosh(P + 1) | tf.asinh(X) | tf.atanh(X / 9) | tf.realdiv(X, P) | tf.scalar_mul(2.0, X) | tf.truncatediv(N, 3)
tf.tensor_scatter_nd_sub(X, [[0, 1]], [2.0]) | tf.tensor_scatter_nd_max(X, [[0, 1], [1, 1]], [9.0, -9.0])
tf.tensor_scatter_nd_min(N, [[0, 1], [0, 1]], [-9, -7]) | tf.identity_n([X, N])[1] | tf.unravel_index([3, 5], [2, 3])
tf.reverse_sequence(Q, [2, 6], seq_axis=1, batch_axis=0) | tf.foldr(lambda a, b: a * 2 + b, V)
tf.switch_case(tf.constant(1), [lambda: tf.constant(3.0), lambda: tf.constant(4.0)]) | tf.as_string([1, 2])
tf.switch_case(tf.constant(7), {0: lambda: tf.constant(3.0), 1: lambda: tf.constant(4.0)})
tf.zeros_initializer()((2, 3)) | tf.ones_initializer()((2,)) | tf.constant_initializer(3.0)((2, 2))
tf.dtypes.cast(X, tf.dtypes.int32) | tf.math.reciprocal_no_nan([2.0, 0.0]) | tf.math.reduce_euclidean_norm(X, axis=1)
tf.math.xdivy([0.0, 1.0], [0.0, 4.0]) | tf.math.invert_permutation([2, 0, 1]) | tf.keras.backend.bias_add(tf.constant(X), tf.constant([1.0, 2.0, 3.0]))
tf.audio.encode_wav(X, 8000) | tf.audio.decode_wav(tf.audio.encode_wav(X / 3, 8000)).audio
tf.audio.decode_wav(tf.audio.encode_wav(X, 8000), desired_channels=2, desired_samples=5)[0]
tf.audio.decode_wav(tf.audio.encode_wav(X, 8000), 4, 1).audio | tf.audio.decode_wav(tf.audio.encode_wav(X, 8000)).sample_rate
"""

# Sums of these, with respect to the array that is named first.
GRADIENTS = """
X: tf.nn.softmax(X) * Y | X: tf.nn.log_softmax(X) * Y | X: tf.nn.gelu(X) | X: tf.nn.leaky_relu(X) | X: tf.nn.crelu(X) * tf.concat([Y, Y + 1], 1)
X: tf.nn.sparse_softmax_cross_entropy_with_logits([1, 0], X) | X: tf.nn.sigmoid_cross_entropy_with_logits(tf.sigmoid(Y), X) | X: tf.nn.l2_normalize(X, 1) * Y
X: tf.nn.top_k(X, 2).values * 2 | I: tf.nn.avg_pool(I, 3, 2, 'SAME') ** 2 | I: tf.nn.max_pool(I, 2, 2, 'VALID') ** 2 | I: tf.nn.conv2d_transpose(I, tf.ones((3, 3, 2, 3)), (2, 8, 12, 2), 2) ** 2
I: tf.nn.depthwise_conv2d(I, tf.ones((3, 3, 3, 2)), [1, 1, 1, 1], 'SAME') ** 2 | Q: tf.nn.conv1d(Q, tf.ones((3, 3, 2)), 2, 'SAME') ** 2
X: tf.gather(X, [2, 0], axis=1) * 3 | X: tf.gather_nd(X, [[0, 1], [1, 2]]) | X: tf.where(B, X * X, Y) | X: tf.boolean_mask(X, B) ** 2 | X: tf.cumsum(X, 1) * Y | X: tf.math.cumprod(X, 1) * Y
X: tf.norm(X, axis=1) | X: tf.clip_by_norm(X, 1.0) * Y | X: tf.math.reduce_std(X, 1) | X: tf.reduce_logsumexp(X, 1) | X: tf.reduce_prod(X, 1) | X: tf.reduce_max(X, 1) * 2
X: tf.tensordot(X, S, 1) * Y | X: tf.einsum('ij,kj->ik', X, Y) ** 2 | X: tf.sort(X, 1) * Y | X: tf.math.tan(X / 3) | X: tf.math.sinh(X) | X: tf.pad(X, [[1, 1], [1, 1]], 'REFLECT') ** 2
X: tf.math.asinh(X) | X: tf.math.squared_difference(X, Y) | X: tf.math.divide_no_nan(X, Y)
X: tf.tensor_scatter_nd_update(X, [[0, 1]], [5.0]) * Y | X: tf.math.segment_sum(X, [0, 0]) ** 2 | X: tf.repeat(X, 2, axis=1) ** 2 | X: tf.tile(X, [2, 1]) ** 2 | X: tf.roll(X, 1, 1) * Y
I: tf.image.resize(I, (3, 4)) ** 2 | I: tf.image.rgb_to_grayscale(I) ** 2 | I: tf.image.total_variation(I) | S: tf.linalg.trace(S) | S: tf.linalg.diag_part(S) ** 2
I: tf.image.psnr(I, I * 0.5 + 0.1, 1.0) | V: tf.linalg.diag(V) ** 2 | X: tf.math.xlogy(tf.nn.relu(X), P) | X: tf.nn.moments(X, [0])[1] | X: tf.math.unsorted_segment_mean(X, [1, 0], 2) ** 2
"""


def _listed(text: str) -> list:
    return [part.strip() for line in text.strip().splitlines() for part in line.split(" | ")]


def cases() -> list:
    """The expressions; those of gradients begin with the name of an array and a colon."""
    return _listed(VALUES) + _listed(GRADIENTS)


def _plain(value):
    """A result as JSON can hold it: [element type, shape, values]."""
    if hasattr(value, "as_list"):
        return ["shape", value.as_list(), None]
    if isinstance(value, (list, tuple)) or not hasattr(value, "dtype"):
        return ["value", [], value if isinstance(value, (int, float, str)) else str(value)]
    array = np.asarray(value)
    texts = array.dtype.kind in "OS"
    flat = [each.decode("latin-1") if texts else each.item() for each in array.ravel()]
    return ["string" if texts else array.dtype.name, list(array.shape), flat]


def _gradient(tf, case: str, scope: dict):
    name, _, expression = case.partition(":")
    with tf.GradientTape() as tape:
        source = tf.convert_to_tensor(scope[name])
        tape.watch(source)
        total = tf.reduce_sum(eval(expression, {**scope, name: source}))
    return tape.gradient(total, source)


def result(tf, keras, case: str):
    """What the case gives, or the name of its error."""
    scope = {"tf": tf, "keras": keras, "ops": keras.ops, "np": np, **arrays()}
    try:
        found = _gradient(tf, case, scope) if case[1:2] == ":" else eval(case, scope)
        return _plain(found)
    except Exception as error:  # it is the result
        return ["error", [], f"{type(error).__name__}: {error}"[:300]]


if __name__ == "__main__":
    import keras
    import tensorflow as tf

    import keras_ops_cases

    asked = cases() + keras_ops_cases.cases()
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump({case: result(tf, keras, case) for case in asked}, file)
