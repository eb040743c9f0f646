"""from_generator: elements that a Python generator yields."""

import numpy as np

from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow._dtypes import as_dtype, held_dtype
from plimsoll.tensorflow._specs import TensorShape, TensorSpec
from plimsoll.tensorflow.data._stage import Stage
from plimsoll.tensorflow.data._structure import flatten, map_structure, map_up_to
from plimsoll.tensorflow.data._values import numpy_dtype, to_array


def generator_signature(output_types, output_shapes, output_signature):
    """The spec that either way of calling from_generator states."""
    if output_signature is None:
        if output_types is None:
            raise TypeError(
                "from_generator: expected output_signature, or output_types with output_shapes"
            )
        if output_shapes is None:
            return map_structure(lambda dtype: TensorSpec(None, dtype), _as_tuple(output_types))
        return map_up_to(
            _as_tuple(output_types),
            lambda dtype, shape: TensorSpec(shape, dtype),
            _as_tuple(output_types),
            output_shapes,
        )
    if output_types is not None or output_shapes is not None:
        raise TypeError(
            "from_generator: output_signature says all; output_types and output_shapes cannot be "
            "given with it"
        )
    for leaf in flatten(_as_tuple(output_signature)):
        if not isinstance(leaf, TensorSpec):
            raise TypeError(
                f"from_generator: output_signature must hold tf.TensorSpec objects, found {leaf!r}"
            )
    return _as_tuple(output_signature)


def _as_tuple(structure):
    return tuple(structure) if isinstance(structure, list) else structure


class GeneratorStage(Stage):
    """Calls the function for each pass, and closes its generator with the pass."""

    works = True

    def __init__(self, function, signature, args):
        super().__init__()
        if not callable(function):
            raise TypeError("from_generator: `generator` must be a Python callable")
        self._function, self._signature = function, signature
        self._args = [_argument(arg) for arg in args or ()]

    def spec(self):
        return map_structure(
            lambda spec: TensorSpec(spec.shape, held_dtype(spec.dtype)), self._signature
        )

    def sequence(self):
        values = iter(self._function(*self._args))
        try:
            for value in values:
                yield self._element(value)
        finally:
            close = getattr(values, "close", None)
            if close is not None:
                close()

    def _element(self, value):
        try:
            return map_up_to(self._signature, _leaf, self._signature, value)
        except InvalidArgument:
            raise
        except (TypeError, ValueError) as error:
            raise InvalidArgument(
                "`generator` yielded an element that did not match the expected structure. The "
                f"expected structure was {self._signature}, but the yielded element was "
                f"{_shortened(value)}."
            ) from error


def _argument(value):
    """As TensorFlow passes them: arrays of NumPy, and NumPy's numbers."""
    return to_array(value)[()]


def _shortened(value) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + "…"


def _leaf(spec: TensorSpec, value) -> np.ndarray:
    try:
        array = _cast(value, spec)
    except (TypeError, ValueError) as error:
        raise InvalidArgument(
            "`generator` yielded an element that could not be converted to the expected type. The "
            f"expected type was {as_dtype(spec.dtype).name}, but the yielded element was "
            f"{_shortened(value)}."
        ) from error
    if not spec.shape.is_compatible_with(array.shape):
        raise InvalidArgument(
            f"`generator` yielded an element of shape {array.shape} where an element of shape "
            f"{TensorShape(spec.shape)} was expected."
        )
    return array


def _cast(value, spec: TensorSpec) -> np.ndarray:
    """In the type of the spec. As in TensorFlow, any number becomes one of that type."""
    array = np.asarray(value)
    if (spec.dtype.name == "string") != (array.dtype.kind in "USO"):
        raise TypeError("a text is not a number")
    if spec.dtype.name == "string":
        return to_array(array)
    return array.astype(numpy_dtype(spec.dtype), copy=False)
