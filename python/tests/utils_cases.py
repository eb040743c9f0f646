"""What keras.utils and keras.preprocessing compute, for the real Keras and for Plimsoll.

`results(keras, image, text, sequence)` and `folder_results(keras, folder)` give arrays by name. As
a program, with the real Keras: utils_cases.py FILE.npz FOLDER writes them.
"""
import json
import random
import sys
import warnings

import numpy as np

TEXTS = ["The cat sat on the mat.", "The dog, the dog!", "a cat & a dog", "the zebra sat"]


def results(keras, image, text, sequence) -> dict:
    found = {}
    for part in (_labels, _sequences, _texts, _transforms, _generator):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.update(part(keras, image, text, sequence))
    return {name: np.asarray(value) for name, value in found.items()}


def _labels(keras, image, text, sequence):
    labels = np.array([[0], [3], [1]])
    yield "to_categorical", keras.utils.to_categorical(labels)
    yield "to_categorical of 7", keras.utils.to_categorical(labels, 7)
    values = np.random.RandomState(0).normal(size=(4, 3))
    for order in (1, 2, np.inf):
        yield f"normalize {order}", keras.utils.normalize(values, order=order)
    rows = [[1, 2, 3], [4], [], [5, 6, 7, 8, 9]]
    for padding in ("pre", "post"):
        for cut in ("pre", "post"):
            padded = keras.utils.pad_sequences(rows, 3, "float32", padding, cut, -1.5)
            yield f"pad_sequences {padding} {cut}", padded


def _sequences(keras, image, text, sequence):
    random.seed(1)
    couples, labels = sequence.skipgrams([1, 2, 3, 0, 4, 5], 10, window_size=2, seed=4)
    yield "skipgrams", np.column_stack([couples, labels])
    yield "make_sampling_table", sequence.make_sampling_table(50)
    data = np.arange(50.0).reshape(25, 2)
    for name, options in {
        "plain": dict(length=4, batch_size=3),
        "all": dict(length=4, batch_size=3, stride=2, sampling_rate=2, reverse=True, start_index=2,
                    end_index=20),
    }.items():
        batches = sequence.TimeseriesGenerator(data, data[:, 0], **options)
        for i in range(len(batches)):
            yield f"timeseries {name} {i} x", batches[i][0]
            yield f"timeseries {name} {i} y", batches[i][1]


def _texts(keras, image, text, sequence):
    for name, options in {
        "plain": {}, "few": dict(num_words=4), "unknown": dict(num_words=4, oov_token="<OOV>"),
        "letters": dict(char_level=True), "case": dict(lower=False, oov_token="x"),
    }.items():
        tokenizer = text.Tokenizer(**options)
        tokenizer.fit_on_texts(TEXTS[:3])
        numbers = tokenizer.texts_to_sequences(TEXTS)
        yield f"tokenizer {name} numbers", str(numbers)
        yield f"tokenizer {name} texts", tokenizer.sequences_to_texts(numbers)
        for key, value in tokenizer.get_config().items():
            # Dictionaries of words are in the order of hashes, which differs from run to run.
            learnt = json.loads(value) if str(value).startswith("{") else value
            sorted_text = json.dumps(learnt, sort_keys=True)
            yield f"tokenizer {name} {key}", sorted_text
        for mode in ("binary", "count", "freq", "tfidf"):
            yield f"tokenizer {name} {mode}", tokenizer.texts_to_matrix(TEXTS, mode)
    yield "hashing_trick", text.hashing_trick(TEXTS[0], 50, "md5")


def _transforms(keras, image, text, sequence):
    x = np.random.RandomState(0).uniform(0, 255, (17, 23, 3)).astype("float32")
    axes = dict(row_axis=0, col_axis=1, channel_axis=2)
    changes = {
        "turned": dict(theta=31), "shifted": dict(tx=3.3, ty=-2.1), "sheared": dict(shear=20),
        "zoomed": dict(zx=0.7, zy=1.4), "far": dict(zx=5, zy=4.5),
        "all": dict(theta=-70, tx=30, ty=5, shear=9, zx=2, zy=0.5),
    }
    for mode in ("nearest", "constant", "reflect", "wrap"):
        for order in (0, 1):
            for name, change in changes.items():
                yield f"affine {mode} {order} {name}", image.apply_affine_transform(
                    x, **change, **axes, fill_mode=mode, cval=7.0, order=order)
    for factor in (0.5, 1.3):
        for scale in (True, False):
            brighter = image.apply_brightness_shift(x - 20, factor, scale)
            yield f"brightness {factor} {scale}", brighter
    yield "channel shift", image.apply_channel_shift(x, 40, 2)
    pair = np.stack([x, x / 2])
    for name, images in {"one": x, "two": pair, "bytes": x.astype("uint8")}.items():
        yield f"smart_resize {name}", image.smart_resize(images, (9, 9))


