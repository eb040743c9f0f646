"""tf.math: arithmetic, reductions and products."""
import builtins

import numpy as np

from plimsoll import _core, _missing
from plimsoll.tensorflow import _of_texts
from plimsoll.tensorflow._dtypes import as_dtype


def _unary(name: str):
    function = getattr(_core, name)

    def call(x, name=None):
        return function(x)
    call.__name__ = name
    return call


def _binary(name: str):
    function = getattr(_core, name)

    def call(x, y, name=None):
        return function(x, y)
    call.__name__ = name
    return call


def _operation(class_name: str):
    def call(x, name=None):
        return _core.operation(class_name, {}, [x])
    call.__name__ = class_name.lower()
    return call


def _two(class_name: str):
    def call(x, y, name=None):
        return _core.operation(class_name, {}, [x, y])
    call.__name__ = class_name.lower()
    return call


abs, negative, sign, square, floor, ceil = map(_unary, ("abs", "negative", "sign", "square", "floor",
                                                        "ceil"))
ceil.__name__ = "ceil"
round, sqrt, rsqrt, reciprocal, exp, expm1 = map(_unary, ("round", "sqrt", "rsqrt", "reciprocal",
                                                          "exp", "expm1"))
log, log1p, sin, cos, tanh, sigmoid = map(_unary, ("log", "log1p", "sin", "cos", "tanh", "sigmoid"))
softplus, erf, logical_not = map(_unary, ("softplus", "erf", "logical_not"))
add, subtract, multiply, maximum, minimum = map(_binary, ("add", "subtract", "multiply", "maximum",
                                                          "minimum"))
less, less_equal = map(_binary, ("less", "less_equal"))
greater, greater_equal, logical_and, logical_or = map(_binary, ("greater", "greater_equal",
                                                               "logical_and", "logical_or"))
divide = truediv = _binary("divide")


def equal(x, y, name=None):
    return _of_texts.equal(x, y)


def not_equal(x, y, name=None):
    return _of_texts.not_equal(x, y)


def pow(x, y, name=None):
    """A power; of integers it is one, by as many products."""
    base = _core.constant(x)
    if base.dtype.is_floating or not isinstance(y, int) or y < 0:
        return _core.power(x, y)
    found = _core.operation("OnesLike", {}, [base])
    for _ in builtins.range(y):
        found = found * base
    return found


floordiv, mod, floormod = _two("FloorDivide"), _two("Mod"), _two("Mod")
logical_xor, divide_no_nan = _two("LogicalXor"), _two("DivideNoNan")
scalar_mul, realdiv = multiply, divide


def truncatediv(x, y, name=None):
    """The quotient of integers, rounded towards zero."""
    return _core.multiply(floordiv(abs(x), abs(y)), _core.multiply(sign(x), sign(y)))


def reciprocal_no_nan(x, name=None):
    return divide_no_nan(_core.operation("OnesLike", {}, [x]), x)


def reduce_euclidean_norm(input_tensor, axis=None, keepdims=False, name=None):
    return sqrt(reduce_sum(square(input_tensor), axis, keepdims))


def xdivy(x, y, name=None):
    zero = equal(x, 0.0)
    return _core.select(zero, 0.0, _core.divide(x, _core.select(zero, 1.0, y)))


def invert_permutation(x, name=None):
    order = np.asarray(_core.constant(x))
    return _core.constant(np.argsort(order).astype(order.dtype))


def tan(x, name=None):
    return sin(x) / cos(x)


def sinh(x, name=None):
    return (exp(x) - exp(negative(x))) / 2.0


def cosh(x, name=None):
    return (exp(x) + exp(negative(x))) / 2.0


def _tf_name(function) -> str:
    return function.__name__.replace("arc", "a")


def _of_numpy(function):
    """A function that the engine lacks: computed from values, so a tape cannot follow it."""
    def call(*args, name=None):
        if _core.is_recording_tape():
            raise NotImplementedError(f"tf.math.{_tf_name(function)}: has no gradient here; compute it "
                                      "outside of the GradientTape")
        return _core.constant(function(*map(np.asarray, args)))
    call.__name__ = function.__name__
    return call


acos, asin, atan, atan2 = map(_of_numpy, (np.arccos, np.arcsin, np.arctan, np.arctan2))


def acosh(x, name=None):
    return log(_core.add(x, sqrt(_core.subtract(square(x), 1.0))))


def asinh(x, name=None):
    size = abs(x)
    return _core.multiply(sign(x), log(size + sqrt(square(size) + 1.0)))


