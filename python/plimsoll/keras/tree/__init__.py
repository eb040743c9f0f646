"""keras.tree: nested lists, tuples and dicts, their leaves, and back."""
from collections import OrderedDict, defaultdict

from plimsoll import _missing


class MAP_TO_NONE:
    """What a function given to traverse() returns to put None in the place of a part."""


def is_nested(structure) -> bool:
    """True for lists, tuples and dicts."""
    return isinstance(structure, (list, tuple, dict))


def _parts(structure) -> list:
    """The keys and parts of one level; dicts but ordered ones are in the order of their sorted keys."""
    if not isinstance(structure, dict):
        return list(enumerate(structure))
    keys = list(structure) if isinstance(structure, OrderedDict) else sorted(structure)
    return [(key, structure[key]) for key in keys]


def _rebuilt(structure, parts: list):
    """A structure like this one with other parts, in the order of _parts()."""
    if isinstance(structure, dict):
        by_key = dict(zip((key for key, _ in _parts(structure)), parts))
        items = [(key, by_key[key]) for key in structure]
        if isinstance(structure, defaultdict):
            return defaultdict(structure.default_factory, items)
        return type(structure)(items)
    if hasattr(structure, "_fields"):
        return type(structure)(*parts)
    return type(structure)(parts)


def flatten(structure) -> list:
    """The leaves."""
    return [leaf for _, leaf in flatten_with_path(structure)]


def flatten_with_path(structure) -> list:
    """Pairs of the path of keys to a leaf, and the leaf."""
    if not is_nested(structure):
        return [((), structure)]
    return [((key, *path), leaf) for key, part in _parts(structure)
            for path, leaf in flatten_with_path(part)]


def map_structure(func, *structures, none_is_leaf=True):
    """The structure with func(leaf, …) in the place of each leaf of structures that are alike."""
    if not callable(func):
        raise TypeError(f"keras.tree.map_structure: expected a function, found {func!r}")
    if not structures:
        raise ValueError("keras.tree.map_structure: pass at least one structure")
    for other in structures[1:]:
        assert_same_structure(structures[0], other)
    return _mapped(func, structures, none_is_leaf)


def _mapped(func, structures, none_is_leaf):
    first = structures[0]
    if not is_nested(first):
        if not none_is_leaf and all(each is None for each in structures):
            return None
        return func(*structures)
    levels = [[part for _, part in _parts(each)] for each in structures]
    return _rebuilt(first, [_mapped(func, parts, none_is_leaf) for parts in zip(*levels)])


def map_structure_up_to(shallow_structure, func, *structures):
    """Like map_structure, but what is a leaf of shallow_structure is one of the others."""
    if not structures:
        raise ValueError("keras.tree.map_structure_up_to: pass at least one structure")
    if not is_nested(shallow_structure):
        return func(*structures)
    levels = [_same_level(shallow_structure, each) for each in structures]
    shallow = [part for _, part in _parts(shallow_structure)]
    return _rebuilt(shallow_structure,
                    [map_structure_up_to(part, func, *parts) for part, *parts in zip(shallow, *levels)])


def _same_level(a, b) -> list:
    """The parts of b, which must have the keys of a."""
    if not is_nested(b) or [key for key, _ in _parts(a)] != [key for key, _ in _parts(b)]:
        raise ValueError(f"keras.tree: the structures differ: {a!r} and {b!r}")
    return [part for _, part in _parts(b)]


def assert_same_structure(a, b, check_types=None) -> None:
    """A ValueError says where two structures differ."""
    if is_nested(a) != is_nested(b):
        raise ValueError(f"keras.tree: the structures differ: {a!r} and {b!r}")
    if not is_nested(a):
        return
    if not isinstance(a, dict) and type(a) is not type(b):
        raise ValueError(f"keras.tree: the structures differ: a {type(a).__name__} and a {type(b).__name__}")
    for (_, part), other in zip(_parts(a), _same_level(a, b)):
        assert_same_structure(part, other)


def assert_same_paths(a, b) -> None:
    """A ValueError says that leaves have other paths."""
    paths = [{path for path, _ in flatten_with_path(each)} for each in (a, b)]
    if paths[0] != paths[1]:
        raise ValueError(f"keras.tree: the paths of the leaves differ: {sorted(map(str, paths[0] ^ paths[1]))}")


def pack_sequence_as(structure, flat_sequence):
    """The structure with these leaves."""
    count = len(flatten(structure))
    if not is_nested(flat_sequence):
        raise TypeError(f"keras.tree.pack_sequence_as: expected a list of leaves, found {flat_sequence!r}")
    if count != len(flat_sequence):
        raise ValueError(f"keras.tree.pack_sequence_as: the structure has {count} leaves, the list has "
                         f"{len(flat_sequence)}")
    leaves = iter(flat_sequence)
    return _mapped(lambda _: next(leaves), [structure], True)


def traverse(func, structure, top_down=True):
    """The structure with func(part) in the place of each part for which it is not None."""
    if top_down:
        found = func(structure)
        if found is not None:
            return None if found is MAP_TO_NONE else found
    if is_nested(structure):
        parts = [traverse(func, part, top_down) for _, part in _parts(structure)]
        structure = _rebuilt(structure, parts)
    if top_down:
        return structure
    found = func(structure)
    if found is None:
        return structure
    return None if found is MAP_TO_NONE else found


def lists_to_tuples(structure):
    """The structure with tuples for lists."""
    if isinstance(structure, list):
        return tuple(map(lists_to_tuples, structure))
    if is_nested(structure):
        return _rebuilt(structure, [lists_to_tuples(part) for _, part in _parts(structure)])
    return structure


def _is_shape(value) -> bool:
    return isinstance(value, (list, tuple)) and all(size is None or isinstance(size, int) for size in value)


def map_shape_structure(func, structure):
    """The structure with func(shape) in the place of each shape, which is a tuple of sizes."""
    if _is_shape(structure):
        return func(tuple(structure))
    if not is_nested(structure):
        raise ValueError(f"keras.tree.map_shape_structure: expected shapes, found {structure!r}")
    return _rebuilt(structure, [map_shape_structure(func, part) for _, part in _parts(structure)])


_missing.told(globals())
