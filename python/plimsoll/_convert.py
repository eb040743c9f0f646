"""Nested structures of tensors: flat lists of them, and back."""
import numpy as np

from plimsoll import _core


def is_tensor(value) -> bool:
    """True for tensors and variables, of the engine or with its protocol."""
    return isinstance(value, (_core.Tensor, _core.Variable)) or hasattr(value, "__plimsoll_tensor__")


class Slot:
    """Stands for tensor number `index` in a structure."""

    __slots__ = ("index",)

    def __init__(self, index: int):
        self.index = index

    def __eq__(self, other) -> bool:
        return isinstance(other, Slot) and other.index == self.index

    __hash__ = None


def _is_named_tuple(value) -> bool:
    return isinstance(value, tuple) and hasattr(value, "_fields")


def _rebuilt(like, items: list):
    if _is_named_tuple(like):
        return type(like)(*items)
    return tuple(items) if isinstance(like, tuple) else list(items)


def take_tensors(value, into: list, wants=is_tensor):
    """The structure with slots in place of its tensors, which are appended to `into`."""
    if wants(value):
        into.append(value)
        return Slot(len(into) - 1)
    if isinstance(value, dict):
        return {key: take_tensors(item, into, wants) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return _rebuilt(value, [take_tensors(item, into, wants) for item in value])
    return value


def put_tensors(structure, tensors: list):
    """The structure with its tensors."""
    if isinstance(structure, Slot):
        return tensors[structure.index]
    if isinstance(structure, dict):
        return {key: put_tensors(item, tensors) for key, item in structure.items()}
    if isinstance(structure, (list, tuple)):
        return _rebuilt(structure, [put_tensors(item, tensors) for item in structure])
    return structure


def same_structure(a, b) -> bool:
    """True if two structures differ in nothing but the numbers of their slots."""
    if isinstance(a, Slot) or isinstance(b, Slot):
        return isinstance(a, Slot) and a == b
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return list(a) == list(b) and all(same_structure(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same_structure, a, b))
    if isinstance(a, np.ndarray):
        return a is b
    return a is b or bool(a == b)


def flatten(value) -> list:
    """The leaves of nested lists, tuples and dicts, in order; dicts in the order of their keys."""
    if isinstance(value, dict):
        return [leaf for key in value for leaf in flatten(value[key])]
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in flatten(item)]
    return [] if value is None else [value]


def map_structure(function, value):
    """The structure with the function's result in place of each leaf."""
    if isinstance(value, dict):
        return {key: map_structure(function, item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return _rebuilt(value, [map_structure(function, item) for item in value])
    return function(value)


def own_arrays(structure):
    """The structure with arrays on the memory of its tensors, which nobody else holds; a second one of a tensor is a copy."""
    taken = set()

    def own(leaf):
        if not isinstance(leaf, _core.Tensor) or id(leaf) in taken:
            return np.array(leaf)
        taken.add(id(leaf))
        return leaf.writable_array()

    return map_structure(own, structure)


def _has_tensor(value) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_has_tensor, value))
    return is_tensor(value)


def stack_if_tensors(value):
    """One tensor of nested lists in which there are tensors; None if there are none."""
    if not _has_tensor(value):
        return None
    parts = [part if is_tensor(part) else _core.constant(part) for part in value]
    return _core.operation("Stack", {"axis": 0}, [parts])
