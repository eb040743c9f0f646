"""keras.preprocessing: images that are changed at random, from arrays, folders and tables."""
import os

import numpy as np
import pytest

from plimsoll.keras.preprocessing import image, sequence, text
from plimsoll.keras.preprocessing.image import ImageDataGenerator
from plimsoll.keras.utils import load_img, save_img

IMAGES = np.random.RandomState(0).randint(0, 256, (10, 6, 6, 3)).astype("uint8")


@pytest.fixture
def folder(tmp_path):
    """cats has 4 images, dogs 6; the first pixel of each says which it is."""
    number = 0
    for name, count in (("cats", 4), ("dogs", 6)):
        (tmp_path / name / "deep").mkdir(parents=True)
        for i in range(count):
            pixels = np.full((5, 4, 3), 20 * number, "uint8")
            below = "deep/" if i == 1 else ""
            save_img(tmp_path / name / f"{below}{i}.png", pixels, scale=False)
            number += 1
    (tmp_path / "cats" / "notes.txt").write_text("no image")
    (tmp_path / "README").write_text("no class")
    return tmp_path


def test_a_flow_goes_on_for_ever_and_has_a_length():
    batches = ImageDataGenerator().flow(IMAGES, np.arange(10), batch_size=4, shuffle=False)
    assert len(batches) == 3
    labels = [next(batches)[1].tolist() for _ in range(4)]
    assert labels == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9], [0, 1, 2, 3]]
    x, y = batches[2]
    assert x.dtype == np.float32 and np.array_equal(x, IMAGES[8:])
    with pytest.raises(ValueError, match="length 3"):
        batches[3]


def test_shuffling_gives_each_record_once_per_epoch():
    batches = ImageDataGenerator().flow(IMAGES, np.arange(10), batch_size=3, seed=1)
    first = np.concatenate([next(batches)[1] for _ in range(4)])
    second = np.concatenate([next(batches)[1] for _ in range(4)])
    assert sorted(first) == sorted(second) == list(range(10))
    assert first.tolist() != second.tolist()
    again = ImageDataGenerator().flow(IMAGES, np.arange(10), batch_size=3, seed=1)
    assert np.concatenate([next(again)[1] for _ in range(4)]).tolist() == first.tolist()


def test_weights_and_further_inputs_come_along():
    generator = ImageDataGenerator(rescale=0.5)
    batches = generator.flow((IMAGES, np.arange(10)), np.ones(10), batch_size=2, shuffle=False,
                             sample_weight=np.arange(10))
    (x, other), y, weights = next(batches)
    assert np.allclose(x, IMAGES[:2] * 0.5) and other.tolist() == weights.tolist() == [0, 1]
    alone = generator.flow(IMAGES, batch_size=2)
    assert next(alone).shape == (2, 6, 6, 3)


def test_bytes_stay_bytes_until_they_are_asked_for():
    batches = ImageDataGenerator().flow(IMAGES, batch_size=2)
    assert batches.x is IMAGES


def test_a_split_is_by_order():
    generator = ImageDataGenerator(validation_split=0.3)
    labels = np.array([0, 1, 0, 1, 0, 1, 0, 1, 0, 1])
    training = generator.flow(IMAGES, labels, subset="training", shuffle=False)
    validation = generator.flow(IMAGES, labels, subset="validation", shuffle=False)
    assert training.n == 7 and np.array_equal(next(validation)[0], IMAGES[:3])
    with pytest.raises(ValueError, match="different number of classes"):
        generator.flow(IMAGES, np.arange(10), subset="training")
    with pytest.raises(ValueError, match="tset"):
        generator.flow(IMAGES, labels, subset="tset")


