"""Functions of keras.ops made of the engine's rows and Keras's signatures."""
import functools
import inspect

from plimsoll import _core
from plimsoll.keras import _signatures
from plimsoll.keras._names import snake_case

# Where real Keras has the classes of operations that are not NumPy's: model files name the module.
_MODULES = {
    "keras.src.ops.nn": "Celu Elu Gelu Glu HardShrink HardSigmoid HardSilu HardTanh LayerNorm LeakyRelu "
    "LogSigmoid LogSoftmax Mish Moments Normalize OneHot RMSNorm Relu Relu6 Selu Sigmoid Silu "
    "SoftShrink Softmax Softplus Softsign SparsePlus SparseSigmoid Sparsemax Squareplus TanhShrink "
    "Threshold DotProductAttention DepthToSpace SpaceToDepth",
    "keras.src.ops.math": "Logsumexp Rsqrt Erf TopK",
    "keras.src.ops.core": "Cast Slice Unstack",
    "keras.src.ops.linalg": "Norm",
    "keras.src.ops.image": "Resize",
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names.split()}

# Integers and booleans that such functions take as they are.
_DTYPES = ("dtype",)


@functools.cache
def _classes() -> dict:
    """The class of each function: "expand_dims" is ExpandDims's."""
    known = {snake_case(name): name for name in _core.rows()["operations"]}
    return {**known, "rms_normalization": "RMSNorm", "layer_normalization": "LayerNorm", "abs": "Abs",
            "matmul": "Matmul", "relu": "Relu"}


@functools.cache
def names() -> set:
    published = _signatures.names("ops")
    return {name for name in _classes() if name in published}


def function_for(name: str):
    """The function of this name; None if the engine has no row for it."""
    class_name = _classes().get(name)
    if class_name is None or name not in _signatures.names("ops"):
        return None
    signature = _signatures.signature("ops", name)
    arguments = _core.rows()["operation_arguments"][class_name]
    module = _MODULE_OF.get(class_name, "keras.src.ops.numpy")

    def function(*args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return _run(class_name, arguments, module, bound)

    function.__name__ = function.__qualname__ = name
    function.__module__ = "plimsoll.keras.ops"
    function.__signature__ = signature
    function.__doc__ = f"keras.ops.{name}, computed by the engine's operation {class_name}."
    return function


def _run(class_name: str, arguments: list, module: str, bound: inspect.BoundArguments):
    settings, given = {}, []
    by_number = arguments and arguments[0] == "0"
    for name, value in bound.arguments.items():
        kind = bound.signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            given += list(value)
        elif name in arguments or (not given and not by_number and name == next(iter(bound.arguments))):
            given.append(value)
        elif kind is not inspect.Parameter.VAR_KEYWORD:
            settings[name] = _setting(name, value)
    while given and given[-1] is None:
        given.pop()
    return _core.operation(class_name, settings, given, {}, module)


def _setting(name: str, value):
    if value is not None and name in _DTYPES:
        return str(getattr(value, "name", value))
    if hasattr(value, "numpy"):
        return value.numpy().tolist()
    return list(value) if isinstance(value, tuple) else value
