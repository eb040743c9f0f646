"""keras.utils.FeatureSpace beyond what scripts/89_feature_space.py compares with the real Keras."""

import numpy as np
import pytest

from plimsoll import keras
from plimsoll.keras import layers
from plimsoll.keras.utils import FeatureSpace

TABLE = {"age": [20.0, 30.0, 40.0], "port": ["S", "C", "S"], "note": ["a boat", "the sea", "a sea"]}


def passengers(**more):
    space = FeatureSpace({"port": "string_categorical", "age": "float_normalized"}, **more)
    space.adapt({name: TABLE[name] for name in ("port", "age")})
    return space


def test_columns_come_in_the_order_of_their_names():
    encoded = np.asarray(passengers()({"port": ["C", "?"], "age": [30.0, 40.0]}))
    assert encoded[:, 1:].tolist() == [[0, 0, 1], [1, 0, 0]]  # age, then port: unknown, S, C
    assert encoded[:, 0] == pytest.approx([0, 1.2247448], abs=1e-6)


def test_a_text_may_be_a_vector_of_its_words():
    words = layers.TextVectorization(output_mode="multi_hot", max_tokens=5)
    space = FeatureSpace({"note": FeatureSpace.feature("string", words, "float"), "age": "float"})
    space.adapt(TABLE)
    encoded = np.asarray(space({"note": ["the boat"], "age": [7.0]}))
    assert encoded.shape == (1, 6) and encoded[0, 0] == 7 and encoded[0, 1:].sum() == 2


def test_what_a_layer_was_given_is_not_learnt():
    ports = layers.StringLookup(vocabulary=["C", "Q"])
    space = FeatureSpace({
        "port": FeatureSpace.feature("string", ports, "one_hot"),
        "age": FeatureSpace.float_discretized(None, bin_boundaries=[25.0, 35.0]),
    })
    assert np.asarray(space({"port": ["Q"], "age": [36.0]})).tolist() == [[0, 0, 1, 0, 0, 1]]


def test_a_layer_of_the_program_may_learn():
    class Shift(layers.Layer):
        least = None

        def adapt(self, data):
            self.least = float(np.min(data))

        def call(self, x):
            return x - self.least

    space = FeatureSpace({"age": FeatureSpace.feature("float32", Shift(), "float")})
    space.adapt(TABLE)
    assert np.asarray(space({"age": [25.0]})).tolist() == [[5.0]]


def test_it_comes_back_from_its_config():
    space = FeatureSpace({"port": "string_hashed", "deck": "integer_categorical"}, output_mode="dict", hashing_dim=9,
                         crosses=[("port", "deck")], crossing_dim=3)
    again = FeatureSpace.from_config(space.get_config())
    assert again.get_config() == space.get_config()
    assert again.crosses[0].name == "port_X_deck" and again.features["port"].dtype == "string"


def test_adapting_again_replaces_what_was_learnt():
    space = passengers()
    assert space({"port": "S", "age": 1.0}).shape == (4,)
    space.adapt({"port": ["x", "y", "z", "S"], "age": [0.0, 1.0, 2.0, 3.0]})
    assert space({"port": "S", "age": 1.0}).shape == (6,)


def test_a_file_gives_the_same_layers_and_numbers(tmp_path):
    space = passengers()
    space.save(tmp_path / "space.keras")
    again = keras.models.load_model(tmp_path / "space.keras")
    assert isinstance(again, FeatureSpace)
    assert again.preprocessors["port"].get_vocabulary() == ["[UNK]", "S", "C"]
    rows = {"port": ["S", "C"], "age": [1.0, 2.0]}
    assert np.array_equal(np.asarray(again(rows)), np.asarray(space(rows)))
    with pytest.raises(ValueError, match="space.h5: a FeatureSpace is saved as .keras"):
        space.save("space.h5")


@pytest.mark.parametrize("wrong, sentence", [
    (lambda: passengers()([1.0]), "called with a dict of columns, found list"),
    (lambda: passengers()({"age": [1.0]}), "no column called 'port'"),
    (lambda: passengers(output_mode="list"), "must be 'concat' or 'dict', found 'list'"),
    (lambda: passengers(crosses=[("port", "deck")]), "crosses 'deck', which is not among"),
    (lambda: passengers(crosses=[("port", "age")], crossing_dim=None), "a cross needs a `crossing_dim`"),
    (lambda: FeatureSpace({"port": "string_categorical"}).adapt([1]), "expected a tf.data.Dataset of dicts"),
    (lambda: FeatureSpace({"port": "string_categorical"})({"port": "S"}), r"call adapt\(\)"),
    (lambda: FeatureSpace({"port": FeatureSpace.string_hashed(4, "int")}).get_inputs(), "'port' is int64 and cannot"),
    (lambda: FeatureSpace({"port": FeatureSpace.string_hashed(4, "float32")}), "found 'float32'"),
    (lambda: FeatureSpace({"a": FeatureSpace.feature("float32", layers.Rescaling(2.0), "one_hot")}).get_inputs(),
     "its Rescaling does not make whole numbers"),
])
def test_mistakes_are_named(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        wrong()
