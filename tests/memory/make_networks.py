"""make_networks.py FOLDER: EfficientNetB0 and ResNet50 of keras.applications for ten classes, with calls as Keras 2
writes them, and 64 records of zeros of the right shapes.

What a refusal has to search through is the number of layers and how they are joined.
"""
import json
import pathlib
import sys
import zipfile

from make_models import write_zeros

SHAPE = [224, 224, 3]


class Network:
    """Layers that are listed with those they read."""

    def __init__(self, name):
        self.name = name
        config = {"batch_input_shape": [None, *SHAPE], "dtype": "float32", "name": "input"}
        self.layers = [self._row("InputLayer", "input", config, [])]

    @staticmethod
    def _row(kind, name, config, nodes):
        return {"module": "keras.layers", "class_name": kind, "name": name, "config": config, "inbound_nodes": nodes}

    def add(self, kind, *read, **config):
        name = config["name"] = f"{kind.lower()}_{len(self.layers)}"
        self.layers.append(self._row(kind, name, config, [[[other, 0, 0, {}] for other in read]]))
        return name

    def convolved(self, x, filters, size, strides=1, activation=None, kind="Conv2D", **config):
        """A convolution, batch normalization, and the activation if there is one."""
        if kind == "Conv2D":
            config["filters"] = filters
        x = self.add(kind, x, kernel_size=[size, size], strides=[strides, strides], padding="same", **config)
        x = self.add("BatchNormalization", x)
        return self.add("Activation", x, activation=activation) if activation else x

    def to_json(self, x):
        x = self.add("Dense", self.add("GlobalAveragePooling2D", x), units=10, activation="softmax")
        return json.dumps({"class_name": "Functional", "config": {
            "name": self.name, "layers": self.layers, "input_layers": [["input", 0, 0]], "output_layers": [[x, 0, 0]]}})


def resnet50():
    net = Network("resnet50")
    x = net.convolved("input", 64, 7, 2, "relu")
    x = net.add("MaxPooling2D", x, pool_size=[3, 3], strides=[2, 2], padding="same")
    for stage, blocks in enumerate([3, 4, 6, 3]):
        filters = 64 << stage
        for block in range(blocks):
            strides = 2 if block == 0 and stage > 0 else 1
            shortcut = net.convolved(x, 4 * filters, 1, strides) if block == 0 else x
            y = net.convolved(x, filters, 1, strides, "relu")
            y = net.convolved(net.convolved(y, filters, 3, 1, "relu"), 4 * filters, 1)
            x = net.add("Activation", net.add("Add", shortcut, y), activation="relu")
    return net.to_json(x)


def gated(net, x, filters, squeezed):
    gate = net.add("Reshape", net.add("GlobalAveragePooling2D", x), target_shape=[1, 1, filters])
    for count, activation in ((squeezed, "swish"), (filters, "sigmoid")):
        gate = net.add("Conv2D", gate, filters=count, kernel_size=[1, 1], padding="same", activation=activation)
    return net.add("Multiply", x, gate)


# (kernel, blocks, filters, expansion, stride of the first block) of each stage.
STAGES = [(3, 1, 16, 1, 1), (3, 2, 24, 6, 2), (5, 2, 40, 6, 2), (3, 3, 80, 6, 2), (5, 3, 112, 6, 1), (5, 4, 192, 6, 2),
          (3, 1, 320, 6, 1)]


def efficientnet_b0():
    net = Network("efficientnet_b0")
    x = net.add("Rescaling", "input", scale=1 / 255, offset=0.0)
    x = net.convolved(x, 32, 3, 2, "swish", use_bias=False)
    channels, dropped = 32, 0
    for size, blocks, filters, expansion, first_strides in STAGES:
        for block in range(blocks):
            strides = first_strides if block == 0 else 1
            inner = channels * expansion
            y = net.convolved(x, inner, 1, 1, "swish", use_bias=False) if expansion > 1 else x
            y = net.convolved(y, inner, size, strides, "swish", "DepthwiseConv2D", use_bias=False)
            y = net.convolved(gated(net, y, inner, max(1, channels // 4)), filters, 1, use_bias=False)
            if strides == 1 and channels == filters:
                y = net.add("Dropout", y, rate=0.2 * dropped / 16, noise_shape=[None, 1, 1, 1])
                y = net.add("Add", y, x)
            x, channels, dropped = y, filters, dropped + 1
    x = net.convolved(x, 1280, 1, 1, "swish", use_bias=False)
    return net.to_json(x)


folder = pathlib.Path(sys.argv[1])
(folder / "resnet50.json").write_text(resnet50())
(folder / "efficientnet_b0.json").write_text(efficientnet_b0())
with zipfile.ZipFile(folder / "images.npz", "w", zipfile.ZIP_DEFLATED) as records:
    write_zeros(records, "x", [64, *SHAPE])
    write_zeros(records, "y", [64, 10])
