"""Nested elements as tf.data has them: tuples, named tuples and dicts; a list is one value."""

from collections.abc import Mapping


def is_nested(value) -> bool:
    return isinstance(value, (tuple, Mapping))


def _rebuilt(like, values):
    """A structure of the kind of `like`: values in the order of its own items."""
    if isinstance(like, Mapping):
        pairs = zip(like, values)
        try:
            return type(like)(pairs)
        except TypeError:
            return dict(pairs)
    if hasattr(like, "_fields"):
        return type(like)(*values)
    return tuple(values)


def _check_alike(first, other) -> None:
    if isinstance(first, Mapping):
        if not isinstance(other, Mapping) or set(first) != set(other):
            raise ValueError(f"structures differ: {first!r} and {other!r}")
    elif not isinstance(other, tuple) or len(first) != len(other):
        raise ValueError(f"structures differ: {first!r} and {other!r}")


def map_structure(function, first, *rest):
    """Calls function(leaf, …) for the leaves at the same place; ValueError if structures differ."""
    if isinstance(first, Mapping):
        for other in rest:
            _check_alike(first, other)
        return _rebuilt(
            first, [map_structure(function, first[k], *(r[k] for r in rest)) for k in first]
        )
    if isinstance(first, tuple):
        for other in rest:
            _check_alike(first, other)
        return _rebuilt(first, [map_structure(function, *items) for items in zip(first, *rest)])
    return function(first, *rest)


def map_up_to(shallow, function, *trees):
    """As map_structure, but the leaves are those of `shallow`; lists in `trees` count as tuples."""
    if isinstance(shallow, Mapping):
        for tree in trees:
            _check_alike(shallow, tree)
        return _rebuilt(
            shallow, [map_up_to(shallow[k], function, *(t[k] for t in trees)) for k in shallow]
        )
    if isinstance(shallow, tuple):
        trees = [tuple(tree) if isinstance(tree, list) else tree for tree in trees]
        for tree in trees:
            _check_alike(shallow, tree)
        return _rebuilt(
            shallow, [map_up_to(item, function, *rest) for item, *rest in zip(shallow, *trees)]
        )
    return function(*trees)


def flatten(structure) -> list:
    """The leaves in TensorFlow's order: the keys of dicts are sorted."""
    if isinstance(structure, Mapping):
        return [leaf for key in sorted(structure) for leaf in flatten(structure[key])]
    if isinstance(structure, tuple):
        return [leaf for item in structure for leaf in flatten(item)]
    return [structure]


def pack(like, leaves):
    """The inverse of flatten: a structure of the kind of `like` with these leaves."""
    return _take(like, iter(leaves))


def _take(like, leaves):
    if isinstance(like, Mapping):
        found = {key: _take(like[key], leaves) for key in sorted(like)}
        return _rebuilt(like, [found[key] for key in like])
    if isinstance(like, tuple):
        return _rebuilt(like, [_take(item, leaves) for item in like])
    return next(leaves)


def same_structure(a, b) -> bool:
    try:
        map_structure(lambda *_: None, a, b)
        map_structure(lambda *_: None, b, a)
    except ValueError:
        return False
    return True
