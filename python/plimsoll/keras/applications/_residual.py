"""What ResNet and ResNetV2 share: stem, four stages of bottleneck blocks, head."""

from plimsoll.keras import layers

from ._network import tensorflow_kernels
from ._shapes import channel_axis

# Blocks of each stage, by depth.
DEPTHS = {50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3)}


def normalised(x, bn_name, relu_name=None):
    """Batch normalisation with the networks' epsilon, then ReLU if it has a name."""
    x = layers.BatchNormalization(axis=channel_axis(), epsilon=1.001e-5, name=bn_name)(x)
    return x if relu_name is None else layers.Activation("relu", name=relu_name)(x)


def padded(x, size, name=None):
    return layers.ZeroPadding2D(((size, size), (size, size)), name=name)(x)


def residual_network(net, depth, stage, variant, stem_relu):
    """`stage(x, filters, blocks, index, name)` makes stage `index`, from 0 on. With `stem_relu` the
    stem is normalised; else the last stage's output is."""
    x = padded(net.input(default_size=224), 3, "conv1_pad")
    x = layers.Conv2D(64, 7, strides=2, name="conv1_conv")(x)
    if stem_relu:
        x = normalised(x, "conv1_bn", "conv1_relu")
    x = layers.MaxPooling2D(3, strides=2, name="pool1_pool")(padded(x, 1, "pool1_pad"))
    for index, blocks in enumerate(DEPTHS[depth]):
        x = stage(x, 64 * 2**index, blocks, index, f"conv{index + 2}")
    if not stem_relu:
        x = normalised(x, "post_bn", "post_relu")
    official = tensorflow_kernels("resnet", variant)
    return net.model(net.head(x, named=True), official)
