"""FeatureSpace: the columns of a table, each through a layer of its own, as one vector or by name."""

import os

from plimsoll import _core
from plimsoll.keras import _foreign, layers
from plimsoll.keras.layers.layer import Layer, wrapper_of
from plimsoll.keras.utils import feature_columns
from plimsoll.keras.utils.feature_spec import Cross, Feature, feature_of_kind


class FeatureSpace(Layer):
    """Encodes tables.

    features: for each column the name of a kind ("float", "float_normalized", "float_rescaled",
        "float_discretized", "integer_categorical", "string_categorical", "integer_hashed",
        "string_hashed"), or what a method of that name gives, or `FeatureSpace.feature(…)`.
    output_mode: "concat" for one vector per row, "dict" for a tensor per feature and cross.
    crosses: tuples of features that are hashed together, or what `FeatureSpace.cross(…)` gives.
    crossing_dim, hashing_dim, num_discretization_bins: sizes where a kind or a tuple has none.

    Call `adapt()` with a dict of columns or a Dataset of such dicts first; then call the space with
    rows, or build a model on `get_inputs()` and `get_encoded_features()`.
    """

    def __init__(self, features, output_mode="concat", crosses=None, crossing_dim=32, hashing_dim=32,
                 num_discretization_bins=32, name=None):
        super().__init__(name=name)
        if not features:
            raise ValueError("FeatureSpace: `features` is empty; name at least one column")
        if output_mode not in ("concat", "dict"):
            raise ValueError(f"FeatureSpace: output_mode must be 'concat' or 'dict', found {output_mode!r}")
        self.output_mode = output_mode
        self.crossing_dim, self.hashing_dim = crossing_dim, hashing_dim
        self.num_discretization_bins = num_discretization_bins
        self.features = {key: self._feature(key, value) for key, value in features.items()}
        self.crosses = [Cross.of(each, crossing_dim, self.features) for each in crosses or ()]
        self.crosses_by_name = {cross.name: cross for cross in self.crosses}
        self.preprocessors = {key: feature.preprocessor for key, feature in self.features.items()}
        self.crossers = {cross.name: layers.HashedCrossing(cross.crossing_dim, name=cross.name)
                         for cross in self.crosses}
        self.one_hot_encoders = {}
        self.encoded_features = None
        self._encoder = None
        self._is_adapted = False
        self.inputs = {key: layers.Input(shape=(1,), dtype=feature.dtype, name=key)
                       for key, feature in self.features.items()}

    # --- kinds of features ---------------------------------------------------------------------

    @classmethod
    def cross(cls, feature_names, crossing_dim, output_mode="one_hot"):
        return Cross(feature_names, crossing_dim, output_mode)

    @classmethod
    def feature(cls, dtype, preprocessor, output_mode):
        return Feature(dtype, preprocessor, output_mode)

    @classmethod
    def float(cls, name=None):
        return feature_of_kind("float", name)

    @classmethod
    def float_rescaled(cls, scale=1.0, offset=0.0, name=None):
        return feature_of_kind("float_rescaled", name, scale=scale, offset=offset)

    @classmethod
    def float_normalized(cls, name=None):
        return feature_of_kind("float_normalized", name, axis=-1)

    @classmethod
    def float_discretized(cls, num_bins, bin_boundaries=None, output_mode="one_hot", name=None):
        return feature_of_kind("float_discretized", name, output_mode, num_bins=num_bins, bin_boundaries=bin_boundaries)

    @classmethod
    def integer_categorical(cls, max_tokens=None, num_oov_indices=1, output_mode="one_hot", name=None):
        return feature_of_kind("integer_categorical", name, output_mode, max_tokens=max_tokens,
                               num_oov_indices=num_oov_indices)

    @classmethod
    def string_categorical(cls, max_tokens=None, num_oov_indices=1, output_mode="one_hot", name=None):
        return feature_of_kind("string_categorical", name, output_mode, max_tokens=max_tokens,
                               num_oov_indices=num_oov_indices)

    @classmethod
    def string_hashed(cls, num_bins, output_mode="one_hot", name=None):
        return feature_of_kind("string_hashed", name, output_mode, num_bins=num_bins)

    @classmethod
    def integer_hashed(cls, num_bins, output_mode="one_hot", name=None):
        return feature_of_kind("integer_hashed", name, output_mode, num_bins=num_bins)

    def _feature(self, name, given):
        if isinstance(given, Feature):
            return given
        if isinstance(given, dict):
            return Feature.from_config(given["config"])
        sizes = {"float_discretized": self.num_discretization_bins, "integer_hashed": self.hashing_dim,
                 "string_hashed": self.hashing_dim}
        settings = {"num_bins": sizes[given]} if given in sizes else {}
        return feature_of_kind(given, name, **settings)

    # --- learning ------------------------------------------------------------------------------

    def adapt(self, dataset) -> None:
        """Lets every layer learn from its column: a dict of columns, or a Dataset of dicts."""
        adaptable = [name for name, feature in self.features.items() if feature.is_adaptable]
        for name, column in feature_columns.columns_of(dataset, adaptable).items():
            self.preprocessors[name].adapt(column)
        self._is_adapted = True
        self.encoded_features = self._encoder = None
        self.get_encoded_features()

    # --- encoding ------------------------------------------------------------------------------

    def get_inputs(self) -> dict:
        """The inputs of a model that takes the columns."""
        self.get_encoded_features()
        return self.inputs

    def get_encoded_features(self):
        """What the space makes of get_inputs()."""
        if self.encoded_features is None:
            if not self._is_adapted and any(each.is_adaptable for each in self.features.values()):
                raise ValueError(f"{self.name}: call adapt() with a dataset before the FeatureSpace is used")
            self.encoded_features = self._encoded()
        return self.encoded_features

    def _encoded(self):
        made = {name: self.preprocessors[name](x) for name, x in self.inputs.items()}
        crossed = {cross.name: self.crossers[cross.name]([made[name] for name in cross.feature_names])
                   for cross in self.crosses}
        encoded = {name: self._one_hot(name, self.features[name], made[name]) for name in sorted(made)}
        encoded |= {name: self._one_hot(name, self.crosses_by_name[name], crossed[name]) for name in sorted(crossed)}
        if self.output_mode == "dict":
            return encoded
        for name, tensor in encoded.items():
            if not tensor.dtype.is_floating:
                raise ValueError(f"{self.name}: '{name}' is {tensor.dtype.name} and cannot be part of a vector; give it "
                                 "output_mode='one_hot', or the FeatureSpace output_mode='dict'")
        self.concat = layers.Concatenate(axis=-1)
        return self.concat(list(encoded.values()))

    def _one_hot(self, name, spec, tensor):
        if spec.output_mode != "one_hot":
            return tensor
        layer = self.preprocessors.get(name) or self.crossers[name]
        categories = feature_columns.categories_of(layer)
        if not tensor.dtype.is_integer or not categories:
            raise ValueError(f"{self.name}: '{name}' has output_mode='one_hot', but its {type(layer).__name__} does not "
                             "make whole numbers of a known number of categories; try output_mode='int'")
        self.one_hot_encoders[name] = layers.CategoryEncoding(num_tokens=categories, output_mode="multi_hot")
        return self.one_hot_encoders[name](tensor)

    def __call__(self, data):
        """Encodes a dict of columns, or of the values of one row."""
        if not isinstance(data, dict):
            raise ValueError(f"{self.name}: a FeatureSpace is called with a dict of columns, found {type(data).__name__}")
        if self._encoder is None:
            from plimsoll.keras.models import Model

            self._encoder = Model(self.get_inputs(), self.get_encoded_features())
        columns, is_row = feature_columns.as_inputs(self.features, data)
        encoded = self._encoder(columns)
        if not is_row:
            return encoded
        if self.output_mode == "dict":
            return {name: _core.squeeze(x, 0) if len(x.shape) == 2 else x for name, x in encoded.items()}
        return _core.squeeze(encoded, 0)

    # --- files ---------------------------------------------------------------------------------

    def get_config(self) -> dict:
        """All settings, as Keras writes them."""
        return {
            "features": {name: feature.serialized() for name, feature in self.features.items()},
            "output_mode": self.output_mode,
            "crosses": [cross.serialized() for cross in self.crosses],
            "crossing_dim": self.crossing_dim,
            "hashing_dim": self.hashing_dim,
            "num_discretization_bins": self.num_discretization_bins,
        }

    @classmethod
    def from_config(cls, config: dict):
        return cls(**config)

    def save(self, filepath) -> None:
        """Writes a .keras file, which load_model() reads, here and in Keras."""
        path = os.fspath(filepath)
        if not path.endswith(".keras"):
            raise ValueError(f"{path}: a FeatureSpace is saved as .keras")
        self.get_encoded_features()
        config = self.get_config()
        for name, feature in config["features"].items():
            feature["config"]["preprocessor"] = _foreign.reference(self.preprocessors[name])
        _core.Model.from_json({"class_name": "FeatureSpace", "config": {**config, "name": self.name}}).save(path)

    @classmethod
    def _of_engine(cls, inner):
        """The FeatureSpace of a file, with the very layers that were read."""
        config = inner.config()["config"]
        made = {handle.name: wrapper_of(handle) for _, handle in inner.layer.children()}
        features = {name: Feature.with_layer(each["config"], made) for name, each in config["features"].items()}
        self = cls(**{**config, "features": features, "name": inner.layer.name})
        self._is_adapted = True
        return self
