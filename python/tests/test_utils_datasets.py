"""Folders of images and texts, windows of series and halves of data as tf.data.Dataset."""
import numpy as np
import pytest

from plimsoll import tensorflow as tf
from plimsoll.keras import utils


@pytest.fixture
def images(tmp_path):
    for number, name in enumerate(["a/0", "a/1", "a/2", "b/0", "b/1", "b/2", "b/3"]):
        path = tmp_path / f"{name}.png"
        path.parent.mkdir(exist_ok=True)
        utils.save_img(path, np.full((6, 4, 3), 10 * number, "uint8"), scale=False)
    return tmp_path


@pytest.fixture
def texts(tmp_path):
    for number, name in enumerate(["neg/0", "neg/1", "pos/0", "pos/1", "pos/2"]):
        path = tmp_path / f"{name}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"text {number} ä")
    return tmp_path


def all_of(dataset):
    """Everything in a data set of batches, joined."""
    batches = [batch if isinstance(batch, tuple) else (batch,) for batch in dataset]
    return [np.concatenate([np.asarray(p) for p in parts]) for parts in zip(*batches)]


def test_images_of_a_folder_are_batches(images, capsys):
    dataset = utils.image_dataset_from_directory(images, image_size=(6, 4), batch_size=3,
                                                 shuffle=False)
    assert capsys.readouterr().out == "Found 7 files belonging to 2 classes.\n"
    assert dataset.class_names == ["a", "b"] and len(dataset) == 3
    assert dataset.file_paths[0] == str(images / "a" / "0.png")
    spec, label_spec = dataset.element_spec
    assert tuple(spec.shape) == (None, 6, 4, 3) and label_spec.dtype == tf.int32
    x, y = all_of(dataset)
    assert x.dtype == np.float32 and x[:, 0, 0, 0].tolist() == [0, 10, 20, 30, 40, 50, 60]
    assert y.tolist() == [0, 0, 0, 1, 1, 1, 1]


def test_images_are_shuffled_anew_in_each_pass(images):
    dataset = utils.image_dataset_from_directory(images, image_size=(2, 2), seed=3)
    first, second = (all_of(dataset) for _ in range(2))
    assert sorted(first[1]) == sorted(second[1])
    assert sorted(first[0][:, 0, 0, 0]) == [0, 10, 20, 30, 40, 50, 60]
    orders = {tuple(all_of(dataset)[0][:, 0, 0, 0]) for _ in range(6)}
    assert len(orders) > 1


@pytest.mark.parametrize("mode, expected", [
    ("binary", [[0], [0], [0], [1], [1], [1], [1]]),
    ("categorical", [[1, 0]] * 3 + [[0, 1]] * 4),
])
def test_labels_are_written_as_the_mode_says(images, mode, expected):
    dataset = utils.image_dataset_from_directory(images, image_size=(2, 2), label_mode=mode,
                                                 shuffle=False)
    _, y = all_of(dataset)
    assert y.dtype == np.float32 and y.tolist() == expected


def test_images_without_labels_and_with_given_ones(images):
    alone = utils.image_dataset_from_directory(images, labels=None, image_size=(2, 2),
                                               shuffle=False, batch_size=None)
    assert [np.asarray(x).shape for x in alone] == [(2, 2, 3)] * 7
    given = utils.image_dataset_from_directory(images, labels=[2, 0, 2, 0, 2, 0, 2], shuffle=False,
                                               image_size=(2, 2))
    assert all_of(given)[1].tolist() == [2, 0, 2, 0, 2, 0, 2] and given.class_names == ["0", "2"]


def test_both_parts_of_a_split_have_all_images_once(images, capsys):
    train, validation = utils.image_dataset_from_directory(
        images, image_size=(2, 2), validation_split=0.3, subset="both", seed=1)
    assert "Using 5 files for training.\nUsing 2 files for validation." in capsys.readouterr().out
    assert sorted(train.file_paths + validation.file_paths) == sorted(
        str(path) for path in images.glob("*/*.png"))
    again = utils.image_dataset_from_directory(
        images, image_size=(2, 2), validation_split=0.3, subset="validation", seed=1)
    assert again.file_paths == validation.file_paths


def test_channels_and_colours(images):
    dataset = utils.image_dataset_from_directory(images, image_size=4, color_mode="grayscale",
                                                 data_format="channels_first", shuffle=False)
    assert all_of(dataset)[0].shape == (7, 1, 4, 4)


@pytest.mark.parametrize("options, words", [
    (dict(labels="all"), "labels"), (dict(label_mode="float"), "label_mode=float"),
    (dict(color_mode="cmyk"), "cmyk"), (dict(image_size=(1, 2, 3)), "image_size"),
    (dict(interpolation="best"), "interpolation=best"), (dict(validation_split=0.5), "inversely"),
    (dict(validation_split=0.5, subset="training"), "seed"),
    (dict(class_names=["a", "c"]), "class_names"),
    (dict(subset="some", validation_split=0.1), "some"),
    (dict(labels=[0]), "len\\(labels\\) is 1"), (dict(format="grain"), "grain"),
    (dict(crop_to_aspect_ratio=True, pad_to_aspect_ratio=True), "Only one"),
    (dict(class_names=["a"], label_mode="binary"), "exactly 2"),
])
def test_what_is_wrong_is_said(images, options, words):
    with pytest.raises(ValueError, match=words):
        utils.image_dataset_from_directory(images, **options)


