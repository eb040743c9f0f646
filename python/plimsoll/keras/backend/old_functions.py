"""Functions of keras.backend that keras.ops has under other names or with other arguments."""
from plimsoll import _core


def _axis(x, axis: int) -> int:
    return axis % len(x.shape)


def ndim(x) -> int:
    return len(x.shape)


def shape(x):
    """The shape as a tensor."""
    from plimsoll.tensorflow import shape as of_tf

    return of_tf(x)


def flatten(x):
    """All elements in one axis."""
    return _core.operation("Reshape", {"newshape": [-1]}, [x])


def batch_flatten(x):
    """All but the first axis as one."""
    size = 1
    for each in tuple(x.shape)[1:]:
        size *= each
    return _core.operation("Reshape", {"newshape": [-1, size]}, [x])


def expand_dims(x, axis=-1):
    return _core.operation("ExpandDims", {"axis": axis}, [x])


def l2_normalize(x, axis=None):
    from plimsoll.tensorflow import math

    return math.l2_normalize(x, axis)


def argmax(x, axis=-1):
    """Numbers of 64 bits, as TensorFlow's."""
    return _core.cast(_core.argmax(x, axis), "int64")


def gather(reference, indices):
    return _core.take(reference, indices, 0)


def bias_add(x, bias, data_format=None):
    """The sum with a vector along the last axis, or along the second with channels_first."""
    from plimsoll.tensorflow import nn

    is_first = data_format == "channels_first"
    return nn.bias_add(x, bias, data_format="NCHW" if is_first else None)


def function(inputs, outputs, updates=None, name=None, **kwargs):
    """A function of a list of arrays that computes symbolic outputs; what is no tensor among the
    inputs, as learning_phase(), is not used."""
    from plimsoll import _convert
    from plimsoll.keras.models import Model

    places = [place for place, each in enumerate(_convert.flatten(inputs)) if isinstance(each, _core.Tensor)]
    model = Model([_convert.flatten(inputs)[place] for place in places], _convert.flatten(outputs))

    def call(values):
        given = values if isinstance(values, (list, tuple)) else [values]
        found = [each.numpy() for each in _convert.flatten(model([given[place] for place in places]))]
        return found if isinstance(outputs, (list, tuple)) else found[0]
    return call


def repeat(x, n):
    """(samples, features) n times, as (samples, n, features)."""
    return _core.operation("Repeat", {"repeats": n, "axis": 1}, [expand_dims(x, 1)])


def repeat_elements(x, rep, axis):
    return _core.operation("Repeat", {"repeats": rep, "axis": axis}, [x])


def batch_dot(x, y, axes=None):
    """The product of each sample of x and that of y along one axis of each."""
    ranks = ndim(x), ndim(y)
    if max(ranks) > 3 or min(ranks) < 2:
        raise NotImplementedError(f"keras.backend.batch_dot: expected tensors of rank 2 or 3, found {ranks}; "
                                  "use keras.ops.einsum")
    if axes is None:
        axes = ranks[0] - 1, 1 if ranks[1] == 2 else ranks[1] - 2
    first, second = (axes, axes) if isinstance(axes, int) else axes
    # As matrices (…, rows, common) and (…, common, columns).
    x = expand_dims(x, 1) if ranks[0] == 2 else _moved(x, _axis(x, first), 2)
    y = expand_dims(y, 2) if ranks[1] == 2 else _moved(y, _axis(y, second), 1)
    product = _core.operation("Matmul", {}, [x, y])
    if ranks[0] == 2:
        return _core.operation("Squeeze", {"axis": 1}, [product])
    return product if ranks[1] == 3 else _core.operation("Squeeze", {"axis": 2}, [product])


def _moved(x, axis: int, to: int):
    """The tensor of rank 3 with an axis at 1 or 2."""
    return x if axis == to else _core.operation("Transpose", {"axes": [0, 2, 1]}, [x])
