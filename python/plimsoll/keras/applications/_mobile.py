"""What the MobileNets share: filters as multiples of 8, sizes that have official weights."""

from ._shapes import rows_and_columns, warn


def divisible(filters: float, divisor: int = 8) -> int:
    """The multiple of `divisor` that is nearest to `filters` and at most a tenth below."""
    rounded = max(divisor, int(filters + divisor / 2) // divisor * divisor)
    return rounded + divisor if rounded < 0.9 * filters else rounded


def default_size(shape, sizes) -> int:
    """224, or the square that the user asks for if there are weights of that size."""
    if shape is None:
        return 224
    rows, columns = rows_and_columns(shape)
    return rows if rows == columns and rows in sizes else 224


def size_of_weights(net, sizes):
    """The size that the model's name and the file of its weights carry."""
    rows, columns = rows_and_columns(net.input_shape)
    if not net.pretrained or (rows == columns and rows in sizes):
        return rows
    warn(
        f"{rows} x {columns} pixels have no weights of their own ({sizes} have): those for"
        " 224 x 224 are read"
    )
    return 224


def check_alpha(net, alpha, choices) -> None:
    if net.pretrained and alpha not in choices:
        raise ValueError(f"alpha is {alpha}; weights='imagenet' exist for {choices}")