@pytest.mark.parametrize("call, words", [
    (lambda: ImageDataGenerator().flow(IMAGES[0]), "rank 4"),
    (lambda: ImageDataGenerator().flow(IMAGES, [1]), "same length"),
    (lambda: ImageDataGenerator(zoom_range=(1, 2, 3)), "zoom_range"),
    (lambda: ImageDataGenerator(brightness_range=3), "brightness_range"),
    (lambda: ImageDataGenerator(data_format="last"), "data_format"),
    (lambda: ImageDataGenerator(validation_split=2), "validation_split"),
    (lambda: ImageDataGenerator().fit(IMAGES[0]), "rank 4"),
    (lambda: image.random_zoom(IMAGES[0], (1,)), "zoom_range"),
    (lambda: ImageDataGenerator(rotation_range=9, fill_mode="mirror").random_transform(
        IMAGES[0].astype("float32")), "mirror"),
])
def test_what_is_wrong_is_said(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_a_generator_that_needs_fit_says_so():
    generator = ImageDataGenerator(featurewise_center=True)
    with pytest.warns(UserWarning, match="fit"):
        generator.standardize(IMAGES[0].astype("float32"))
    generator.fit(IMAGES)
    centred = [generator.standardize(i.astype("float32")) for i in IMAGES]
    assert np.allclose(np.mean(centred, axis=(0, 1, 2)), 0, atol=1e-3)


def test_the_image_that_is_given_does_not_change():
    x = IMAGES[0].astype("float32")
    generator = ImageDataGenerator(rescale=2, samplewise_std_normalization=True)
    generator.standardize(x)
    assert np.array_equal(x, IMAGES[0])


def test_images_come_from_a_folder_per_class(folder, capsys):
    batches = ImageDataGenerator().flow_from_directory(
        str(folder), target_size=(5, 4), batch_size=4, shuffle=False)
    assert capsys.readouterr().out == "Found 10 images belonging to 2 classes.\n"
    assert batches.class_indices == {"cats": 0, "dogs": 1} and batches.num_classes == 2
    assert batches.filenames[:4] == ["cats/0.png", "cats/2.png", "cats/3.png", "cats/deep/1.png"]
    assert batches.classes.tolist() == batches.labels.tolist() == [0] * 4 + [1] * 6
    assert batches.samples == 10 and batches.image_shape == (5, 4, 3)
    x, y = next(batches)
    assert x[:, 0, 0, 0].tolist() == [0, 40, 60, 20] and y.tolist() == [[1, 0]] * 4


@pytest.mark.parametrize("mode, expected", [
    ("binary", [0, 0, 0, 0]), ("sparse", [0, 0, 0, 0]), (None, None), ("input", "images"),
])
def test_labels_are_written_as_the_mode_says(folder, mode, expected):
    batches = ImageDataGenerator().flow_from_directory(
        folder, target_size=(5, 4), class_mode=mode, batch_size=4, shuffle=False)
    batch = next(batches)
    if mode is None:
        assert batch.shape == (4, 5, 4, 3)
    elif mode == "input":
        assert np.array_equal(*batch)
    else:
        assert batch[1].tolist() == expected and batch[1].dtype == np.float32


def test_a_folder_is_split_class_by_class(folder):
    generator = ImageDataGenerator(validation_split=0.5)
    flow = [generator.flow_from_directory(folder, subset=s) for s in ("training", "validation")]
    assert [f.samples for f in flow] == [5, 5]
    assert [np.bincount(f.classes).tolist() for f in flow] == [[2, 3], [2, 3]]
    assert not set(flow[0].filenames) & set(flow[1].filenames)


def test_images_are_resized_and_saved(folder, tmp_path):
    saved = tmp_path / "saved"
    saved.mkdir()
    batches = ImageDataGenerator().flow_from_directory(
        folder, target_size=(8, 8), classes=["dogs"], color_mode="grayscale", batch_size=2,
        save_to_dir=saved, save_prefix="p")
    assert next(batches)[0].shape == (2, 8, 8, 1)
    names = os.listdir(saved)
    assert len(names) == 2 and all(n.startswith("p_") and n.endswith(".png") for n in names)
    assert load_img(saved / names[0]).size == (8, 8)


def test_images_come_from_a_table(folder, capsys):
    table = {"file": ["cats/0.png", "gone.png", "dogs/0.png", "dogs/2.png"],
             "kind": ["cat", "cat", "dog", "dog"], "age": [1.0, 2.0, 3.0, 4.0],
             "weight": [1, 1, 2, 2]}
    generator = ImageDataGenerator()
    options = dict(x_col="file", target_size=(5, 4), shuffle=False)
    with pytest.warns(UserWarning, match="Found 1 invalid"):
        batches = generator.flow_from_dataframe(table, folder, y_col="kind", weight_col="weight",
                                                **options)
    assert "Found 3 validated image filenames belonging to 2 classes." in capsys.readouterr().out
    x, y, weights = next(batches)
    assert x[:, 0, 0, 0].tolist() == [0, 80, 120]
    assert y.tolist() == [[1, 0], [0, 1], [0, 1]] and weights.tolist() == [1, 2, 2]
    with pytest.warns(UserWarning):
        raw = generator.flow_from_dataframe(table, folder, y_col="age", class_mode="raw", **options)
        several = generator.flow_from_dataframe(table, folder, y_col=["age", "weight"],
                                                class_mode="multi_output", **options)
    assert next(raw)[1].tolist() == [1, 3, 4]
    assert [t.tolist() for t in next(several)[1]] == [[1, 3, 4], [1, 2, 2]]


def test_a_table_has_several_labels_and_chosen_classes(folder):
    table = {"filename": ["cats/0.png", "dogs/0.png"], "class": [["a", "b"], ["c"]]}
    batches = ImageDataGenerator().flow_from_dataframe(table, folder, shuffle=False)
    assert next(batches)[1].tolist() == [[1, 1, 0], [0, 0, 1]]
    batches = ImageDataGenerator().flow_from_dataframe(table, folder, classes=["b", "a"])
    assert batches.samples == 1 and next(batches)[1].tolist() == [[1, 1]]


@pytest.mark.parametrize("options, words", [
    (dict(class_mode="colour"), "colour"),
    (dict(class_mode="multi_output"), "must be a list"),
    (dict(class_mode="binary", y_col="n"), "must be strings"),
    (dict(x_col="n"), "must be strings"),
    (dict(class_mode="binary", classes=["a"]), "2 classes"),
    (dict(weight_col="class"), "numeric"),
])
def test_a_table_that_does_not_do_is_refused(folder, options, words):
    table = {"filename": ["cats/0.png"], "class": ["a"], "n": [1]}
    with pytest.raises((ValueError, TypeError), match=words):
        ImageDataGenerator().flow_from_dataframe(table, folder, **options)


def test_pandas_is_not_needed_and_is_understood(folder):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"filename": ["cats/0.png", "dogs/0.png"], "class": ["a", "b"]},
                             index=[7, 3])
    batches = ImageDataGenerator().flow_from_dataframe(frame, folder, shuffle=False)
    assert next(batches)[1].tolist() == [[1, 0], [0, 1]]


