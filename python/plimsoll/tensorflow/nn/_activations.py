"""Activations of tf.nn."""
from plimsoll import _core

_MODULE = "keras.src.ops.nn"


def _activation(class_name: str, name: str):
    def call(features, name=None):
        return _core.operation(class_name, {}, [features], {}, _MODULE)
    call.__name__ = name
    return call


relu, relu6, selu = (_activation(name.capitalize(), name) for name in ("relu", "relu6", "selu"))
elu, softplus, softsign = (_activation(name.capitalize(), name)
                           for name in ("elu", "softplus", "softsign"))
sigmoid, log_sigmoid = _activation("Sigmoid", "sigmoid"), _activation("LogSigmoid", "log_sigmoid")


def tanh(x, name=None):
    return _core.operation("Tanh", {}, [x])


def silu(features, beta=1.0):
    """x * sigmoid(beta * x)."""
    if beta == 1.0:
        return _core.operation("Silu", {}, [features], {}, _MODULE)
    return _core.multiply(features, _core.sigmoid(_core.multiply(features, float(beta))))


swish = silu


def gelu(features, approximate=False, name=None):
    return _core.operation("Gelu", {"approximate": bool(approximate)}, [features], {}, _MODULE)


def leaky_relu(features, alpha=0.2, name=None):
    return _core.operation("LeakyRelu", {"negative_slope": float(alpha)}, [features], {}, _MODULE)


def crelu(features, axis=-1, name=None):
    """relu(x) and relu(-x), one after the other."""
    return _core.concatenate([relu(features), relu(_core.negative(features))], int(axis))


def softmax(logits, axis=None, name=None):
    return _core.operation("Softmax", {"axis": -1 if axis is None else int(axis)}, [logits], {}, _MODULE)


def log_softmax(logits, axis=None, name=None):
    return _core.operation("LogSoftmax", {"axis": -1 if axis is None else int(axis)}, [logits], {},
                           _MODULE)
