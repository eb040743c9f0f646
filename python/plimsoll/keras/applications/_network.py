"""What surrounds the body of every network: its arguments, its input, its head and its weights."""

import dataclasses
import inspect
import os
from typing import Any, Callable

from plimsoll.keras import layers, models, utils

from ._cache import cached_file
from ._shapes import input_shape_of

IMAGENET_CLASSES = 1000
# The arguments of most networks in Keras's order; `name` always comes last.
STANDARD = {
    "include_top": True,
    "weights": "imagenet",
    "input_tensor": None,
    "input_shape": None,
    "pooling": None,
    "classes": IMAGENET_CLASSES,
    "classifier_activation": "softmax",
}

_DOCUMENTATION = """The network {name}, for images.

include_top            True: with its classifier; False: it ends in feature maps (see pooling)
weights                'imagenet': the official file from the folder `models` of the Keras cache
                       (~/.keras, or $KERAS_HOME); None: random; else the path of a file of weights
input_tensor           the output of layers.Input, or of a layer after it, as the network's input
input_shape            (height, width, channels)
pooling                without the top: None, 'avg' or 'max' over each feature map
classes                how many classes the classifier has
classifier_activation  the classifier's activation; None: logits
name                   the name of the model
"""


@dataclasses.dataclass(frozen=True)
class Weights:
    """The official files of a network: `name`.h5 and, without its classifier, `name` + no_top."""

    folder: str
    name: str
    no_top: str = "_notop.h5"
    remote_name: str | None = None

    def path(self, include_top: bool, purpose: str):
        ending = ".h5" if include_top else self.no_top
        remote = self.name + ending
        if self.remote_name is not None:
            remote = self.remote_name + ending.replace("_", "-")
        address = f"https://storage.googleapis.com/{self.folder}/{remote}"
        return cached_file(self.name + ending, address, purpose)


def tensorflow_kernels(folder: str, name: str) -> Weights:
    """The files of the networks that Keras had first; their names say the order of dimensions."""
    name = f"{name}_weights_tf_dim_ordering_tf_kernels"
    return Weights(f"tensorflow/keras-applications/{folder}", name)


@dataclasses.dataclass
class Network:
    """One call of a network's function: it checks the arguments and makes input, head, model."""

    include_top: bool
    weights: Any
    input_tensor: Any
    input_shape: Any
    pooling: Any
    classes: int
    classifier_activation: Any
    name: str | None
    inputs: Any = dataclasses.field(init=False, default=None)

    def __post_init__(self):
        if self.weights not in (None, "imagenet") and not os.path.exists(self.weights):
            raise ValueError(
                f"weights is {self.weights!r}; None, 'imagenet' or the path of a file was"
                " expected, and there is no such file"
            )
        if not self.include_top:
            return
        if self.pretrained and self.classes != IMAGENET_CLASSES:
            raise ValueError(
                f"weights='imagenet' with include_top=True have {IMAGENET_CLASSES} classes, not"
                f" {self.classes}; pass include_top=False and add a classifier"
            )
        activation = getattr(self.classifier_activation, "__name__", self.classifier_activation)
        if self.weights is not None and activation not in (None, "softmax", "linear"):
            raise ValueError(
                f"classifier_activation is {activation!r}; a classifier that is trained already has"
                " 'softmax' or None"
            )

    @property
    def pretrained(self) -> bool:
        return isinstance(self.weights, str) and self.weights == "imagenet"

    def input(self, default_size: int, min_size: int = 32):
        """The tensor the body starts from; sets input_shape."""
        self.input_shape = input_shape_of(
            self.input_shape, default_size, min_size, self.include_top, self.pretrained
        )
        return self.input_of_shape()

    def input_of_shape(self):
        if self.input_tensor is None:
            self.input_tensor = layers.Input(shape=self.input_shape)
            self.inputs = self.input_tensor
        elif utils.is_keras_tensor(self.input_tensor):
            self.inputs = utils.get_source_inputs(self.input_tensor)
        else:
            raise ValueError(
                "input_tensor: the output of layers.Input, or of a layer after it, was expected,"
                f" found {type(self.input_tensor).__name__}"
            )
        return self.input_tensor

    def pooled(self, x, named: bool = False):
        """Feature maps, or one number of each, as the caller chose."""
        pools = {"avg": layers.GlobalAveragePooling2D, "max": layers.GlobalMaxPooling2D}
        if self.pooling not in pools:
            return x
        return pools[self.pooling](name=f"{self.pooling}_pool" if named else None)(x)

    def classifier(self, x, **options):
        activation = self.classifier_activation
        return layers.Dense(self.classes, activation=activation, name="predictions", **options)(x)

    def head(self, x, top_name="avg_pool", named=False, dropout=0, **options):
        """The usual end: an average of each feature map and a classifier, or `pooled`."""
        if not self.include_top:
            return self.pooled(x, named)
        x = layers.GlobalAveragePooling2D(name=top_name)(x)
        if dropout > 0:
            x = layers.Dropout(dropout, name="top_dropout")(x)
        return self.classifier(x, **options)

    def model(self, outputs, official: Weights):
        model = models.Model(self.inputs, outputs, name=self.name)
        if self.pretrained:
            model.load_weights(official.path(self.include_top, f"{self.name}: weights='imagenet'"))
        elif self.weights is not None:
            model.load_weights(self.weights)
        return model


_FIELDS = [field.name for field in dataclasses.fields(Network) if field.init]


def network(build: Callable, title: str, name: str | None, arguments=STANDARD, **table) -> Callable:
    """The public function of a network. `build(network, **own, **table)` makes the model; `own` are
    the arguments of the function that Network does not have."""
    defaults = {**arguments, "name": name}
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature(
        [inspect.Parameter(key, kind, default=value) for key, value in defaults.items()]
    )

    def function(*positional, **keywords):
        try:
            bound = signature.bind(*positional, **keywords)
        except TypeError as error:
            raise TypeError(f"{title}() {error}") from None
        own = {**defaults, **bound.arguments}
        return build(Network(**{key: own.pop(key) for key in _FIELDS}), **own, **table)

    function.__name__ = function.__qualname__ = title
    function.__module__ = build.__module__
    function.__signature__ = signature
    function.__doc__ = _DOCUMENTATION.format(name=title)
    return function
