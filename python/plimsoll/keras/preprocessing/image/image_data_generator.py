"""Batches of images that are changed at random, as scripts wrote before layers could do it."""

import warnings

import numpy as np

from plimsoll.keras import config
from plimsoll.keras.preprocessing.image.data_frame_iterator import DataFrameIterator
from plimsoll.keras.preprocessing.image.iterators import DirectoryIterator, NumpyArrayIterator
from plimsoll.keras.preprocessing.image.transforms import (
    apply_affine_transform,
    apply_brightness_shift,
    apply_channel_shift,
)


class ImageDataGenerator:
    """Says how images are changed at random; flow() and its kin give batches of such images.

    Arguments with `range` in their names say how far an image is turned (degrees), shifted
    (fractions below 1, else pixels), sheared (degrees), zoomed or brightened. rescale is a factor.
    featurewise settings need fit() first.
    """

    def __init__(
        self,
        featurewise_center=False,
        samplewise_center=False,
        featurewise_std_normalization=False,
        samplewise_std_normalization=False,
        zca_whitening=False,
        zca_epsilon=1e-6,
        rotation_range=0,
        width_shift_range=0.0,
        height_shift_range=0.0,
        brightness_range=None,
        shear_range=0.0,
        zoom_range=0.0,
        channel_shift_range=0.0,
        fill_mode="nearest",
        cval=0.0,
        horizontal_flip=False,
        vertical_flip=False,
        rescale=None,
        preprocessing_function=None,
        data_format=None,
        validation_split=0.0,
        interpolation_order=1,
        dtype=None,
    ):
        needs_mean = featurewise_std_normalization or zca_whitening
        self.featurewise_center = featurewise_center or needs_mean
        self.featurewise_std_normalization = featurewise_std_normalization and not zca_whitening
        self.samplewise_center = samplewise_center or samplewise_std_normalization
        self.samplewise_std_normalization = samplewise_std_normalization
        self.zca_whitening = zca_whitening
        self.zca_epsilon = zca_epsilon
        self.rotation_range = rotation_range
        self.width_shift_range = width_shift_range
        self.height_shift_range = height_shift_range
        self.brightness_range = _pair("brightness_range", brightness_range)
        self.shear_range = shear_range
        self.zoom_range = _zoom(zoom_range)
        self.channel_shift_range = channel_shift_range
        self.fill_mode = fill_mode
        self.cval = cval
        self.horizontal_flip = horizontal_flip
        self.vertical_flip = vertical_flip
        self.rescale = rescale
        self.preprocessing_function = preprocessing_function
        self.interpolation_order = interpolation_order
        self.dtype = dtype or config.floatx()
        self.mean = self.std = self.zca_whitening_matrix = None
        self._set_axes(data_format or config.image_data_format())
        if validation_split and not 0 < validation_split < 1:
            raise ValueError(
                "`validation_split` must be strictly between 0 and 1.  Received: "
                f"{validation_split}"
            )
        self._validation_split = validation_split

    def _set_axes(self, data_format):
        if data_format not in ("channels_last", "channels_first"):
            raise ValueError(
                '`data_format` should be `"channels_last"` (channel after row and column) or '
                f'`"channels_first"` (channel before row and column). Received: {data_format}'
            )
        self.data_format = data_format
        last = data_format == "channels_last"
        self.channel_axis, self.row_axis, self.col_axis = (3, 1, 2) if last else (1, 2, 3)

    def flow(
        self,
        x,
        y=None,
        batch_size=32,
        shuffle=True,
        sample_weight=None,
        seed=None,
        save_to_dir=None,
        save_prefix="",
        save_format="png",
        ignore_class_split=False,
        subset=None,
    ):
        """Batches of an array of images."""
        return NumpyArrayIterator(
            x, y, self, batch_size, shuffle, sample_weight, seed, self.data_format, save_to_dir,
            save_prefix, save_format, subset, ignore_class_split, self.dtype,
        )

    def flow_from_directory(
        self,
        directory,
        target_size=(256, 256),
        color_mode="rgb",
        classes=None,
        class_mode="categorical",
        batch_size=32,
        shuffle=True,
        seed=None,
        save_to_dir=None,
        save_prefix="",
        save_format="png",
        follow_links=False,
        subset=None,
        interpolation="nearest",
        keep_aspect_ratio=False,
    ):
        """Batches of the images of a folder with one sub-folder per class."""
        return DirectoryIterator(
            directory, self, target_size, color_mode, classes, class_mode, batch_size, shuffle,
            seed, self.data_format, save_to_dir, save_prefix, save_format, follow_links, subset,
            interpolation, keep_aspect_ratio, self.dtype,
        )

    def flow_from_dataframe(
        self,
        dataframe,
        directory=None,
        x_col="filename",
        y_col="class",
        weight_col=None,
        target_size=(256, 256),
        color_mode="rgb",
        classes=None,
        class_mode="categorical",
        batch_size=32,
        shuffle=True,
        seed=None,
        save_to_dir=None,
        save_prefix="",
        save_format="png",
        subset=None,
        interpolation="nearest",
        validate_filenames=True,
        **kwargs,
    ):
        """Batches of the images that a table names."""
        class_mode = "raw" if class_mode == "other" else class_mode
        unknown = set(kwargs) - {"has_ext", "sort", "drop_duplicates"}
        if unknown:
            raise TypeError(f"flow_from_dataframe() does not know the arguments {sorted(unknown)}")
        return DataFrameIterator(
            dataframe, directory, self, x_col, y_col, weight_col, target_size, color_mode, classes,
            class_mode, batch_size, shuffle, seed, self.data_format, save_to_dir, save_prefix,
            save_format, subset, interpolation, dtype=self.dtype,
            validate_filenames=validate_filenames,
        )

    def standardize(self, x):
        """Applies what is not random: the user's function, scaling, centering, whitening."""
        if self.preprocessing_function:
            x = self.preprocessing_function(x)
        if self.rescale:
            x = x * self.rescale
        if self.samplewise_center:
            x = x - np.mean(x, keepdims=True)
        if self.samplewise_std_normalization:
            x = x / (np.std(x, keepdims=True) + 1e-6)
        if self.featurewise_center and self._is_fitted("featurewise_center", self.mean):
            x = x - self.mean
        if self.featurewise_std_normalization:
            if self._is_fitted("featurewise_std_normalization", self.std):
                x = x / (self.std + 1e-6)
        if self.zca_whitening and self._is_fitted("zca_whitening", self.zca_whitening_matrix):
            x = (x.reshape(1, -1) @ self.zca_whitening_matrix).reshape(x.shape)
        return x

    @staticmethod
    def _is_fitted(setting, value) -> bool:
        if value is None:
            warnings.warn(
                f"This ImageDataGenerator specifies `{setting}`, but it hasn't been fit on any "
                "training data. Fit it first by calling `.fit(numpy_data)`.",
                stacklevel=3,
            )
        return value is not None

    def get_random_transform(self, img_shape, seed=None):
        """Draws how an image is changed: the dictionary that apply_transform() takes."""
        if seed is not None:
            np.random.seed(seed)
        theta = _within(self.rotation_range)
        tx = _shift(self.height_shift_range, img_shape[self.row_axis - 1])
        ty = _shift(self.width_shift_range, img_shape[self.col_axis - 1])
        shear = _within(self.shear_range)
        zoom = self.zoom_range
        zx, zy = (1, 1) if tuple(zoom) == (1, 1) else np.random.uniform(zoom[0], zoom[1], 2)
        flip_horizontal = (np.random.random() < 0.5) * self.horizontal_flip
        flip_vertical = (np.random.random() < 0.5) * self.vertical_flip
        intensity = brightness = None
        if self.channel_shift_range != 0:
            intensity = _within(self.channel_shift_range)
        if self.brightness_range is not None:
            brightness = np.random.uniform(*self.brightness_range)
        return {
            "theta": theta,
            "tx": tx,
            "ty": ty,
            "shear": shear,
            "zx": zx,
            "zy": zy,
            "flip_horizontal": flip_horizontal,
            "flip_vertical": flip_vertical,
            "channel_shift_intensity": intensity,
            "brightness": brightness,
        }

    def apply_transform(self, x, transform_parameters):
        """Changes one image as a dictionary of get_random_transform() says."""
        given = transform_parameters.get
        row, column, channel = self.row_axis - 1, self.col_axis - 1, self.channel_axis - 1
        x = apply_affine_transform(
            x, given("theta", 0), given("tx", 0), given("ty", 0), given("shear", 0),
            given("zx", 1), given("zy", 1), row, column, channel, self.fill_mode, self.cval,
            self.interpolation_order,
        )
        if given("channel_shift_intensity") is not None:
            x = apply_channel_shift(x, given("channel_shift_intensity"), channel)
        if given("flip_horizontal"):
            x = np.flip(x, column)
        if given("flip_vertical"):
            x = np.flip(x, row)
        if given("brightness") is not None:
            x = apply_brightness_shift(x, given("brightness"), False)
        return x

    def random_transform(self, x, seed=None):
        """Changes one image at random."""
        return self.apply_transform(x, self.get_random_transform(x.shape, seed))

    def fit(self, x, augment=False, rounds=1, seed=None):
        """Learns mean, deviation and whitening from images; with `augment` from changed ones."""
        x = np.array(x, dtype=self.dtype)
        if x.ndim != 4:
            raise ValueError(
                f"Input to `.fit()` should have rank 4. Got array with shape: {x.shape}"
            )
        if seed is not None:
            np.random.seed(seed)
        if self.rescale:
            x *= self.rescale
        if augment:
            x = np.stack([self.random_transform(i) for _ in range(rounds) for i in x])
        axes = (0, self.row_axis, self.col_axis)
        if self.featurewise_center:
            self.mean = np.mean(x, axis=axes, keepdims=True)[0]
            x -= self.mean
        if self.featurewise_std_normalization:
            self.std = np.std(x, axis=axes, keepdims=True)[0]
            x /= self.std + 1e-6
        if self.zca_whitening:
            flat = x.reshape(len(x), -1)
            u, s, _ = np.linalg.svd(flat.T, full_matrices=False)
            scale = np.sqrt(len(x)) / (s + self.zca_epsilon)
            self.zca_whitening_matrix = (u * scale) @ u.T


def _within(reach):
    return np.random.uniform(-reach, reach) if reach else 0


def _shift(reach, length):
    """A shift in pixels: up to a fraction or number of pixels, or one of a list of numbers."""
    if not np.any(reach):
        return 0
    if np.ndim(reach) == 1 or isinstance(reach, int):
        shift = np.random.choice(reach) * np.random.choice([-1, 1])
    else:
        shift = np.random.uniform(-reach, reach)
    return shift * length if np.max(reach) < 1 else shift


def _pair(name, value):
    if value is not None and not (isinstance(value, (tuple, list)) and len(value) == 2):
        raise ValueError(f"`{name} should be tuple or list of two floats. Received: {value}")
    return value


def _zoom(value):
    if isinstance(value, (int, float)):
        return [1 - value, 1 + value]
    if len(value) != 2:
        raise ValueError(
            f"`zoom_range` should be a float or a tuple or list of two floats. Received: {value}"
        )
    return list(value)
