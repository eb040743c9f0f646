"""Images as Keras's image_dataset_from_directory loads them, with each option of resizing."""

import pathlib
import tempfile

import keras
import numpy as np
import tensorflow as tf

from golden_file import Case, generator


def load(image, size, interpolation, crop, pad):
    with tempfile.TemporaryDirectory() as folder:
        tf.io.write_file(str(pathlib.Path(folder) / "image.png"), tf.io.encode_png(image))
        data = keras.utils.image_dataset_from_directory(
            folder,
            labels=None,
            label_mode=None,
            batch_size=None,
            image_size=size,
            interpolation=interpolation,
            crop_to_aspect_ratio=crop,
            pad_to_aspect_ratio=pad,
            verbose=False,
        )
        return next(iter(data)).numpy()


def cases():
    for name, size, to in [
        ("smaller", (13, 17), (5, 4)),
        ("larger", (3, 4), (8, 7)),
        ("mixed", (11, 2), (4, 6)),
        ("one_pixel", (1, 1), (3, 2)),
        ("one_row", (1, 6), (2, 4)),
        ("one_column", (6, 1), (4, 3)),
        ("same", (4, 3), (4, 3)),
        ("much_smaller", (31, 37), (3, 5)),
    ]:
        image = generator(f"resize_{name}").integers(0, 256, (*size, 3)).astype(np.uint8)
        for interpolation in ("nearest", "bilinear", "area"):
            for mode in ("stretch", "crop", "pad"):
                if (interpolation, mode) == ("area", "crop"):
                    continue  # Keras refuses
                if mode == "pad" and min(size) < max(size[0] / to[0], size[1] / to[1]):
                    continue  # TensorFlow refuses: nothing would be left of the image
                case = Case(f"{name}_{interpolation}_{mode}", {"interpolation": interpolation, "mode": mode})
                case.add("image", image)
                case.add("resized", load(image, to, interpolation, mode == "crop", mode == "pad").astype(np.float32))
                yield case
