"""TensorFlow's API on Plimsoll's engine: `import plimsoll.tensorflow as tf`."""
from plimsoll import _missing
from plimsoll._tape import GradientTape
from plimsoll._core import Tensor
from plimsoll.tensorflow._dtypes import (  # noqa: F401
    DType, as_dtype, bfloat16, bool, double, float16, float32, float64, half, int8, int16, int32,
    int64, string, uint8, uint16, uint32, uint64)
from plimsoll.tensorflow._specs import (  # noqa: F401
    RaggedTensorSpec, SparseTensorSpec, TensorShape, TensorSpec, TypeSpec)

__version__ = "2.21.0"
newaxis = None
EagerTensor = Tensor

_missing.lazy(globals(), {
    "_creation": ["constant", "convert_to_tensor", "eye", "fill", "identity", "is_tensor", "linspace",
                  "meshgrid", "ones", "ones_like", "range", "rank", "shape", "size", "zeros",
                  "zeros_like", "one_hot", "sequence_mask", "get_static_value"],
    "_movement": ["boolean_mask", "broadcast_to", "concat", "expand_dims", "gather", "gather_nd", "pad",
                  "repeat", "reshape", "reverse", "roll", "scatter_nd", "slice", "split", "squeeze",
                  "stack", "strided_slice", "tensor_scatter_nd_add", "tensor_scatter_nd_max",
                  "tensor_scatter_nd_min", "tensor_scatter_nd_sub", "tensor_scatter_nd_update",
                  "identity_n", "reverse_sequence", "unravel_index",
                  "tile", "transpose", "unique", "unique_with_counts", "unstack", "where", "searchsorted", "sort",
                  "argsort", "shape_n", "histogram_fixed_width"],
    "_scatter": ["IndexedSlices"],
    "ragged": ["RaggedTensor"],
    "sparse": ["SparseTensor"],
    "_tensor_array": ["TensorArray"],
    "_control": ["Module", "Variable", "Graph", "UnconnectedGradients", "VariableAggregation",
                 "VariableSynchronization", "RegisterGradient", "assert_equal", "assert_greater",
                 "Assert", "case", "cond", "control_dependencies", "custom_gradient", "debug_print", "device",
                 "ensure_shape", "executing_eagerly", "foldl", "foldr", "function", "get_logger", "gradients",
                 "group", "init_scope", "map_fn", "name_scope", "no_gradient", "no_op",
                 "numpy_function", "switch_case", "timestamp", "print", "py_function", "scan", "stop_gradient", "vectorized_map",
                 "while_loop", "recompute_grad"],
    "plimsoll.tensorflow.math": [
        "abs", "acos", "acosh", "asinh", "atanh", "realdiv", "scalar_mul", "truncatediv", "add", "add_n", "argmax", "argmin", "asin", "atan", "atan2", "cast", "ceil",
        "clip_by_norm", "clip_by_global_norm", "clip_by_value", "cos", "cosh", "cumsum", "divide",
        "einsum", "equal", "exp", "floor", "greater", "greater_equal", "less", "less_equal",
        "logical_and", "logical_not", "logical_or", "maximum", "minimum", "multiply", "negative",
        "norm", "not_equal", "pow", "reduce_all", "reduce_any", "reduce_logsumexp", "reduce_max",
        "reduce_mean", "reduce_min", "reduce_prod", "reduce_std", "reduce_sum", "reduce_variance",
        "round", "saturate_cast", "sigmoid", "sign", "sin", "sinh", "sqrt", "square",
        "squared_difference", "subtract", "tan", "tanh", "tensordot", "truediv", "floordiv", "matmul",
        "global_norm", "log1p"],
    "plimsoll.tensorflow.debugging": ["assert_less", "assert_rank"],
    "plimsoll.tensorflow.strings": ["as_string"],
    "initializers": ["constant_initializer", "ones_initializer", "random_normal_initializer",
                     "random_uniform_initializer", "zeros_initializer"],
}, modules=(
    "audio", "autograph", "compat", "config", "data", "debugging", "distribute", "dtypes", "errors", "experimental",
    "image", "initializers", "io", "keras", "linalg", "lookup", "losses", "math", "metrics", "nest", "nn",
    "optimizers", "ragged", "random", "sets", "sparse", "strings", "summary", "test", "train", "version",
))
