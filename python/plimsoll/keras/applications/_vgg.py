"""VGG16 and VGG19: five blocks of convolutions, each followed by max pooling."""

from plimsoll.keras import layers

FILTERS = (64, 128, 256, 512, 512)


def vgg(net, convolutions, official):
    """`convolutions` says how many each block has."""
    x = net.input(default_size=224)
    for block, (filters, count) in enumerate(zip(FILTERS, convolutions), start=1):
        for index in range(1, count + 1):
            name = f"block{block}_conv{index}"
            x = layers.Conv2D(filters, 3, activation="relu", padding="same", name=name)(x)
        x = layers.MaxPooling2D(2, strides=2, name=f"block{block}_pool")(x)
    return net.model(_dense_head(net, x) if net.include_top else net.pooled(x), official)


def _dense_head(net, x):
    x = layers.Flatten(name="flatten")(x)
    for name in ("fc1", "fc2"):
        x = layers.Dense(4096, activation="relu", name=name)(x)
    return net.classifier(x)
