"""InceptionResNetV2, and how its images are made."""

from plimsoll.keras import layers

from ._network import network, tensorflow_kernels
from ._shapes import channel_axis
from .imagenet_utils import decode_predictions, preprocessing

__all__ = ["InceptionResNetV2", "decode_predictions", "preprocess_input"]

preprocess_input = preprocessing("tf")

# A branch is a chain of convolutions: (filters, kernel).
RESIDUAL_BRANCHES = {
    "block35": [[(32, 1)], [(32, 1), (32, 3)], [(32, 1), (48, 3), (64, 3)]],
    "block17": [[(192, 1)], [(128, 1), (160, (1, 7)), (192, (7, 1))]],
    "block8": [[(192, 1)], [(192, 1), (224, (1, 3)), (256, (3, 1))]],
}
FIRST = [[(96, 1)], [(48, 1), (64, 5)], [(64, 1), (96, 3), (96, 3)]]
# The two blocks that halve the size; the last convolution of each branch has a stride of 2.
REDUCTIONS = {
    "mixed_6a": [[(384, 3)], [(256, 1), (256, 3), (384, 3)]],
    "mixed_7a": [[(256, 1), (384, 3)], [(256, 1), (288, 3)], [(256, 1), (288, 3), (320, 3)]],
}


class CustomScaleLayer(layers.Layer):
    """The first input plus the second one times `scale`."""

    def __init__(self, scale, **kwargs):
        super().__init__(**kwargs)
        self.scale = scale

    def call(self, inputs):
        shortcut, change = inputs
        return shortcut + change * self.scale

    def get_config(self):
        return {**super().get_config(), "scale": self.scale}


def _convolved(x, filters, kernel, strides=1, padding="same", name=None):
    x = layers.Conv2D(
        filters, kernel, strides=strides, padding=padding, use_bias=False, name=name
    )(x)
    bn_name, relu_name = (f"{name}_bn", f"{name}_ac") if name else (None, None)
    x = layers.BatchNormalization(axis=channel_axis(), scale=False, name=bn_name)(x)
    return layers.Activation("relu", name=relu_name)(x)


def _branch(x, chain, halve=False):
    for position, (filters, kernel) in enumerate(chain, start=1):
        last = halve and position == len(chain)
        x = _convolved(x, filters, kernel, *((2, "valid") if last else ()))
    return x


def _joined(branches, name):
    return layers.Concatenate(axis=channel_axis(), name=name)(branches)


def _residual_block(x, kind, index, scale, relu=True):
    name = f"{kind}_{index}"
    mixed = _joined([_branch(x, chain) for chain in RESIDUAL_BRANCHES[kind]], f"{name}_mixed")
    channels = x.shape[channel_axis()]
    change = layers.Conv2D(channels, 1, padding="same", name=f"{name}_conv")(mixed)
    x = CustomScaleLayer(scale)([x, change])
    return layers.Activation("relu", name=f"{name}_ac")(x) if relu else x


def _reduction(x, name):
    branches = [_branch(x, chain, halve=True) for chain in REDUCTIONS[name]]
    return _joined([*branches, layers.MaxPooling2D(3, strides=2)(x)], name)


def _stem(x):
    x = _convolved(x, 32, 3, 2, "valid")
    x = _convolved(x, 32, 3, 1, "valid")
    x = _convolved(x, 64, 3)
    x = layers.MaxPooling2D(3, strides=2)(x)
    x = _convolved(x, 80, 1, 1, "valid")
    x = _convolved(x, 192, 3, 1, "valid")
    x = layers.MaxPooling2D(3, strides=2)(x)
    branches = [_branch(x, chain) for chain in FIRST]
    pooled = layers.AveragePooling2D(3, strides=1, padding="same")(x)
    return _joined([*branches, _convolved(pooled, 64, 1)], "mixed_5b")


def _inception_resnet_v2(net):
    x = _stem(net.input(default_size=299, min_size=75))
    for index in range(1, 11):
        x = _residual_block(x, "block35", index, 0.17)
    x = _reduction(x, "mixed_6a")
    for index in range(1, 21):
        x = _residual_block(x, "block17", index, 0.1)
    x = _reduction(x, "mixed_7a")
    for index in range(1, 10):
        x = _residual_block(x, "block8", index, 0.2)
    x = _residual_block(x, "block8", 10, 1.0, relu=False)
    x = _convolved(x, 1536, 1, name="conv_7b")
    return net.model(net.head(x), tensorflow_kernels("inception_resnet_v2", "inception_resnet_v2"))


InceptionResNetV2 = network(_inception_resnet_v2, "InceptionResNetV2", "inception_resnet_v2")
