"""Data that cannot be trained on is refused with a sentence that says what to change."""
import re

import numpy as np
import pytest

import plimsoll
import plimsoll.tensorflow as tf
from plimsoll import keras

X = np.random.default_rng(0).normal(size=(40, 4))
Y = np.arange(40) % 3


def model():
    found = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3, activation="softmax")])
    found.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
    return found


def objects(rows) -> np.ndarray:
    found = np.empty(len(rows), dtype=object)
    found[:] = rows
    return found


def with_a_text():
    found = X.astype(object)
    found[3, 2] = "n/a"
    return found


@pytest.mark.parametrize("x, y, sentence", [
    (with_a_text(), Y, "record 3, column 2 is 'n/a', which is no number"),
    (objects([np.zeros(4)] * 40), Y, "np.stack makes one array"),
    (objects([np.zeros(3 + i % 2) for i in range(40)]), Y, "keras.utils.pad_sequences"),
    ([[1.0, 2.0, 3.0, 4.0], [1.0, 2.0]], [0, 1], "parts of different shapes.*keras.utils.pad_sequences"),
    (X, np.array(["a", "b", "c", "a"] * 10), "the targets are texts.*return_inverse"),
    (X, np.arange(40) % 5, "record [0-9]+: the label is [34], expected a whole number from 0 to 2"),
    (X, Y[:30], "same number of records"),
    (X[:, :3], Y, r"expected \(None, 4\)"),
    (np.where(X > 2.0, np.nan, X), Y, "record [0-9]+: column [0-9] of 'x' is NaN"),
])
def test_arrays_are_refused_with_what_to_change(x, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        model().fit(x, y, verbose=0)


def test_a_dataset_of_single_samples_is_told_to_be_batched():
    with pytest.raises(ValueError, match=r"4 and 1 records.*\.batch\(32\)"):
        model().fit(tf.data.Dataset.from_tensor_slices((X, Y)), verbose=0)


def test_texts_as_class_weights_are_refused():
    with pytest.raises(ValueError, match="class_weight must be a dict"):
        model().fit(X, Y, class_weight="rare", verbose=0)


def test_a_model_class_that_does_not_call_its_base_is_told_so():
    class Forgetful(keras.Model):
        def __init__(self):
            self.dense = keras.layers.Dense(1)

        def call(self, inputs):
            return self.dense(inputs)

    with pytest.raises(RuntimeError, match="call super"):
        Forgetful().predict(X, verbose=0)


def test_numbers_in_an_array_of_objects_are_taken():
    history = model().fit(X.astype(object), Y, verbose=0)
    assert np.isfinite(history.history["loss"][0])


def test_evaluate_and_predict_leave_bad_records_out():
    trained = model()
    spoiled, good = X.copy(), np.delete(np.arange(40), 7)
    spoiled[7, 1] = np.nan
    for run in (lambda **words: trained.evaluate(spoiled, Y, verbose=0, **words),
                lambda **words: trained.predict(spoiled, verbose=0, **words)):
        with pytest.raises(ValueError, match="record 7"):
            run()
        with pytest.raises(ValueError, match="max_bad|more than"):
            run(on_bad_record="skip", max_bad=0)
    found = trained.evaluate(spoiled, Y, verbose=0, on_bad_record="skip", max_bad=1)
    assert found == pytest.approx(trained.evaluate(X[good], Y[good], verbose=0), rel=1e-5)
    rows = trained.predict(spoiled, verbose=0, on_bad_record="skip", max_bad=1)
    assert rows.shape == (40, 3) and np.isnan(rows[7]).all()
    np.testing.assert_allclose(rows[good], trained.predict(X[good], verbose=0), rtol=1e-5)


def test_a_broken_picture_of_a_folder_is_named_and_can_be_left_out(tmp_path, capfd):
    pixels = np.random.default_rng(0).integers(0, 256, (30, 20, 3), np.uint8)
    for label in "ab":
        (tmp_path / label).mkdir()
        for number in range(10):
            keras.utils.save_img(tmp_path / label / f"{number}.png", pixels)
    broken = tmp_path / "b" / "3.png"
    broken.write_bytes(broken.read_bytes()[:200])
    pictures = keras.utils.image_dataset_from_directory(tmp_path, image_size=(8, 8), batch_size=4, verbose=False)
    looking = keras.Sequential([keras.Input((8, 8, 3)), keras.layers.Flatten(), keras.layers.Dense(2)])
    looking.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    with pytest.raises(plimsoll.Error, match=re.escape(str(broken))):
        looking.fit(pictures, verbose=0)
    capfd.readouterr()
    history = looking.fit(pictures, epochs=2, verbose=0, on_bad_record="skip", max_bad=0.1)
    assert np.isfinite(history.history["loss"]).all()
    said = capfd.readouterr().err
    assert said.count("left out") == 1 and str(broken) in said
