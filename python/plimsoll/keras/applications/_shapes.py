"""The shape of a network's input and the padding that depends on it."""

import sys
import warnings

from plimsoll.keras import config


def warn(message: str) -> None:
    """Warns of the line that called the network."""
    frame, depth = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        frame, depth = frame.f_back, depth + 1
    warnings.warn(message, stacklevel=depth)


def channels_first() -> bool:
    return config.image_data_format() == "channels_first"


def channel_axis(last: int = 3) -> int:
    """The axis of channels; `last` is how the network writes it where channels come last."""
    return 1 if channels_first() else last


def refuse_channels_first(network: str) -> None:
    if channels_first():
        raise ValueError(
            f"{network} exists for channels_last images only; call"
            " keras.config.set_image_data_format('channels_last') first"
        )


def image_shape(rows, columns, channels) -> tuple:
    return (channels, rows, columns) if channels_first() else (rows, columns, channels)


def rows_and_columns(shape) -> tuple:
    return tuple(shape[1:3] if channels_first() else shape[0:2])


def channels_of(shape):
    return shape[0] if channels_first() else shape[2]


def input_shape_of(shape, default_size: int, min_size: int, fixed: bool, pretrained: bool) -> tuple:
    """The shape of one image: what the user asks for if the network can take it, else the network's
    own size. Where the shape need not be `fixed`, height and width may stay open (None)."""
    if shape is not None:
        shape = tuple(shape)
        _check_shape(shape, min_size, pretrained)
    channels = channels_of(shape) if shape and not pretrained else 3
    default = image_shape(default_size, default_size, channels)
    if fixed and pretrained and shape not in (None, default):
        raise ValueError(
            f"weights='imagenet' with include_top=True need input_shape={default}, not {shape};"
            " pass include_top=False for another size"
        )
    shape = shape or (default if fixed else image_shape(None, None, channels))
    if fixed and None in shape:
        raise ValueError(f"include_top=True needs a known input_shape, not {shape}")
    return shape


def _check_shape(shape: tuple, min_size: int, pretrained: bool) -> None:
    if len(shape) != 3:
        raise ValueError(f"input_shape is {shape}; a height, a width and channels were expected")
    if channels_of(shape) != 3 and pretrained:
        raise ValueError(f"weights='imagenet' need images with 3 channels, not input_shape={shape}")
    if channels_of(shape) not in (1, 3):
        warn(f"input_shape={shape} has neither 1 nor 3 channels")
    if any(size is not None and size < min_size for size in rows_and_columns(shape)):
        raise ValueError(f"input_shape is {shape}; the least is {min_size} x {min_size} pixels")


def half_padding(x, kernel_size: int) -> tuple:
    """Padding before a convolution of stride 2 without padding of its own: its output has half the
    size, rounded up. An even size gets one row less before than after."""
    sizes = rows_and_columns(x.shape[1:])
    less = [1 if None in sizes else 1 - size % 2 for size in sizes]
    return tuple((kernel_size // 2 - before, kernel_size // 2) for before in less)
