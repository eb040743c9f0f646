"""Functions of the user on placeholders: what they give, and whether they may run on many records.

A function is written for one record. Called with a stack of records it gives the stack of results
if none of its operations mixes the rows and none means another axis by the same number. Both are
looked at: the first in the recorded graph, the second by comparing results.
"""

import sys

import numpy as np

from plimsoll import _core
from plimsoll.tensorflow._specs import TensorShape, TensorSpec
from plimsoll.tensorflow.data._effects import may_have_effects
from plimsoll.tensorflow.data._structure import flatten, map_structure, same_structure
from plimsoll.tensorflow.data._values import to_array

# Sizes that stand for one that is not known. Where a size of the result follows the choice, it is
# not known either.
_STAND_INS = (7, 11)
_RANDOM = frozenset(["random_uniform", "random_normal", "dropout"])


def _outputs(function, tensors):
    """The structure of what the function returns, in which every leaf is a tensor; None if not."""
    result = function(*tensors) if type(tensors) is tuple else function(tensors)
    if isinstance(result, list):
        result = tuple(result)
    leaves = flatten(result)
    if any(leaf is None or hasattr(leaf, "_stage") for leaf in leaves):
        return None
    return map_structure(
        lambda x: x if isinstance(x, _core.Tensor) else _core.constant(to_array(x)), result
    )


def _placeholders(spec, unknown: int, rows: int | None = None):
    def make(leaf):
        shape = [unknown if size is None else size for size in leaf.shape]
        return _core.placeholder(leaf.dtype, shape if rows is None else [rows, *shape])

    return map_structure(make, spec)


def _is_traceable(spec) -> bool:
    return all(
        isinstance(leaf, TensorSpec) and leaf.shape.rank is not None and leaf.dtype != "string"
        for leaf in flatten(spec)
    )


def traced_spec(function, spec):
    """The spec of what the function makes of elements of a spec; None if only a call can show it."""
    if not _is_traceable(spec):
        return None
    try:
        traced = [_outputs(function, _placeholders(spec, size)) for size in _STAND_INS]
    except Exception:  # it needs values, so it is called with values
        return None
    if traced[0] is None or not same_structure(*traced):
        return None
    return map_structure(_known_of, *traced)


def _known_of(first, second) -> TensorSpec:
    shape = TensorShape(first.shape).most_specific_compatible_shape(second.shape)
    return TensorSpec(shape, first.dtype)


def runs_batched(function, spec, records) -> bool:
    """True if a stack of records may be given to the function instead of one after the other."""
    if not _is_traceable(spec) or records.size == 0:
        return False
    if not all(leaf.shape.is_fully_defined() for leaf in flatten(spec)):
        return False
    if may_have_effects(function):
        return False
    try:
        return _keeps_rows(function, spec) and _gives_the_same(function, spec, records)
    except Exception:  # whatever it is, it comes again where one record is called with
        return False


def draws_random_numbers(tensors: list) -> bool:
    """True if computing the tensors draws random numbers."""
    return bool(_RANDOM & _core.names_of_ops(tensors))


def _numbers_drawn_in_numpy() -> int:
    """How often tf.random has drawn numbers that no operation of a graph draws."""
    module = sys.modules.get("plimsoll.tensorflow.random")
    return 0 if module is None else module._calls["count"]


def _keeps_rows(function, spec) -> bool:
    rows = _core.PROBE_BATCH
    drawn = _numbers_drawn_in_numpy()
    single = _outputs(function, _placeholders(spec, 0))
    stack = _outputs(function, _placeholders(spec, 0, rows))
    if _numbers_drawn_in_numpy() != drawn:
        return False
    if single is None or stack is None or not same_structure(single, stack):
        return False
    pairs = list(zip(flatten(single), flatten(stack)))
    if any(tuple(many.shape) != (rows, *one.shape) for one, many in pairs):
        return False
    outputs = flatten(stack)
    return not draws_random_numbers(outputs) and _core.keep_samples_apart(outputs)


def _gives_the_same(function, spec, records) -> bool:
    """Compares results for records of the data, and for the same with numbers at random."""
    count = 3 if records.size < 0 else min(3, records.size)
    rows = records.read(range(count))
    random = np.random.default_rng(0)
    return all(_agrees(function, sample) for sample in (rows, _at_random(rows, random)))


def _at_random(rows, random):
    """Numbers that share no symmetry. Whole numbers may be places in a table: they stay."""

    def draw(leaf):
        if leaf.dtype.kind == "f":
            return random.uniform(-1, 1, leaf.shape).astype(leaf.dtype)
        if leaf.dtype == np.uint8:
            return random.integers(0, 256, leaf.shape, np.uint8)
        return leaf

    return map_structure(draw, rows)


def _agrees(function, rows) -> bool:
    constants = map_structure(_core.constant, rows)
    stack = [np.asarray(leaf) for leaf in flatten(_outputs(function, constants))]
    count = len(flatten(rows)[0])
    for place in range(count):
        one = map_structure(lambda leaf, at=place: _core.constant(leaf[at, ...]), rows)
        for leaf, many in zip(flatten(_outputs(function, one)), stack):
            if not np.allclose(np.asarray(leaf), many[place], 1e-5, 1e-6, equal_nan=True):
                return False
    return True
