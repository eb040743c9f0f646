"""tf.nest: nested lists, tuples and dicts as flat lists, and back. Dicts are in the order of their keys."""
from plimsoll import _missing


def is_nested(structure) -> bool:
    return isinstance(structure, (list, tuple, dict))


def _parts(structure):
    return [structure[key] for key in sorted(structure)] if isinstance(structure, dict) else structure


def flatten(structure, expand_composites=False) -> list:
    """The leaves, in order."""
    if not is_nested(structure):
        return [structure]
    return [leaf for part in _parts(structure) for leaf in flatten(part)]


def assert_same_structure(nest1, nest2, check_types=True, expand_composites=False) -> None:
    """ValueError if two structures are nested in different ways."""
    is_same = is_nested(nest1) == is_nested(nest2) and (
        not is_nested(nest1) or len(nest1) == len(nest2)) and (
        not isinstance(nest1, dict) or isinstance(nest2, dict) and sorted(nest1) == sorted(nest2))
    if not is_same:
        raise ValueError("The two structures don't have the same nested structure: "
                         f"{nest1!r} and {nest2!r}")
    if is_nested(nest1):
        for first, second in zip(_parts(nest1), _parts(nest2)):
            assert_same_structure(first, second, check_types)


def pack_sequence_as(structure, flat_sequence, expand_composites=False):
    """The structure with these leaves."""
    leaves = list(flat_sequence)
    if len(leaves) != len(flatten(structure)):
        raise ValueError(f"tf.nest.pack_sequence_as: expected {len(flatten(structure))} leaves, found "
                         f"{len(leaves)}")
    remaining = iter(leaves)
    return _packed(structure, remaining)


def _packed(structure, remaining):
    if isinstance(structure, dict):
        found = {key: _packed(structure[key], remaining) for key in sorted(structure)}
        return type(structure)((key, found[key]) for key in structure)
    if not is_nested(structure):
        return next(remaining)
    items = [_packed(part, remaining) for part in structure]
    return type(structure)(*items) if hasattr(structure, "_fields") else type(structure)(items)


def map_structure(func, *structure, **kwargs):
    """The structure with the function of the leaves in their places."""
    for other in structure[1:]:
        assert_same_structure(structure[0], other)
    return pack_sequence_as(structure[0], [func(*leaves) for leaves in zip(*map(flatten, structure))])


_missing.lazy(globals(), {})