def _generator(keras, image, text, sequence):
    random_state = np.random.RandomState(2)
    images = random_state.randint(0, 255, (10, 12, 12, 3)).astype("uint8")
    generator = image.ImageDataGenerator(
        rotation_range=30, width_shift_range=0.2, height_shift_range=3, zoom_range=0.2,
        shear_range=10, horizontal_flip=True, vertical_flip=True, channel_shift_range=20,
        brightness_range=(0.5, 1.5), rescale=1 / 255, featurewise_std_normalization=True,
        validation_split=0.3)
    generator.fit(images, augment=True, seed=3)
    batches = generator.flow(images, np.arange(10) % 3, batch_size=4, seed=5)
    for i in range(7):
        x, y = next(batches)
        yield f"generator {i} x", x
        yield f"generator {i} y", y
    whitening = image.ImageDataGenerator(zca_whitening=True)
    whitening.fit(images)
    yield "whitening", whitening.zca_whitening_matrix


def folder_results(keras, folder) -> dict:
    """What is read from a folder that make_folder() made, and of series."""
    found = {}
    for part in (_image_folders, _text_folders, _series):
        found.update(part(keras, str(folder)))
    return {name: np.asarray(value) for name, value in found.items()}


def make_folder(folder, save_img):
    """Images of several sizes and texts, in two classes each."""
    random_state = np.random.RandomState(4)
    for number in range(11):
        for kind in ("images", "texts"):
            (folder / kind / f"class{number % 2}").mkdir(parents=True, exist_ok=True)
        size = random_state.randint(5, 40, 2)
        pixels = random_state.randint(0, 256, (*size, 3)).astype("uint8")
        save_img(folder / "images" / f"class{number % 2}" / f"{number}.png", pixels, scale=False)
        (folder / "texts" / f"class{number % 2}" / f"{number}.txt").write_text(f"text {number}")


def _image_folders(keras, folder):
    read = keras.utils.image_dataset_from_directory
    common = dict(verbose=False, image_size=(12, 17), batch_size=4)
    for name, options in {
        "stretched": {}, "cropped": dict(crop_to_aspect_ratio=True),
        "padded": dict(pad_to_aspect_ratio=True), "nearest": dict(interpolation="nearest"),
        "area": dict(interpolation="area"), "lanczos": dict(interpolation="lanczos3"),
        "grey": dict(color_mode="grayscale"), "one-hot": dict(label_mode="categorical"),
        "binary": dict(label_mode="binary"), "first": dict(data_format="channels_first"),
    }.items():
        dataset = read(f"{folder}/images", shuffle=False, **common, **options)
        for part, batches in zip("xy", zip(*dataset)):
            yield f"images {name} {part}", np.concatenate([b.numpy() for b in batches])
    for seed in (1, 77):
        split = dict(validation_split=0.3, seed=seed, **common)
        for subset in ("training", "validation"):
            dataset = read(f"{folder}/images", subset=subset, **split)
            yield f"images of {subset} {seed}", [p[len(folder) :] for p in dataset.file_paths]


def _text_folders(keras, folder):
    dataset = keras.utils.text_dataset_from_directory(
        f"{folder}/texts", shuffle=False, batch_size=3, max_length=6, verbose=False)
    texts, labels = zip(*dataset)
    yield "texts", [t.decode() for batch in texts for t in batch.numpy()]
    yield "labels of texts", np.concatenate([batch.numpy() for batch in labels])


def _series(keras, folder):
    data = np.arange(60.0).reshape(30, 2).astype("float32")
    targets = np.arange(30)
    for name, options in {
        "plain": {}, "rate": dict(sampling_rate=3), "stride": dict(sequence_stride=4),
        "part": dict(start_index=5, end_index=22),
    }.items():
        dataset = keras.utils.timeseries_dataset_from_array(
            data, targets, 4, batch_size=3, **options)
        for part, batches in zip("xy", zip(*dataset)):
            yield f"series {name} {part}", np.concatenate([b.numpy() for b in batches])
    left, right = keras.utils.split_dataset((data, targets), left_size=0.6, shuffle=True, seed=3)
    for name, half in (("left", left), ("right", right)):
        yield f"split {name}", [int(y) for _, y in half]


def _real():
    """The modules of the real Keras, which calls SciPy by a name that new versions lack."""
    import keras
    import scipy.ndimage
    from keras._tf_keras.keras.preprocessing import image, sequence, text
    from keras.src.legacy.preprocessing import image as legacy

    class Scipy:
        class ndimage:
            interpolation = scipy.ndimage

    legacy.scipy = Scipy
    return keras, image, text, sequence


if __name__ == "__main__":
    modules = _real()
    found = {**results(*modules), **folder_results(modules[0], sys.argv[2])}
    np.savez(sys.argv[1], **found)
