"""keras.utils: labels, padding, batches, progress, registered classes."""
import io
import json
import random
import sys

import numpy as np
import pytest

from plimsoll import keras
from plimsoll.keras import utils
from plimsoll.keras.utils import messages


def test_to_categorical_makes_one_row_per_label():
    assert utils.to_categorical([0, 2]).tolist() == [[1, 0, 0], [0, 0, 1]]
    assert utils.to_categorical([[1], [0]], num_classes=4).shape == (2, 4)
    assert utils.to_categorical(np.zeros((2, 3)), 5).shape == (2, 3, 5)
    assert utils.to_categorical([1]).dtype == np.float64


def test_to_categorical_of_a_tensor_is_a_tensor():
    result = utils.to_categorical(keras.ops.convert_to_tensor([0, 2]), 3)
    assert not isinstance(result, np.ndarray)
    assert np.asarray(result).tolist() == [[1, 0, 0], [0, 0, 1]]


def test_normalize_leaves_zeros_alone():
    x = np.array([[3.0, 4.0], [0.0, 0.0]])
    assert np.allclose(utils.normalize(x), [[0.6, 0.8], [0, 0]])
    assert np.allclose(utils.normalize(x, axis=0), [[1, 1], [0, 0]])
    assert np.allclose(utils.normalize(x, order=1), [[3 / 7, 4 / 7], [0, 0]])


def test_pad_sequences_fills_and_cuts_at_either_end():
    texts = [[1], [2, 3], [4, 5, 6]]
    assert utils.pad_sequences(texts).tolist() == [[0, 0, 1], [0, 2, 3], [4, 5, 6]]
    assert utils.pad_sequences(texts, maxlen=2, padding="post").tolist() == [[1, 0], [2, 3], [5, 6]]
    assert utils.pad_sequences(texts, 2, truncating="post")[2].tolist() == [4, 5]
    assert utils.pad_sequences([[[1, 2]], []], value=9).tolist() == [[[1, 2]], [[9, 9]]]
    assert utils.pad_sequences(texts).dtype == np.int32


@pytest.mark.parametrize("arguments, words", [
    (dict(sequences=[[1], 2]), "non-iterable at position 1"),
    (dict(sequences=3), "must be iterable"),
    (dict(sequences=[[1]], padding="left"), "left"),
    (dict(sequences=[[[1, 2]], [[1, 2, 3]]]), "sequence 1"),
    (dict(sequences=[["a"]], value="x"), "dtype=object"),
])
def test_pad_sequences_says_what_is_wrong(arguments, words):
    with pytest.raises(ValueError, match=words):
        utils.pad_sequences(**arguments)


def test_a_batch_is_packed_and_taken_apart():
    assert utils.unpack_x_y_sample_weight([1, 2]) == (1, 2, None)
    assert utils.unpack_x_y_sample_weight(5) == (5, None, None)
    assert utils.pack_x_y_sample_weight([1]) == ([1],)
    assert utils.pack_x_y_sample_weight(1, 2, 3) == (1, 2, 3)
    with pytest.raises(ValueError, match="sample_weight"):
        utils.unpack_x_y_sample_weight((1, 2, 3, 4))


class Squares(utils.PyDataset):
    def __len__(self):
        return 3

    def __getitem__(self, index):
        return index * index


def test_a_py_dataset_is_iterated_over_by_its_length():
    assert list(Squares()) == [0, 1, 4]
    assert Squares(workers=2).workers == 2
    assert utils.Sequence is utils.PyDataset


def test_a_py_dataset_that_does_not_call_super_is_told_so():
    class Forgetful(utils.PyDataset):
        def __init__(self):
            pass

    with pytest.warns(UserWarning, match="super"):
        assert Forgetful().max_queue_size == 10


def test_set_random_seed_seeds_python_numpy_and_plimsoll():
    def draw():
        utils.set_random_seed(7)
        return random.random(), np.random.rand(), np.asarray(keras.random.uniform((2,))).tolist()

    assert draw() == draw()
    with pytest.raises(ValueError, match="integer"):
        utils.set_random_seed("7")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def progress(monkeypatch, stream, **options):
    monkeypatch.setattr(sys, "stdout", stream)
    bar = utils.Progbar(4, interval=0, **options)
    for step in range(1, 5):
        bar.update(step, [("loss", float(step))])
    return stream.getvalue()


def test_progbar_redraws_its_line_in_a_terminal(monkeypatch):
    text = progress(monkeypatch, Terminal())
    assert text.count("\n") == 1 and text.count("\r") == 4
    assert "━" * 20 in text and text.rstrip().endswith("loss: 4.0000")


def test_progbar_writes_one_plain_line_into_a_pipe(monkeypatch):
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    text = progress(monkeypatch, io.StringIO())
    assert text.count("\n") == 1 and "\x1b" not in text and "\b" not in text
    assert text.startswith("4/4 ")


