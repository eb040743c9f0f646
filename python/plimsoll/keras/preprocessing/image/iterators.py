"""Endless batches of images from arrays and folders, each image changed by a generator."""

import os
import threading
import warnings

import numpy as np

from plimsoll.keras import config
from plimsoll.keras.utils.images import array_to_img, img_to_array, load_img
from plimsoll.keras.utils.messages import print_message
from plimsoll.keras.utils.py_dataset import PyDataset

_CHANNELS = {"grayscale": 1, "rgb": 3, "rgba": 4}


class Iterator(PyDataset):
    """Batches of n records: `it[i]` is a batch of this epoch, next(it) goes on for ever.

    A subclass defines _get_batches_of_transformed_samples(index_array).
    """

    white_list_formats = ("png", "jpg", "jpeg", "bmp", "ppm", "tif", "tiff")

    def __init__(self, n, batch_size, shuffle, seed, **kwargs):
        super().__init__(**kwargs)
        self.n = n
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.seed = seed
        self.batch_index = 0
        self.total_batches_seen = 0
        self.index_array = None
        self.lock = threading.Lock()
        self.index_generator = self._flow_index()

    def __len__(self):
        return -(-self.n // self.batch_size)

    def __getitem__(self, idx):
        if idx >= len(self):
            raise ValueError(
                f"Asked to retrieve element {idx}, but the Sequence has length {len(self)}"
            )
        self._seed_batch()
        self.total_batches_seen += 1
        if self.index_array is None:
            self._set_index_array()
        first = self.batch_size * idx
        part = self.index_array[first : first + self.batch_size]
        return self._get_batches_of_transformed_samples(part)

    def __iter__(self):
        return self

    def __next__(self):
        with self.lock:
            index_array = next(self.index_generator)
        return self._get_batches_of_transformed_samples(index_array)

    next = __next__

    def on_epoch_end(self):
        """Shuffles for the next epoch."""
        self._set_index_array()

    def reset(self):
        """next(it) begins with the first batch again."""
        self.batch_index = 0

    def _flow_index(self):
        self.reset()
        while True:
            self._seed_batch()
            if self.batch_index == 0:
                self._set_index_array()
            first = self.batch_index * self.batch_size
            self.batch_index = self.batch_index + 1 if first + self.batch_size < self.n else 0
            self.total_batches_seen += 1
            yield self.index_array[first : first + self.batch_size]

    def _set_index_array(self):
        self.index_array = np.random.permutation(self.n) if self.shuffle else np.arange(self.n)

    def _seed_batch(self):
        """Makes a batch's random numbers depend on the seed and the batch's number alone."""
        if self.seed is not None:
            np.random.seed(self.seed + self.total_batches_seen)

    def _get_batches_of_transformed_samples(self, index_array):
        raise NotImplementedError(f"{type(self).__name__} does not say how batches are made")

    def _save(self, batch, index_array, highest):
        """Writes the images of a batch to the folder save_to_dir, if there is one."""
        if not self.save_to_dir:
            return
        for image, index in zip(batch, index_array):
            number = np.random.randint(highest)
            name = f"{self.save_prefix}_{index}_{number}.{self.save_format}"
            picture = array_to_img(image, self.data_format, scale=True)
            picture.save(os.path.join(self.save_to_dir, name))


class NumpyArrayIterator(Iterator):
    """Batches of an array of images, with labels and weights if these are given."""

    def __init__(
        self,
        x,
        y,
        image_data_generator,
        batch_size=32,
        shuffle=False,
        sample_weight=None,
        seed=None,
        data_format=None,
        save_to_dir=None,
        save_prefix="",
        save_format="png",
        subset=None,
        ignore_class_split=False,
        dtype=None,
    ):
        self.data_format = data_format or config.image_data_format()
        self.dtype = dtype or config.floatx()
        x, others = (x[0], x[1]) if isinstance(x, (tuple, list)) else (x, [])
        others = [np.asarray(o) for o in (others if isinstance(others, list) else [others])]
        self._check_lengths(x, y, sample_weight, others)
        if subset is not None:
            count = int(len(x) * image_data_generator._validation_split)
            part = _part_of(subset, count)
            self._check_classes(y, count, ignore_class_split)
            x, others = x[part], [o[part] for o in others]
            y = None if y is None else y[part]
            sample_weight = None if sample_weight is None else sample_weight[part]
        # Images are cast as their batches are made, so that bytes stay bytes until then.
        self.x = np.asarray(x)
        self.x_misc = others
        self.y = None if y is None else np.asarray(y)
        self.sample_weight = None if sample_weight is None else np.asarray(sample_weight)
        self._check_images()
        self.image_data_generator = image_data_generator
        self.save_to_dir = save_to_dir
        self.save_prefix = save_prefix
        self.save_format = save_format
        super().__init__(len(self.x), batch_size, shuffle, seed)

    @staticmethod
    def _check_lengths(x, y, sample_weight, others):
        given = [("`y` (labels)", y), ("`sample_weight`", sample_weight)]
        given += [("every further array of `x`", other) for other in others]
        for name, values in given:
            if values is not None and len(values) != len(x):
                raise ValueError(
                    f"`x` (images tensor) and {name} should have the same length. Found: "
                    f"{len(x)} and {len(values)}"
                )

    @staticmethod
    def _check_classes(y, count, ignore_class_split):
        if y is None or ignore_class_split:
            return
        if not np.array_equal(np.unique(y[:count]), np.unique(y[count:])):
            raise ValueError(
                "Training and validation subsets have different number of classes after the split. "
                "If your numpy arrays are sorted by the label, you might want to shuffle them."
            )

    def _check_images(self):
        if self.x.ndim != 4:
            raise ValueError(
                "Input data in `NumpyArrayIterator` should have rank 4. You passed an array with "
                f"shape {self.x.shape}"
            )
        axis = 3 if self.data_format == "channels_last" else 1
        if self.x.shape[axis] not in (1, 3, 4):
            warnings.warn(
                f"images have {self.x.shape[axis]} channels on axis {axis} of shape "
                f"{self.x.shape}; 1, 3 or 4 are expected with data_format={self.data_format}",
                stacklevel=3,
            )

    def _get_batches_of_transformed_samples(self, index_array):
        batch = np.zeros((len(index_array), *self.x.shape[1:]), dtype=self.dtype)
        for i, index in enumerate(index_array):
            generator = self.image_data_generator
            image = self.x[index].astype(self.dtype)
            parameters = generator.get_random_transform(image.shape)
            batch[i] = generator.standardize(generator.apply_transform(image, parameters))
        self._save(batch, index_array, highest=10**4)
        x = [batch, *(o[index_array] for o in self.x_misc)] if self.x_misc else batch
        if self.y is None:
            return x
        result = (x, self.y[index_array])
        if self.sample_weight is not None:
            result += (self.sample_weight[index_array],)
        return result


class FileIterator(Iterator):
    """What iterators over image files share; a subclass sets filenames and what belongs to them."""

    def _set_up(
        self, generator, target_size, color_mode, data_format, save_to_dir, save_prefix,
        save_format, subset, interpolation, keep_aspect_ratio, dtype,
    ):
        if color_mode not in _CHANNELS:
            raise ValueError(
                f'Invalid color mode: {color_mode}; expected "rgb", "rgba", or "grayscale".'
            )
        self.image_data_generator = generator
        self.target_size = tuple(target_size)
        self.color_mode = color_mode
        self.data_format = data_format or config.image_data_format()
        channels = (_CHANNELS[color_mode],)
        last = self.data_format == "channels_last"
        self.image_shape = self.target_size + channels if last else channels + self.target_size
        self.save_to_dir = save_to_dir
        self.save_prefix = save_prefix
        self.save_format = save_format
        self.interpolation = interpolation
        self.keep_aspect_ratio = keep_aspect_ratio
        self.dtype = dtype or config.floatx()
        self.subset = subset
        self.split = self._split_of(subset)

    def _split_of(self, subset):
        """The fractions where a subset begins and ends; None for all files."""
        if subset is None:
            return None
        _part_of(subset, 0)
        border = self.image_data_generator._validation_split
        return (0, border) if subset == "validation" else (border, 1)

    def _in_split(self, items):
        """The subset's part of a list."""
        if not self.split:
            return items
        return items[int(self.split[0] * len(items)) : int(self.split[1] * len(items))]

    filepaths = property(lambda self: self._filepaths, doc="The paths of the images.")
    labels = property(lambda self: self.classes, doc="The labels of the images.")
    sample_weight = property(lambda self: None, doc="The weights of the images, or None.")

    def _get_batches_of_transformed_samples(self, index_array):
        batch = np.zeros((len(index_array), *self.image_shape), dtype=self.dtype)
        for i, index in enumerate(index_array):
            batch[i] = self._image(self.filepaths[index])
        self._save(batch, index_array, highest=10**7)
        targets = self._targets_of(batch, index_array)
        if targets is None:
            return batch
        if self.sample_weight is None:
            return batch, targets
        return batch, targets, self.sample_weight[index_array]

    def _image(self, path):
        image = load_img(
            path, self.color_mode, self.target_size, self.interpolation, self.keep_aspect_ratio
        )
        x = img_to_array(image, data_format=self.data_format)
        image.close()
        generator = self.image_data_generator
        if not generator:
            return x
        # The array may be a view of the image's own memory, which must not be changed.
        x = np.array(x)
        x = generator.apply_transform(x, generator.get_random_transform(x.shape))
        return generator.standardize(x)

    def _targets_of(self, batch, index_array):
        if self.class_mode == "input":
            return batch.copy()
        if self.class_mode in ("binary", "sparse"):
            return np.array([self.classes[i] for i in index_array], dtype=self.dtype)
        if self.class_mode == "categorical":
            targets = np.zeros((len(batch), len(self.class_indices)), dtype=self.dtype)
            for row, index in zip(targets, index_array):
                row[self.classes[index]] = 1.0
            return targets
        if self.class_mode == "multi_output":
            return [output[index_array] for output in self.labels]
        return self.labels[index_array] if self.class_mode == "raw" else None


class DirectoryIterator(FileIterator):
    """Batches of the images of a folder that has one sub-folder per class."""

    allowed_class_modes = {"categorical", "binary", "sparse", "input", None}

    def __init__(
        self,
        directory,
        image_data_generator,
        target_size=(256, 256),
        color_mode="rgb",
        classes=None,
        class_mode="categorical",
        batch_size=32,
        shuffle=True,
        seed=None,
        data_format=None,
        save_to_dir=None,
        save_prefix="",
        save_format="png",
        follow_links=False,
        subset=None,
        interpolation="nearest",
        keep_aspect_ratio=False,
        dtype=None,
    ):
        self._set_up(
            image_data_generator, target_size, color_mode, data_format, save_to_dir, save_prefix,
            save_format, subset, interpolation, keep_aspect_ratio, dtype,
        )
        if class_mode not in self.allowed_class_modes:
            raise ValueError(
                f"Invalid class_mode: {class_mode}; expected one of: {self.allowed_class_modes}"
            )
        self.class_mode = class_mode
        self.directory = directory
        names = classes or sorted(e.name for e in os.scandir(directory) if e.is_dir())
        self.num_classes = len(names)
        self.class_indices = {name: i for i, name in enumerate(names)}
        found = [self._in_split(self._files(name, follow_links)) for name in names]
        self.filenames = [file for files in found for file in files]
        self.classes = np.repeat(np.arange(len(names), dtype="int32"), [len(f) for f in found])
        self.samples = len(self.filenames)
        print_message(f"Found {self.samples} images belonging to {self.num_classes} classes.")
        self._filepaths = [os.path.join(directory, name) for name in self.filenames]
        super().__init__(self.samples, batch_size, shuffle, seed)

    def _files(self, class_name, follow_links):
        """The image files of a class, relative to the folder, sorted by folder and name."""
        top = os.path.join(self.directory, class_name)
        files = []
        for root, _, names in sorted(os.walk(top, followlinks=follow_links)):
            below = os.path.normpath(os.path.join(class_name, os.path.relpath(root, top)))
            images = (n for n in sorted(names) if n.lower().endswith(self.white_list_formats))
            files += [os.path.join(below, name) for name in images]
        return files


def _part_of(subset, count) -> slice:
    """A subset's records, of which the first `count` are for validation."""
    parts = {"validation": slice(count), "training": slice(count, None)}
    if subset not in parts:
        raise ValueError(f'Invalid subset name: {subset}; expected "training" or "validation".')
    return parts[subset]
