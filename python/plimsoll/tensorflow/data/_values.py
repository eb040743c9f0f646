"""Leaves of elements: arrays inside a pipeline, tensors for the user's functions and loops."""

import numpy as np

from plimsoll import _core
from plimsoll.errors import InvalidArgument
from plimsoll.tensorflow._dtypes import as_dtype, held_dtype
from plimsoll.tensorflow._specs import NoneTensorSpec, TensorSpec
from plimsoll.tensorflow.data._structure import map_structure

_FOREIGN = {
    "RaggedTensor": "rows of different lengths are put together with padded_batch()",
    "SparseTensor": "use a dense array",
    "csr_matrix": "use .toarray()",
    "csc_matrix": "use .toarray()",
    "coo_matrix": "use .toarray()",
}


# The element types of arrays that stay as they are.
_HELD = frozenset(np.dtype(name) for name in ("float32", "int32", "int64", "uint8", "bool"))


def numpy_dtype(dtype) -> np.dtype:
    return np.dtype(held_dtype(dtype).as_numpy_dtype)


def _encoded(array: np.ndarray) -> np.ndarray:
    """Texts as Python's bytes, which is how TensorFlow has them."""
    found = np.empty(array.size, object)
    for place, value in enumerate(array.ravel().tolist()):
        if isinstance(value, str):
            value = value.encode()
        elif not isinstance(value, bytes):
            raise InvalidArgument(
                f"an array of Python objects holds {value!r}, expected texts or numbers of one type"
            )
        found[place] = value
    return found.reshape(array.shape)


def held(array: np.ndarray) -> np.ndarray:
    """The array in the element type in which the engine holds it; itself if that is its own."""
    if array.dtype in _HELD:
        return array
    if array.dtype.kind in "USO":
        return _encoded(array)
    if array.dtype.kind not in "biuf":
        raise InvalidArgument(
            f"arrays of the type {array.dtype} cannot be used; expected numbers or texts"
        )
    return array.astype(numpy_dtype(array.dtype), copy=False)


def _is_plain(value) -> bool:
    """True if the numbers in nested lists are Python's own, whose types TensorFlow narrows."""
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
    return isinstance(value, (bool, int, float))


def raw_array(value) -> np.ndarray:
    """An array of whatever stands for one, of any element type; not copied if it is an array."""
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, (_core.Tensor, _core.Variable)):
        return np.asarray(value)
    kind = type(value).__name__
    if kind in _FOREIGN:
        raise InvalidArgument(f"a {kind} cannot be used: {_FOREIGN[kind]}")
    plain = _is_plain(value)
    try:
        # NumPy's own texts lose zero bytes at their ends.
        array = np.asarray(value, object if isinstance(value, bytes) else None)
    except ValueError as error:
        raise InvalidArgument(
            "a list with rows of different lengths is not a tensor; pad them to one length with "
            "keras.utils.pad_sequences, or yield them from a generator and use padded_batch()"
        ) from error
    if plain and array.dtype == np.int64 and (array.size == 0 or abs(array).max() < 2**31):
        return array.astype(np.int32)
    return array


def to_array(value, dtype=None) -> np.ndarray:
    """A leaf as an array of a type that the engine holds."""
    array = held(raw_array(value))
    return array if dtype is None else array.astype(numpy_dtype(dtype), copy=False)


def is_dataset(value) -> bool:
    return hasattr(value, "_stage")


def to_element(value):
    """What a user's function gave, as an element: a list at the top is a tuple."""
    if isinstance(value, list):
        value = tuple(value)
    return map_structure(lambda x: x if x is None or is_dataset(x) else to_array(x), value)


def to_tensors(element):
    """An element as users see it."""
    return map_structure(lambda x: _core.constant(x) if isinstance(x, np.ndarray) else x, element)


def to_numpy(element):
    """An element of arrays that the caller owns; texts and numbers without an axis are scalars."""

    def own(leaf):
        if not isinstance(leaf, np.ndarray):
            return leaf
        return leaf[()] if leaf.ndim == 0 else np.array(leaf)

    return map_structure(own, element)


def spec_of(element):
    """The spec of an element, with the shapes that it has."""

    def spec(leaf):
        if leaf is None:
            return NoneTensorSpec()
        if is_dataset(leaf):
            from plimsoll.tensorflow.data._stage import DatasetSpec

            return DatasetSpec(leaf.element_spec)
        return TensorSpec(leaf.shape, as_dtype(leaf.dtype))

    return map_structure(spec, element)