def test_progbar_averages_over_the_steps(monkeypatch):
    monkeypatch.setattr(sys, "stdout", Terminal())
    bar = utils.Progbar(None, interval=0, stateful_metrics=["last"])
    bar.update(1, [("mean", 1.0), ("last", 1.0)])
    bar.update(3, [("mean", 4.0), ("last", 4.0)])
    text = sys.stdout.getvalue().split("\r")[-1]
    assert "mean: 3.0000" in text and "last: 4.0000" in text and "Unknown" in text


def test_messages_avoid_characters_that_the_stream_lacks(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    messages.print_message("━━ ok")
    assert stream.buffer.getvalue() == b"== ok\n"


def test_messages_can_be_switched_off(capsys):
    utils.disable_interactive_logging()
    try:
        messages.print_message("hidden")
        assert not utils.is_interactive_logging_enabled()
    finally:
        utils.enable_interactive_logging()
    messages.print_message("shown")
    assert capsys.readouterr().out == "shown\n"


@pytest.fixture
def registry():
    before = dict(utils.get_custom_objects())
    yield utils.get_custom_objects()
    utils.get_custom_objects().clear()
    utils.get_custom_objects().update(before)


def test_a_registered_class_is_found_by_its_name(registry):
    @utils.register_keras_serializable(package="mine", name="Thing")
    class Class:
        def get_config(self):
            return {}

    assert utils.get_registered_name(Class) == "mine>Thing"
    assert utils.get_registered_object("mine>Thing") is Class
    assert utils.get_registered_object("other") is None
    with pytest.raises(ValueError, match="get_config"):
        utils.register_keras_serializable()(int)


def test_a_scope_of_custom_objects_ends():
    with utils.custom_object_scope({"f": len}):
        with utils.custom_object_scope({"g": max}):
            assert utils.get_registered_object("f") is len
            assert utils.get_registered_object("g") is max
        assert utils.get_registered_object("g") is None
    assert utils.get_registered_object("f") is None


@pytest.mark.parametrize("value", [
    None, 3, "text", 2.5, [1, "a"], {"a": [True, None]}, slice(1, None, 2), Ellipsis, b"bytes",
])
def test_plain_values_survive_serialization(value):
    written = json.loads(json.dumps(utils.serialize_keras_object(value)))
    assert utils.deserialize_keras_object(written) == value


def test_arrays_survive_serialization():
    array = np.arange(6, dtype="float32").reshape(2, 3)
    back = utils.deserialize_keras_object(utils.serialize_keras_object(array))
    assert back.dtype == array.dtype and np.array_equal(back, array)
    assert utils.serialize_keras_object(np.float32(2)) == 2.0


def test_layers_survive_serialization():
    layer = keras.layers.Dense(3, activation="relu", name="d")
    config = utils.serialize_keras_object(layer)
    assert config["module"] == "keras.layers" and config["class_name"] == "Dense"
    back = utils.deserialize_keras_object(json.loads(json.dumps(config)))
    assert type(back) is keras.layers.Dense and back.get_config() == layer.get_config()


def test_a_lambda_of_a_file_is_not_run():
    config = {"class_name": "__lambda__", "config": {"value": "4wEAAAA="}}
    with pytest.raises(ValueError, match="code that anybody"):
        utils.deserialize_keras_object(config)


def test_a_file_cannot_name_functions_outside_of_layers_and_their_like():
    config = {"module": "keras.models", "class_name": "function", "config": "load_model",
              "registered_name": None}
    with pytest.raises(TypeError, match="load_model"):
        utils.deserialize_keras_object(config)


@pytest.mark.parametrize("dtype, name", [
    ("float32", "float32"), (np.int64, "int64"), (np.dtype("uint8"), "uint8"), (bool, "bool"),
    (None, "float32"), (float, "float32"),
])
def test_element_types_have_one_name(dtype, name):
    assert utils.standardize_dtype(dtype) == name


def test_an_unknown_element_type_is_refused():
    with pytest.raises(ValueError, match="float7"):
        utils.standardize_dtype("float7")


def test_count_params_counts_values():
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3)])
    assert utils.count_params(model.weights) == 15


def test_a_missing_name_fails_with_a_sentence():
    with pytest.raises(AttributeError, match="Plimsoll has no keras.utils.audio_dataset_from_directory; read the"):
        utils.audio_dataset_from_directory
    with pytest.raises(ImportError, match="has no keras.utils.to_categorial; there is to_cat"):
        from plimsoll.keras.utils import to_categorial  # noqa: F401
    assert not hasattr(utils, "nothing")


def test_every_name_that_utils_lists_is_there():
    for name in utils.__all__:
        assert getattr(utils, name) is not None, name
