"""Shapes of inputs: for build() and for outputs that are only measured."""
import inspect


def is_list_of_shapes(shape) -> bool:
    return bool(shape) and isinstance(shape[0], (list, tuple))


def without_batch(shape: tuple) -> tuple:
    return (None, *tuple(shape)[1:]) if len(shape) else tuple(shape)


def call_build(build, given, form, shapes: list) -> None:
    """build(input_shape), or build(query_shape, value_shape) as Keras 3 has it for such names."""
    parameters = [p for p in inspect.signature(build).parameters.values()
                  if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    needed = [p for p in parameters if p.default is inspect.Parameter.empty]
    if len(needed) > 1 and len(needed) <= len(shapes):
        build(*shapes[:len(needed)])
    elif parameters:
        build(given)
    else:
        build()