def test_a_tokenizer_survives_json():
    tokenizer = text.Tokenizer(num_words=5, oov_token="?")
    tokenizer.fit_on_texts(["a b a", "b a c d e f"])
    back = text.tokenizer_from_json(tokenizer.to_json())
    assert back.texts_to_sequences(["a f z"]) == tokenizer.texts_to_sequences(["a f z"])
    assert back.word_index == {"?": 1, "a": 2, "b": 3, "c": 4, "d": 5, "e": 6, "f": 7}


def test_a_tokenizer_without_words_says_so():
    with pytest.raises(ValueError, match="num_words"):
        text.Tokenizer().texts_to_matrix(["a"])
    with pytest.raises(ValueError, match="tfidf"):
        text.Tokenizer(num_words=3).texts_to_matrix(["a"], mode="tfidf")
    with pytest.raises(ValueError, match="mode: other"):
        text.Tokenizer(num_words=3).texts_to_matrix(["a"], mode="other")


def test_windows_of_a_series_need_room():
    with pytest.raises(ValueError, match="start_index"):
        sequence.TimeseriesGenerator(np.arange(5), np.arange(5), length=5)
    with pytest.raises(ValueError, match="same length"):
        sequence.TimeseriesGenerator(np.arange(5), np.arange(4), length=2)
