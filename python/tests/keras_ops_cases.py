"""Calls of keras.ops that give the same under Plimsoll and the real Keras; the arrays are those of
tf_ops_cases.py."""

VALUES = """
abs(X) | absolute(N) | add(X, Y) | add(N, 1.5) | all(B, axis=1) | amax(X, axis=0) | amin(X) | any(B) | append(V, V) | append(X, Y, axis=1)
arange(5) | arange(1, 10, 3) | arange(0.0, 1.0, 0.25) | arccos(X / 3) | arccosh(P + 1) | arcsin(X / 3) | arcsinh(X) | arctan(X) | arctan2(X, Y) | arctanh(X / 3)
argmax(X, axis=1) | argmax(X) | argmin(X, axis=0) | argsort(X) | argsort(V) | argpartition(V, 2).shape | array_split(V, 2)[0] | average(X, axis=1) | average(X, weights=P) | bincount(np.array([1, 2, 2]))
bartlett(5) | blackman(5) | hamming(5) | hanning(5) | kaiser(5, 3.0)
batch_normalization(X, np.zeros(3, 'float32'), np.ones(3, 'float32') * 2, -1, offset=np.ones(3, 'float32'))
binary_crossentropy(sigmoid(Y), sigmoid(X)) | binary_crossentropy(sigmoid(Y), X, from_logits=True) | bitwise_and(N, 3) | bitwise_or(N, 3) | bitwise_xor(N, 3) | bitwise_not(N) | left_shift(N, 2) | right_shift(N, 1)
broadcast_to(V[:3], (2, 3)) | cast(X, 'int32') | cast(B, 'float32') | categorical_crossentropy(softmax(Y), softmax(X)) | categorical_crossentropy(softmax(Y), X, from_logits=True) | cbrt(X) | ceil(X)
celu(X) | clip(X, -0.5, 0.5) | concatenate([X, Y], axis=0) | concatenate([X, Y]) | conj(X) | copy(X) | corrcoef(X) | correlate(V, V[:3]) | cos(X) | cosh(X) | count_nonzero(N) | count_nonzero(N, axis=1)
cross(X, Y) | cumprod(X, axis=1) | cumsum(X, axis=1) | cumsum(X) | deg2rad(X) | diag(V) | diag(S) | diagflat(X) | diagonal(S) | diff(V) | diff(X, axis=0) | digitize(V, np.array([-1.0, 0.0, 1.0]))
divide(X, Y) | divide(N, 2) | divide_no_nan(X, relu(Y)) | dot(X, S) | dot(V, V) | dstack([X, Y]) | einsum('ij,kj->ik', X, Y) | elu(X) | elu(X, alpha=0.5) | empty((2,)).shape | equal(X, X) | erf(X) | erfc(X) | erfinv(X / 3) | exp(X) | exp2(X)
expand_dims(X, 0) | expand_dims(X, (0, 2)) | expm1(X) | extract_sequences(V, 2, 1) | eye(3) | eye(2, 3, k=1) | flip(X) | flip(X, axis=1) | fliplr(X) | flipud(X) | floor(X) | floor_divide(N, 3) | floor_divide(X, 0.3) | fmod(X, 0.3) | full((2,), 3.0) | full_like(X, 2.0)
gelu(X) | gelu(X, approximate=False) | get_item(X, (0, 1)) | glu(Q[:, :, :2]) | greater(X, Y) | greater_equal(X, 0.0) | hard_shrink(X) | hard_sigmoid(X) | hard_silu(X) | hard_swish(X) | hard_tanh(X) | heaviside(X, 0.5) | histogram(V, bins=3)[0] | hstack([X, Y]) | hypot(X, Y)
identity(2) | in_top_k(np.array([1, 0]), X, 2) | inner(X, Y) | isclose(X, X + 1e-9) | isfinite(X) | isinf(X) | isnan(X) | isin(N, [1, 2]) | isneginf(X) | isposinf(X) | isreal(X) | kron(X, Y) | layer_normalization(X) | leaky_relu(X) | less(X, Y) | less_equal(X, Y) | linspace(0.0, 1.0, 5)
linspace(0, 1, 4, endpoint=False) | log(P) | log10(P) | log1p(P) | log2(P) | log_sigmoid(X) | log_softmax(X) | logaddexp(X, Y) | logaddexp2(X, Y) | logical_and(B, B) | logical_not(B) | logical_or(B, X > 0) | logical_xor(B, X > 0) | logspace(0, 2, 3) | logsumexp(X, axis=1)
matmul(X, S) | max(X, axis=1, keepdims=True) | maximum(X, Y) | maximum(X, 0) | mean(X, axis=0) | mean(N) | median(X) | median(X, axis=1) | meshgrid(V, V)[0] | min(X) | minimum(X, Y) | mod(N, 3) | mod(X, 0.4) | moments(X, axes=[0])[1] | moveaxis(I, 1, -1)
multi_hot(np.array([0, 2]), 4) | multi_hot(np.array([[0, 1], [2, 2]]), 4) | multiply(X, Y) | nan_to_num(X) | nansum(X) | nanmean(X, axis=0) | nanmax(X) | nanmin(X) | nanstd(X) | nanvar(X) | nanprod(X) | ndim(X) | negative(N) | nonzero(B)[0] | norm(X) | norm(X, axis=1) | norm(X, ord=1, axis=1) | normalize(X) | not_equal(X, Y)
one_hot(np.array([0, 2]), 3) | one_hot(np.array([[0, 1]]), 2) | ones((2, 1)) | ones_like(N) | outer(V, V) | pad(X, ((1, 0), (0, 2))) | pad(X, ((1, 1), (1, 1)), mode='reflect') | pad(X, ((0, 0), (1, 1)), constant_values=2.0) | percentile(V, 30.0) | power(P, 2.0) | power(N, 2) | prod(X, axis=1) | prod(N) | ptp(X) | quantile(V, 0.3) | quantile(X, 0.5, axis=1)
rad2deg(X) | ravel(X) | real(X) | reciprocal(P) | relu(X) | relu6(X * 9) | repeat(X, 2, axis=1) | repeat(V, 2) | reshape(X, (3, 2)) | reshape(X, (-1,)) | rms_normalization(X) | roll(X, 1, axis=1) | rot90(X) | round(X) | round(X, 2) | rsqrt(P) | saturate_cast(X * 300, 'uint8') | scatter(np.array([[0], [2]]), V[:2], (4,)) | scatter_update(V, np.array([[1]]), np.array([5.0], 'float32'))
searchsorted(np.sort(V), V) | segment_max(X, np.array([0, 0])) | segment_sum(X, np.array([0, 1])) | segment_sum(X, np.array([1, 0]), num_segments=3) | select([X > 1, X > 0], [X, Y], 0.0) | selu(X) | shape(X) | sigmoid(X) | sign(X) | sign(N) | signbit(X) | silu(X) | sin(X) | sinc(X) | sinh(X) | size(X) | slice(X, (0, 1), (2, 2)) | slice_update(X, (0, 1), Y[:, :2])
slogdet(S)[1] | soft_shrink(X) | softmax(X) | softmax(X, axis=0) | softplus(X) | softsign(X) | sort(X) | sort(X, axis=0) | sparse_categorical_crossentropy(np.array([1, 0]), softmax(X)) | sparse_categorical_crossentropy(np.array([1, 0]), X, from_logits=True) | sparse_plus(X) | sparse_sigmoid(X) | sparsemax(X) | split(X, 3, axis=1)[1] | split(V, [1, 3])[1] | sqrt(P) | sqrt(4)
square(N) | squareplus(X) | squeeze(X[None]) | stack([X, Y]) | stack([X, Y], axis=-1) | std(X) | std(X, axis=1) | stop_gradient(X) | subtract(X, Y) | subtract(N, 1) | sum(X) | sum(N, axis=0) | sum(B) | swapaxes(I, 0, 3) | swish(X) | take(X, [0, 2], axis=1) | take(X, 4) | take(V, [0, -1]) | take_along_axis(X, np.argsort(X, 1), axis=1) | tan(X) | tanh(X) | tanh_shrink(X) | tensordot(X, S, axes=1) | threshold(X, 0.1, 0.0)
tile(X, 2) | tile(V, (2, 2)) | top_k(X, 2)[0] | top_k(X, 2)[1] | trace(S) | trace(X) | transpose(I, (0, 3, 1, 2)) | transpose(X) | trapezoid(V) | tri(3) | tril(S) | triu(S, k=1) | true_divide(X, Y) | trunc(X) | unravel_index(np.array([4]), (2, 3))[0] | unstack(X)[1] | vander(V, 3) | var(X) | var(X, axis=1) | vdot(V, V) | vectorized_map(lambda r: r * 2, X)
vstack([X, Y]) | where(B, X, Y) | where(B, X, 0.0) | zeros((2, 3)) | zeros((2,), 'int32') | zeros_like(X) | det(S) | inv(S) | solve(S, np.ones((3, 1), 'float32')) | cholesky(S) | eigh(S)[0] | svd(S, compute_uv=False) | qr(S)[1].shape | lstsq(S, np.ones((3, 1), 'float32'))
max_pool(I, 2) | max_pool(I, 3, 2, 'same') | average_pool(I, 2) | average_pool(I, 3, 2, 'same') | max_pool(Q, 2) | average_pool(Q, 2, 1) | conv(I, np.ones((3, 3, 3, 2), 'float32'), padding='same') | conv(I, np.ones((2, 2, 3, 2), 'float32'), 2) | conv(Q, np.ones((3, 3, 2), 'float32')) | depthwise_conv(I, np.ones((3, 3, 3, 2), 'float32'), padding='same')
conv_transpose(I, np.ones((3, 3, 2, 3), 'float32'), 2, padding='same') | conv_transpose(I, np.ones((3, 3, 2, 3), 'float32'), 2, padding='valid') | separable_conv(I, np.ones((3, 3, 3, 2), 'float32'), np.ones((1, 1, 6, 4), 'float32')) | dot_product_attention(I, I, I) | depth_to_space(np.ones((1, 2, 2, 4), 'float32'), 2) | space_to_depth(I, 2)
nn.relu(X) | nn.softmax(X) | numpy.sum(X) | linalg.norm(X) | image.resize(I, (8, 8)) | image.resize(I, (2, 3), interpolation='nearest') | image.rgb_to_grayscale(I) | image.rgb_to_hsv(I) | image.hsv_to_rgb(I) | image.pad_images(I, 1, 1, 0, 0) | image.crop_images(I, 1, 1, 1, 1) | unique(N) | cond(True, lambda: X, lambda: Y) | fori_loop(0, 3, lambda i, v: v + i, 0) | while_loop(lambda i: i < 5, lambda i: (i + 2,), (0,))[0] | scan(lambda c, x: (c + x, c), np.float32(0), V)[0] | map(lambda r: r * 2, X) | switch(1, [lambda x: x, lambda x: x * 2], X) | convert_to_numpy(X) | is_tensor(X) | dtype(X) | allclose(X, X)
"""

