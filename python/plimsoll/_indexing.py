"""x[…] of tensors: what NumPy's basic indexing does, and lists, tensors and masks of one axis."""
import functools

import numpy as np

from plimsoll import _core


def _is_basic(part) -> bool:
    return part is None or part is Ellipsis or isinstance(part, (slice, int, np.integer)) or (
        isinstance(part, _core.Tensor) and not part.ndim and str(part.dtype.name) != "bool")


def _plain(part):
    """Numbers inside of an index as Python's own."""
    if isinstance(part, slice):
        return slice(*(None if end is None else int(end)
                       for end in (part.start, part.stop, part.step)))
    return int(part) if isinstance(part, (np.integer, _core.Tensor)) else part


def _by_mask(x, mask):
    mask = np.asarray(mask)
    rows = np.nonzero(mask.ravel())[0]
    if mask.ndim == 1:
        return _core.take(x, rows.astype(np.int32), 0)
    flat = _core.reshape(x, (-1, *x.shape[mask.ndim:]))
    return _core.take(flat, rows.astype(np.int32), 0)


def _without_ellipsis(x, parts: tuple) -> tuple:
    """The slices that an ellipsis stands for in its place."""
    position = next((i for i, part in enumerate(parts) if part is Ellipsis), None)
    if position is None:
        return parts
    missing = x.ndim - sum(part is not None for part in parts) + 1
    return parts[:position] + (slice(None),) * missing + parts[position + 1:]


def _by_lists(x, parts: tuple):
    """One list, array or tensor of indices among slices that take whole axes."""
    parts = _without_ellipsis(x, parts)
    at = [i for i, part in enumerate(parts) if not _is_basic(part)]
    if len(at) == 1:
        axis = at[0]
        taken = _core.take(x, _indices(parts[axis], x.shape[axis]), axis)
        rest = parts[:axis] + (slice(None),) + parts[axis + 1:]
        # Axes that an index removes would move the one that was taken.
        return taken if all(part == slice(None) for part in rest) else get_item(taken, rest)
    return _by_many(x, parts, at)


def _by_many(x, parts: tuple, at: list):
    """x[rows, columns, …]: the elements at pairs of indices, of the first axes."""
    if at != list(range(len(at))) or len(parts) != len(at):
        raise NotImplementedError("several lists of indices must be for the first axes of a tensor; "
                                  "use numpy() for other forms")
    sizes = x.shape[:len(at)]
    arrays = [_core.constant(part) for part in parts]
    flat = arrays[0]
    for size, indices in zip(list(sizes)[1:], arrays[1:]):
        flat = flat * int(size) + indices
    rows = _core.reshape(x, (-1, *list(x.shape)[len(at):]))
    return _core.take(rows, flat, 0)


def _indices(part, size):
    if isinstance(part, _core.Tensor):
        return part
    array = np.asarray(part)
    return np.where(array < 0, array + size, array).astype(np.int32)


def get_item(x, key):
    parts = key if isinstance(key, tuple) else (key,)
    if all(map(_is_basic, parts)):
        if x.dtype == "string":  # the engine has an axis of bytes after the others
            parts = _without_ellipsis(x, parts)
        return _core.operation("GetItem", {}, [x, [_plain(part) for part in parts]])
    if len(parts) == 1 and str(getattr(parts[0], "dtype", "")).find("bool") >= 0:
        return _by_mask(x, parts[0])
    if len(parts) == 1 and isinstance(parts[0], list) and parts[0] and isinstance(parts[0][0], bool):
        return _by_mask(x, parts[0])
    return _by_lists(x, parts)


def part_of_variable(variable, key):
    """The value of variable[key]; its assign(), assign_add() and assign_sub() change that part."""
    part = get_item(variable.read_value(), key)
    part.assign = functools.partial(_assign, variable, key, None)
    part.assign_add = functools.partial(_assign, variable, key, "Add")
    part.assign_sub = functools.partial(_assign, variable, key, "Subtract")
    return part


def _assign(variable, key, change, value, use_locking=None, name=None, read_value=True):
    parts = key if isinstance(key, tuple) else (key,)
    if not all(map(_is_basic, parts)):
        raise NotImplementedError("a part of a variable that is assigned to is named by numbers and "
                                  "slices; use tf.tensor_scatter_nd_update for lists of indices")
    old, shape = variable.read_value(), tuple(variable.shape)
    size = int(np.prod(shape))
    places = np.arange(size).reshape(shape)[tuple(map(_plain, parts))]
    value = _core.constant(value, old.dtype.name)
    if change is not None:
        value = _core.operation(change, {}, [get_item(old, key), value])
    value = _core.reshape(_core.broadcast_to(value, places.shape), (-1,))
    # Where each element comes from is data, not a part of the step: a loop over places compiles once.
    changed, source = np.zeros(size, bool), np.zeros(size, np.int32)
    changed[places.ravel()], source[places.ravel()] = True, np.arange(places.size)
    flat = _core.select(changed, _core.take(value, source, 0), _core.reshape(old, (-1,)))
    variable.assign(_core.reshape(flat, shape))
    return variable