def atanh(x, name=None):
    return (log(_core.add(x, 1.0)) - log(_core.subtract(1.0, x))) * 0.5


def cast(x, dtype, name=None):
    return _core.cast(x, as_dtype(dtype).name)


saturate_cast = cast


def squared_difference(x, y, name=None):
    return square(_core.subtract(x, y))


def add_n(inputs, name=None):
    total = _core.constant(inputs[0])
    for each in inputs[1:]:
        total = total + each
    return total


accumulate_n = add_n


def _axes(axis):
    if axis is None:
        return None
    if hasattr(axis, "numpy"):
        axis = axis.numpy()
    return [int(each) for each in axis] if np.iterable(axis) else int(axis)


def _reduction(name: str):
    function = getattr(_core, name)

    def call(input_tensor, axis=None, keepdims=False, name=None, **old):
        axis = old.pop("reduction_indices", axis)
        return function(input_tensor, _axes(axis), builtins.bool(old.pop("keep_dims", keepdims)))
    call.__name__ = "reduce_" + name
    return call


reduce_sum, reduce_max, reduce_min = map(_reduction, ("sum", "max", "min"))
_float_product = _reduction("prod")


def reduce_prod(input_tensor, axis=None, keepdims=False, name=None):
    """The product; of integers it is one, computed from their values."""
    tensor = _core.constant(input_tensor)
    if tensor.dtype.is_floating:
        return _float_product(tensor, axis, keepdims)
    axes = _axes(axis)
    found = np.prod(np.asarray(tensor), tuple(axes) if isinstance(axes, list) else axes,
                    keepdims=builtins.bool(keepdims), dtype=np.int64)
    return _core.constant(found, tensor.dtype.name)


def reduce_mean(input_tensor, axis=None, keepdims=False, name=None):
    """The mean; of integers it is cut to an integer, as TensorFlow does."""
    tensor = _core.constant(input_tensor)
    found = _core.mean(tensor if tensor.dtype.is_floating else _core.cast(tensor, "float32"),
                       _axes(axis), keepdims)
    return found if tensor.dtype.is_floating or tensor.dtype == "bool" else _core.cast(
        found, tensor.dtype.name)


def _reduced(class_name: str):
    def call(input_tensor, axis=None, keepdims=False, name=None):
        return _core.operation(class_name, {"axis": _axes(axis), "keepdims": keepdims}, [input_tensor])
    return call


reduce_all, reduce_any = _reduced("All"), _reduced("Any")
reduce_std, reduce_variance, reduce_logsumexp = map(_reduced, ("Std", "Var", "Logsumexp"))


def count_nonzero(input, axis=None, keepdims=False, dtype="int64", name=None):
    found = _core.operation("CountNonzero", {"axis": _axes(axis)}, [input])
    return _core.cast(found, as_dtype(dtype).name)


def argmax(input, axis=None, output_type="int64", name=None, **old):
    axis = old.pop("dimension", axis)
    return _core.cast(_core.argmax(input, 0 if axis is None else int(axis)), as_dtype(output_type).name)


def argmin(input, axis=None, output_type="int64", name=None):
    return _core.cast(_core.argmax(negative(input), 0 if axis is None else int(axis)),
                      as_dtype(output_type).name)


def cumsum(x, axis=0, exclusive=False, reverse=False, name=None):
    tensor = _core.constant(x)
    if reverse:
        tensor = _core.flip(tensor, int(axis))
    found = _core.operation("Cumsum", {"axis": int(axis), "dtype": None}, [tensor])
    if exclusive:
        found = found - tensor
    return _core.flip(found, int(axis)) if reverse else found


def top_k(input, k=1, sorted=True, index_type="int32", name=None):
    from plimsoll.tensorflow.nn import top_k as of_nn

    return of_nn(input, k, sorted, index_type)


def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    if isinstance(clip_value_min, (int, float)) and isinstance(clip_value_max, (int, float)):
        return _core.clip(t, float(clip_value_min), float(clip_value_max))
    return maximum(minimum(t, clip_value_max), clip_value_min)


def norm(tensor, ord="euclidean", axis=None, keepdims=None, name=None):
    keepdims = builtins.bool(keepdims)
    if ord in ("euclidean", 2, "fro"):
        return sqrt(reduce_sum(square(tensor), axis, keepdims))
    if ord == 1:
        return reduce_sum(abs(tensor), axis, keepdims)
    if ord == np.inf:
        return reduce_max(abs(tensor), axis, keepdims)
    return pow(reduce_sum(pow(abs(tensor), float(ord)), axis, keepdims), 1.0 / float(ord))