GRADIENTS = """
X: clip(X, -0.5, 0.5) * 2 | X: softmax(X) * Y | X: logsumexp(X, axis=1) | X: take_along_axis(X, np.argsort(Y, 1), axis=1) * Y | X: top_k(X, 2)[0] * 2 | X: std(X, axis=1) | X: tril(tensordot(X, S, axes=1)[:, :2]) * 2 | X: cumprod(X, axis=1) * Y | X: segment_sum(X, np.array([0, 0])) ** 2
X: sort(X, axis=1) * Y | X: normalize(X) * Y | X: layer_normalization(X) * Y | X: scatter_update(X, np.array([[0, 1]]), np.array([5.0], 'float32')) * Y | X: select([B], [X * X], 0.0) | X: binary_crossentropy(sigmoid(Y), sigmoid(X)) | X: sparse_categorical_crossentropy(np.array([1, 0]), softmax(X)) | X: diag(X[0]) * S | S: trace(S) * 2
I: average_pool(I, 3, 2, 'same') ** 2 | I: conv_transpose(I, np.ones((3, 3, 2, 3), 'float32'), 2, padding='same') ** 2 | X: cross(X, Y) * P | X: inner(X, Y) ** 2 | X: kron(X, Y) ** 2 | X: repeat(X, 2, axis=1) ** 2 | X: where(B, X * X, Y) | X: diff(X) ** 2 | X: median(X, axis=1) | X: batch_normalization(X, np.zeros(3, 'float32'), np.ones(3, 'float32'), -1) * Y
"""


def cases() -> list:
    """Expressions for tf_ops_cases: each call with the module before it."""
    from tf_ops_cases import _listed

    values = [_with_module(each) for each in _listed(VALUES)]
    parts = [each.partition(":") for each in _listed(GRADIENTS)]
    return values + [f"{name}: {_with_module(call.strip())}" for name, _, call in parts]


def _with_module(call: str) -> str:
    """Names that are followed by a bracket are functions of ops, unless something is before them."""
    import re

    found = re.sub(r"(?<![\w.'])([a-z_0-9]+)\((?!\))", r"ops.\1(", call)
    found = re.sub(r"^(nn|numpy|linalg|image)\.", r"ops.\1.", found)
    return found if found != call or "." in call else "ops." + call
