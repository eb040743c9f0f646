"""InceptionV3, and how its images are made."""

from plimsoll.keras import layers

from ._network import network, tensorflow_kernels
from ._shapes import channel_axis
from .imagenet_utils import decode_predictions, preprocessing

__all__ = ["InceptionV3", "decode_predictions", "preprocess_input"]

preprocess_input = preprocessing("tf")

# A block is a list of branches and what its last branch is (see _block). A branch is a chain of
# convolutions (filters, rows, columns) of the block's input.
THREES = [(64, 1, 1), (96, 3, 3), (96, 3, 3)]
BLOCKS = [
    *([[(64, 1, 1)], [(48, 1, 1), (64, 5, 5)], THREES, pool] for pool in (32, 64, 64)),
    [[(384, 3, 3)], THREES, "half"],
    *(
        [
            [(192, 1, 1)],
            [(n, 1, 1), (n, 1, 7), (192, 7, 1)],
            [(n, 1, 1), (n, 7, 1), (n, 1, 7), (n, 7, 1), (192, 1, 7)],
            192,
        ]
        for n in (128, 160, 160, 192)
    ),
    [[(192, 1, 1), (320, 3, 3)], [(192, 1, 1), (192, 1, 7), (192, 7, 1), (192, 3, 3)], "half"],
]


def _convolved(x, filters, rows, columns, strides=1, padding="same"):
    x = layers.Conv2D(filters, (rows, columns), strides=strides, padding=padding, use_bias=False)(x)
    x = layers.BatchNormalization(axis=channel_axis(), scale=False)(x)
    return layers.Activation("relu")(x)


def _branch(x, chain, halve):
    for position, convolution in enumerate(chain, start=1):
        last = halve and position == len(chain)
        x = _convolved(x, *convolution, *((2, "valid") if last else ()))
    return x


def _pooled_branch(x, filters):
    x = layers.AveragePooling2D(3, strides=1, padding="same")(x)
    return _convolved(x, filters, 1, 1)


def _joined(branches, name=None):
    return layers.Concatenate(axis=channel_axis(), name=name)(branches)


def _block(x, row, name):
    """A number at the row's end: the filters of a branch after average pooling; "half": the block
    halves the size."""
    *chains, last = row
    branches = [_branch(x, chain, last == "half") for chain in chains]
    if last == "half":
        branches.append(layers.MaxPooling2D(3, strides=2)(x))
    else:
        branches.append(_pooled_branch(x, last))
    return _joined(branches, name)


def _wide_block(x, index):
    """The last two blocks: two of the branches fork once more."""
    single = _convolved(x, 320, 1, 1)
    fork = _convolved(x, 384, 1, 1)
    fork = _joined([_convolved(fork, 384, 1, 3), _convolved(fork, 384, 3, 1)], f"mixed9_{index}")
    deep = _branch(x, [(448, 1, 1), (384, 3, 3)], halve=False)
    deep = _joined([_convolved(deep, 384, 1, 3), _convolved(deep, 384, 3, 1)])
    return _joined([single, fork, deep, _pooled_branch(x, 192)], f"mixed{9 + index}")


def _inception_v3(net):
    x = net.input(default_size=299, min_size=75)
    x = _convolved(x, 32, 3, 3, 2, "valid")
    x = _convolved(x, 32, 3, 3, 1, "valid")
    x = _convolved(x, 64, 3, 3)
    x = layers.MaxPooling2D(3, strides=2)(x)
    x = _convolved(x, 80, 1, 1, 1, "valid")
    x = _convolved(x, 192, 3, 3, 1, "valid")
    x = layers.MaxPooling2D(3, strides=2)(x)
    for index, row in enumerate(BLOCKS):
        x = _block(x, row, f"mixed{index}")
    for index in range(2):
        x = _wide_block(x, index)
    return net.model(net.head(x), tensorflow_kernels("inception_v3", "inception_v3"))


InceptionV3 = network(_inception_v3, "InceptionV3", "inception_v3")