def l2_normalize(x, axis=None, epsilon=1e-12, name=None):
    return x * rsqrt(maximum(reduce_sum(square(x), axis, True), epsilon))


def clip_by_norm(t, clip_norm, axes=None, name=None):
    length = norm(t, axis=axes, keepdims=axes is not None)
    return t * (float(clip_norm) / maximum(length, float(clip_norm)))


def global_norm(t_list, name=None):
    return sqrt(add_n([reduce_sum(square(each)) for each in t_list if each is not None]))


def clip_by_global_norm(t_list, clip_norm, use_norm=None, name=None):
    total = global_norm(t_list) if use_norm is None else use_norm
    scale = float(clip_norm) / maximum(total, float(clip_norm))
    return [None if each is None else each * scale for each in t_list], total


def matmul(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False,
           a_is_sparse=False, b_is_sparse=False, output_type=None, name=None):
    a, b = _core.constant(a), _core.constant(b)
    if a.dtype.is_integer and b.dtype.is_integer:
        found = matmul(_core.cast(a, "float32"), _core.cast(b, "float32"), transpose_a, transpose_b,
                       adjoint_a, adjoint_b)
        return _core.cast(_core.round(found), a.dtype.name)
    if transpose_a or adjoint_a or transpose_b or adjoint_b:
        return _core.matmul(a, b, transpose_a or adjoint_a, transpose_b or adjoint_b)
    return _core.operation("Matmul", {}, [a, b])


def einsum(equation, *inputs, **kwargs):
    equation = equation.replace(" ", "")
    if builtins.any(isinstance(each, _core.Tensor) and each.is_symbolic for each in inputs):
        return _core.operation("Einsum", {"subscripts": equation}, list(inputs))
    return _core.einsum(equation, list(inputs))


def tensordot(a, b, axes, name=None):
    a, b = _core.constant(a), _core.constant(b)
    if isinstance(axes, int):
        left, right = list(builtins.range(a.ndim - axes, a.ndim)), list(builtins.range(axes))
    else:
        left, right = ([int(each) for each in (part if np.iterable(part) else [part])] for part in axes)
    letters = "abcdefghijklmnopqrstuvwxyz"
    first = list(letters[:a.ndim])
    second = list(letters[a.ndim:a.ndim + b.ndim])
    for i, j in zip(left, right):
        second[j % b.ndim] = first[i % a.ndim]
    shared = {first[i % a.ndim] for i in left}
    result = [c for c in first + second if c not in shared]
    return _core.einsum(f"{''.join(first)},{''.join(second)}->{''.join(result)}", [a, b])


def is_nan(x, name=None):
    return not_equal(x, x)


def is_finite(x, name=None):
    return logical_not(logical_or(is_nan(x), is_inf(x)))


def is_inf(x, name=None):
    return equal(abs(x), float("inf"))


def xlogy(x, y, name=None):
    zero = equal(x, 0.0)
    return _core.select(zero, 0.0, _core.multiply(x, log(_core.select(zero, 1.0, y))))


def confusion_matrix(labels, predictions, num_classes=None, weights=None, dtype="int32", name=None):
    labels, predictions = (np.asarray(each).ravel().astype("int64") for each in (labels, predictions))
    size = int(num_classes or max(labels.max(), predictions.max()) + 1)
    matrix = np.zeros((size, size))
    np.add.at(matrix, (labels, predictions), 1 if weights is None else np.asarray(weights).ravel())
    return _core.constant(matrix, as_dtype(dtype).name)


def bincount(arr, weights=None, minlength=0, maxlength=None, dtype="int32", **kwargs):
    counts = np.bincount(np.asarray(arr).ravel(), None if weights is None else np.asarray(weights),
                         int(minlength or 0))
    return _core.constant(counts[:maxlength], as_dtype(dtype).name)


def in_top_k(targets, predictions, k, name=None):
    from plimsoll.tensorflow.nn import in_top_k as of_nn

    return of_nn(targets, predictions, k)


_missing.lazy(globals(), {
    "plimsoll.tensorflow.nn": ["log_sigmoid", "log_softmax", "softmax", "softsign", "zero_fraction"],
    "plimsoll.tensorflow._special": [
        "cumprod", "cumulative_logsumexp", "digamma", "erfinv", "lgamma", "multiply_no_nan", "polyval",
        "rint", "segment_max", "segment_mean", "segment_min", "segment_prod", "segment_sum",
        "unsorted_segment_max", "unsorted_segment_mean", "unsorted_segment_min",
        "unsorted_segment_prod", "unsorted_segment_sum"],
})