def test_a_folder_without_images_is_named(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(ValueError, match=f"No images found in directory {tmp_path}"):
        utils.image_dataset_from_directory(tmp_path)


def test_a_damaged_image_is_named(images):
    (images / "b" / "1.png").write_bytes(b"\x89PNG\r\n\x1a\n and no more")
    dataset = utils.image_dataset_from_directory(images, image_size=(2, 2), shuffle=False)
    with pytest.raises(ValueError, match="b/1.png"):
        list(dataset)


def test_texts_of_a_folder_are_batches(texts):
    dataset = utils.text_dataset_from_directory(texts, batch_size=2, shuffle=False)
    words, labels = zip(*[(x.numpy().tolist(), y.numpy().tolist()) for x, y in dataset])
    assert sum(labels, []) == [0, 0, 1, 1, 1] and dataset.class_names == ["neg", "pos"]
    assert sum(words, []) == [f"text {i} ä".encode() for i in range(5)]
    cut = utils.text_dataset_from_directory(texts, max_length=4, batch_size=None, labels=None)
    assert {x.numpy() for x in cut} == {b"text"}
    with pytest.raises(ValueError, match="No text files"):
        utils.text_dataset_from_directory(texts / "neg")


@pytest.mark.parametrize("options, starts, steps", [
    (dict(sequence_length=3), range(8), [0, 1, 2]),
    (dict(sequence_length=3, sequence_stride=3), [0, 3, 6], [0, 1, 2]),
    (dict(sequence_length=3, sampling_rate=2), range(6), [0, 2, 4]),
    (dict(sequence_length=2, start_index=3, end_index=8), [3, 4, 5, 6], [0, 1]),
])
def test_windows_of_a_series(options, starts, steps):
    data = np.arange(20.0).reshape(10, 2)
    dataset = utils.timeseries_dataset_from_array(data, np.arange(10) * 10, batch_size=3, **options)
    x, y = all_of(dataset)
    assert np.array_equal(x, [[data[start + step] for step in steps] for start in starts])
    assert y.tolist() == [10 * start for start in starts]
    alone = utils.timeseries_dataset_from_array(data, None, **options)
    assert np.array_equal(all_of(alone)[0], x)


def test_windows_take_no_memory():
    data = np.zeros((100_000, 8), "float32")
    dataset = utils.timeseries_dataset_from_array(data, None, 10_000, batch_size=2)
    assert np.asarray(next(iter(dataset))).shape == (2, 10_000, 8)


def test_shuffled_windows_keep_their_targets():
    data = np.arange(50)
    dataset = utils.timeseries_dataset_from_array(data, data, 4, shuffle=True, seed=1)
    x, y = all_of(dataset)
    assert np.array_equal(x[:, 0], y) and sorted(y) == list(range(47)) and y.tolist() != sorted(y)


@pytest.mark.parametrize("options, words", [
    (dict(sampling_rate=0), "sampling_rate"), (dict(sequence_stride=10), "sequence_stride"),
    (dict(start_index=-1), "start_index"), (dict(end_index=10), "end_index"),
    (dict(sequence_length=11), "no window"),
])
def test_windows_that_do_not_fit_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        utils.timeseries_dataset_from_array(np.zeros(10), None, **{"sequence_length": 2, **options})


def test_data_is_split_in_two():
    left, right = utils.split_dataset(np.arange(10), left_size=0.7)
    assert [int(x) for x in left] == list(range(7)) and [int(x) for x in right] == [7, 8, 9]
    left, right = utils.split_dataset((np.arange(10), np.arange(10) * 2), right_size=2)
    assert [(int(x), int(y)) for x, y in right] == [(8, 16), (9, 18)] and len(left) == 8
    batched = tf.data.Dataset.from_tensor_slices({"a": np.arange(10)}).batch(4)
    left, right = utils.split_dataset(batched, left_size=6, shuffle=True, seed=2)
    assert [len(b["a"]) for b in left] == [4, 2]
    both = [int(v) for half in (left, right) for b in half for v in np.asarray(b["a"])]
    assert sorted(both) == list(range(10)) and both != list(range(10))


@pytest.mark.parametrize("options, words", [
    (dict(), "At least one"), (dict(left_size=10), "left_size=10"), (dict(right_size=1.5), "1.5"),
    (dict(left_size=0.8, right_size=0.8), "greater than 1"), (dict(left_size="a"), "Type"),
    (dict(left_size=8, right_size=8), "sum"),
])
def test_splits_that_cannot_be_are_refused(options, words):
    with pytest.raises((ValueError, TypeError), match=words):
        utils.split_dataset(np.arange(10), **options)
    with pytest.raises(TypeError, match="dataset"):
        utils.split_dataset(3, left_size=1)
