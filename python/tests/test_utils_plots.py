"""Pictures of models."""
import pytest

from plimsoll import keras
from plimsoll.keras import utils
from plimsoll.keras.utils import model_plot


@pytest.fixture
def model():
    a = keras.Input((4,), name="a")
    b = keras.layers.Dense(3, activation="relu", name="b")(a)
    c = keras.layers.Dense(3, name="c")(a)
    return keras.Model(a, keras.layers.Add(name="sum")([b, c]))


@pytest.fixture
def without_pydot(monkeypatch):
    monkeypatch.setattr(model_plot, "_pydot", lambda: None)


def test_a_functional_model_has_its_edges(model, without_pydot):
    text = utils.model_to_dot(model, show_shapes=True, show_layer_activations=True,
                              show_dtype=True, show_trainable=True)
    assert text.startswith("digraph") and text.count(" -> ") == 4
    for words in ("<b>b</b> (Dense)", "(None, 3)", "relu", "float32", "Trainable"):
        assert words in text, words


def test_a_sequential_model_is_a_chain(without_pydot):
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3), keras.layers.Dense(2)])
    text = utils.model_to_dot(model)
    assert text.count(" -> ") == len(model.layers) - 1
    nested = keras.Sequential([keras.Input((4,)), model, keras.layers.Dense(1)])
    assert "subgraph" in utils.model_to_dot(nested, expand_nested=True)
    assert "subgraph" not in utils.model_to_dot(nested)


def test_a_file_in_graphviz_own_language_needs_no_program(model, without_pydot, tmp_path):
    utils.plot_model(model, tmp_path / "m.dot")
    assert (tmp_path / "m.dot").read_text().startswith("digraph")


def test_a_picture_says_what_it_needs(model, without_pydot, tmp_path):
    with pytest.raises(ImportError, match="pip install pydot.*graphviz"):
        utils.plot_model(model, tmp_path / "m.png")
    assert not (tmp_path / "m.png").exists()


def test_unknown_arguments_are_refused(model, without_pydot):
    with pytest.raises(ValueError, match="layer_range"):
        utils.model_to_dot(model, layer_range=["a", "b"])
