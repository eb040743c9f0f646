"""Feature and Cross: what a FeatureSpace does with a column, and with several together."""

from plimsoll import _core
from plimsoll.keras import _serialization, layers
from plimsoll.keras.layers.layer import Layer

# Where Keras keeps them: files name it.
_MODULE = "keras.src.layers.preprocessing.feature_space"

# The element type of a column, the layer that it goes through, and what that gives if nothing is said.
_KINDS = {
    "float": ("float32", "Identity", "float"),
    "float_rescaled": ("float32", "Rescaling", "float"),
    "float_normalized": ("float32", "Normalization", "float"),
    "float_discretized": ("float32", "Discretization", "one_hot"),
    "integer_categorical": ("int32", "IntegerLookup", "one_hot"),
    "string_categorical": ("string", "StringLookup", "one_hot"),
    "integer_hashed": ("int32", "Hashing", "one_hot"),
    "string_hashed": ("string", "Hashing", "one_hot"),
}
# Layers that learn from data, and the setting that is given where there is nothing to learn.
_LEARNT = {"Normalization": "mean", "Discretization": "bin_boundaries", "IntegerLookup": "vocabulary",
           "StringLookup": "vocabulary", "TextVectorization": "vocabulary"}


class _Saved:
    def serialized(self) -> dict:
        name = type(self).__name__
        return {"module": _MODULE, "class_name": name, "config": self.get_config(), "registered_name": name}

    @classmethod
    def from_config(cls, config: dict):
        return cls(**config)

    def _take_mode(self, output_mode, known) -> None:
        if output_mode not in known:
            raise ValueError(f"{type(self).__name__}: output_mode must be one of {', '.join(known)}, found {output_mode!r}")
        self.output_mode = output_mode


class Cross(_Saved):
    """Features that are hashed together into `crossing_dim` numbers."""

    def __init__(self, feature_names, crossing_dim, output_mode="one_hot"):
        self._take_mode(output_mode, ("int", "one_hot"))
        self.feature_names = tuple(feature_names)
        self.crossing_dim = crossing_dim

    @classmethod
    def of(cls, given, crossing_dim, features):
        """Of a tuple of names, of a config, or a Cross as it is; ValueError for names that are not features."""
        if isinstance(given, dict):
            given = cls.from_config(given["config"])
        elif not isinstance(given, Cross):
            if not crossing_dim:
                raise ValueError("FeatureSpace: a cross needs a `crossing_dim`, the number of values that it is hashed into")
            given = cls(given, crossing_dim)
        unknown = [name for name in given.feature_names if name not in features]
        if unknown:
            raise ValueError(f"FeatureSpace: crosses '{unknown[0]}', which is not among its features ({', '.join(features)})")
        return given

    @property
    def name(self) -> str:
        return "_X_".join(self.feature_names)

    def get_config(self) -> dict:
        return {"feature_names": self.feature_names, "crossing_dim": self.crossing_dim, "output_mode": self.output_mode}


class Feature(_Saved):
    """A column of `dtype`, which goes through the layer `preprocessor`."""

    def __init__(self, dtype, preprocessor, output_mode):
        self._take_mode(output_mode, ("int", "one_hot", "float"))
        self.dtype = dtype
        self.preprocessor = _layer_of(preprocessor) if isinstance(preprocessor, dict) else preprocessor

    @classmethod
    def with_layer(cls, config: dict, made: dict):
        """Of a config whose layer is there already, by its name."""
        return cls(config["dtype"], made[config["preprocessor"]["config"]["name"]], config["output_mode"])

    @property
    def is_adaptable(self) -> bool:
        """True if the layer has something to learn and was not given it."""
        layer = self.preprocessor
        if type(layer).adapt is not Layer.adapt:
            return True  # a class of the program
        setting = None if layer._created is None else _LEARNT.get(layer._created.class_name)
        return setting is not None and layer._given.get(setting) is None

    def get_config(self) -> dict:
        return {"dtype": self.dtype, "preprocessor": _serialization.serialize_object(self.preprocessor),
                "output_mode": self.output_mode}


def _layer_of(config: dict):
    # Keras has a layer of its own for columns that stay as they are.
    if config["class_name"] == "TFDIdentity":
        config = {**config, "module": "keras.layers", "class_name": "Identity", "registered_name": None}
    return layers.deserialize(config)


def feature_of_kind(kind, name=None, output_mode=None, **settings) -> Feature:
    """The feature that Keras calls `kind`; the layer is called after `name`."""
    if kind not in _KINDS:
        raise ValueError(f"FeatureSpace: {kind!r} is not a kind of feature; known are {', '.join(_KINDS)}")
    dtype, class_name, usual = _KINDS[kind]
    name = name or _core.unique_name(kind)
    layer = getattr(layers, class_name)(name=f"{name}_preprocessor", **settings)
    return Feature(dtype, layer, output_mode or usual)
