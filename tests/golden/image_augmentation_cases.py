"""Transforms of Keras's legacy ImageDataGenerator with given parameters."""

import numpy as np
from keras.src.legacy.preprocessing.image import ImageDataGenerator

from golden_file import Case, generator

AFFINE = {
    "rotation": {"theta": 33.0},
    "shift": {"tx": 2.25, "ty": -1.5},
    "far_shift": {"tx": 13.3, "ty": -17.7},
    "shear": {"shear": 20.0},
    "zoom": {"zx": 1.6, "zy": 0.7},
    "all": {
        "theta": -50.0,
        "tx": 1.0,
        "ty": 2.5,
        "shear": 10.0,
        "zx": 0.8,
        "zy": 1.3,
        "flip_horizontal": True,
        "flip_vertical": True,
    },
}
COLOURS = {
    "flips": {"flip_horizontal": True, "flip_vertical": True},
    "channel_shift": {"channel_shift_intensity": -40.0},
    "darker": {"brightness": 0.35},
    "brighter": {"brightness": 1.7},
    "all": {"theta": 12.0, "channel_shift_intensity": 30.0, "flip_horizontal": True, "brightness": 1.2},
}


def image(name, channels=3, size=7, low=0.0, high=255.0):
    # Keras turns an image that is not square about a point that is not its centre; so all are square.
    return generator(name).uniform(low, high, (size, size, channels)).astype(np.float32)


def transform_case(name, parameters, x, **options):
    case = Case(name, {**options, **parameters})
    case.add("x", x)
    case.add("y", ImageDataGenerator(**options).apply_transform(x.copy(), parameters))
    return case


def cases():
    for fill_mode in ("nearest", "constant", "reflect", "wrap"):
        for name, parameters in AFFINE.items():
            yield transform_case(f"{fill_mode}_{name}", parameters, image(name), fill_mode=fill_mode, cval=7.5)
    for channels in (1, 3, 4):
        for name, parameters in COLOURS.items():
            yield transform_case(f"colours_{name}_{channels}", parameters, image(name, channels, 4))
    yield transform_case("beyond_brighter", {"brightness": 1.5}, image("beyond", 3, 4, -1.0, 2.0))
    for name, options in {
        "rescale": {"rescale": 1 / 255},
        "samplewise_center": {"rescale": 0.5, "samplewise_center": True},
        "samplewise_std": {"rescale": 1 / 255, "samplewise_center": True, "samplewise_std_normalization": True},
    }.items():
        case = Case(f"standardize_{name}", options)
        case.add("x", image(name))
        case.add("y", ImageDataGenerator(**options).standardize(image(name)))
        yield case
    featurewise = ImageDataGenerator(rescale=1 / 255, featurewise_center=True, featurewise_std_normalization=True)
    featurewise.mean, featurewise.std = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
    case = Case("standardize_featurewise", {"rescale": 1 / 255, "featurewise": True})
    case.add("x", image("featurewise"))
    case.add("y", featurewise.standardize(image("featurewise")))
    yield case
