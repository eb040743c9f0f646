"""Affine transforms of images, in every fill mode."""

import keras
import numpy as np

from golden_file import Case, generator, normal

TRANSFORMS = {
    "turned": [0.92, -0.39, 1.3, 0.39, 0.92, -2.2, 0, 0],
    "shrunk": [2.3, 0, -3.1, 0, 3.7, -4.9, 0, 0],
    "far": [1, 0, 23.5, 0, 1, -17.25, 0, 0],
    "projected": [1.7, 0.1, -6, 0, -0.6, 4.1, 0.02, -0.01],
}


def cases():
    for fill_mode in ("constant", "reflect", "wrap", "nearest"):
        for interpolation in ("nearest", "bilinear"):
            name = f"{fill_mode}_{interpolation}"
            rng = generator(name)
            images = normal(rng, len(TRANSFORMS), 5, 6, 2)
            transforms = np.array(list(TRANSFORMS.values()), dtype="float32")
            options = {"interpolation": interpolation, "fill_mode": fill_mode, "fill_value": 0.75}
            case = Case(name, options)
            case.add_all({"x": images, "transforms": transforms})
            case.add("y", keras.ops.image.affine_transform(images, transforms, **options))
            yield case
