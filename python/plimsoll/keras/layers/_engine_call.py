"""The arguments of a call as the engine's layers take them."""
from plimsoll import _convert, _core


def engine_arguments(handle, args: tuple, kwargs: dict):
    """The tensors and options with which the engine's layer is called."""
    options = {key: kwargs.pop(key) for key in
               ("training", "mask", "attention_mask", "use_causal_mask", "return_attention_scores",
                "initial_state") if key in kwargs}
    if "states" in kwargs:  # of a recurrent cell
        options["initial_state"] = kwargs.pop("states")
    options = {key: value for key, value in options.items() if value is not None}
    args = list(args)
    if not args:
        for key in ("inputs", "sequences", "sequence", "query", "x", "data"):
            if key in kwargs:
                args.append(kwargs.pop(key))
                break
    for key in ("value", "key"):
        if kwargs.get(key) is not None:
            args.append(kwargs[key])
        kwargs.pop(key, None)
    masks = [kwargs.pop(key, None) for key in ("query_mask", "value_mask", "key_mask")]
    if any(mask is not None for mask in masks):
        args = with_masks(args, masks)
    if kwargs:
        raise TypeError(f"{handle.name}: call() got an unexpected argument '{next(iter(kwargs))}'")
    return _flat_inputs(handle, args, options), options


def _flat_inputs(handle, args: list, options: dict) -> list:
    first = args[0]
    inputs = list(first) if isinstance(first, (list, tuple)) and handle.input_count != 1 else [first]
    if isinstance(first, dict):
        inputs = list(first.values())
    if isinstance(first, (list, tuple)) and handle.input_count == 1:
        inputs = _one_of_list(first)
    for extra in args[1:]:
        if extra is None:
            continue
        if handle.takes_inputs_apart:
            inputs.append(extra)
        elif isinstance(extra, (list, tuple)):
            options["initial_state"] = list(extra)
        elif isinstance(extra, bool):
            options["training"] = extra
        else:
            options.setdefault("mask", extra)
    mask = options.pop("mask", None)
    if isinstance(mask, (list, tuple)):
        inputs = with_masks(inputs, mask)
    elif mask is not None:
        options["mask"] = as_mask(mask)
    state = options.get("initial_state")
    if state is not None and not isinstance(state, (list, tuple)):
        options["initial_state"] = [state]
    return inputs


def as_mask(mask):
    """A mask of any element type as booleans."""
    mask = mask if _convert.is_tensor(mask) else _core.constant(mask)
    return mask if mask.dtype == "bool" else _core.cast(mask, "bool")


def with_masks(inputs: list, masks) -> list:
    """Tensors like the inputs, each with its own mask; None is no mask."""
    found = []
    for tensor, mask in zip(inputs, masks):
        if mask is not None:
            tensor = tensor if _convert.is_tensor(tensor) else _core.constant(tensor)
            # The program's own tensor stays without the mask.
            tensor = _core.reshape(tensor, [-1 if size is None else size for size in tensor.shape])
            tensor.set_mask(as_mask(mask))
        found.append(tensor)
    return found + list(inputs[len(found):])


def _one_of_list(value):
    if any(map(_convert.is_tensor, value)):
        return list(value)
    return [value]
