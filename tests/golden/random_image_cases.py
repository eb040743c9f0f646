"""Layers that change images at random, where nothing is left to chance: training=True with bounds that are equal."""

import tensorflow as tf
from keras import layers

from golden_file import Case, generator
from image_layer_cases import config_text


def image_case(name, layer, top=255.0, training=True, channels=3):
    rng = generator(name)
    x = (top * rng.uniform(size=(2, 5, 4, channels))).astype("float32")
    x[0, 0, 0], x[0, 0, 1] = 0.0, top  # without a colour
    case = Case(name, {"config": config_text(layer), "training": training})
    case.add_all({"x": x, "y": layer(tf.constant(x), training=training)})
    return case


def cases():
    unit = {"value_range": (0, 1)}
    yield image_case("random_hue", layers.RandomHue((0.0, 0.0)))
    yield image_case("random_hue_unit", layers.RandomHue((1.0, 1.0), **unit), 1.0)
    yield image_case("random_saturation", layers.RandomSaturation((0.3, 0.3)))
    yield image_case("random_saturation_unit", layers.RandomSaturation((0.6, 0.6), **unit), 1.0)
    yield image_case("random_color_degeneration", layers.RandomColorDegeneration((0.4, 0.4)))
    yield image_case("random_grayscale", layers.RandomGrayscale(1.0))
    yield image_case("random_color_jitter", layers.RandomColorJitter(brightness_factor=(0.1, 0.1), saturation_factor=(0.4, 0.4)))
    yield image_case("random_invert", layers.RandomInvert((1.0, 1.0)))
    yield image_case("random_invert_unit", layers.RandomInvert((1.0, 1.0), **unit), 1.0)
    yield image_case("random_posterization", layers.RandomPosterization((3, 3)))
    yield image_case("random_posterization_unit", layers.RandomPosterization((5, 5), **unit), 1.0)
    yield image_case("solarization", layers.Solarization())
    yield image_case("solarization_unit", layers.Solarization((0.0, 0.0), (0.0, 0.0), **unit), 1.0)
    yield image_case("auto_contrast", layers.AutoContrast(), 200.0)
    yield image_case("auto_contrast_unit", layers.AutoContrast(**unit), 0.7, training=False)
    yield image_case("random_sharpness", layers.RandomSharpness((0.8, 0.8)))
    yield image_case("random_sharpness_smooth", layers.RandomSharpness((0.1, 0.1), **unit), 1.0, channels=2)
    blur = layers.RandomGaussianBlur((1.0, 1.0), kernel_size=3, sigma=(0.8, 0.8))
    yield image_case("random_gaussian_blur", blur)
    yield image_case("random_erasing", layers.RandomErasing((1.0, 1.0), scale=(1.0, 1.0), fill_value=[9.0, 5.0, 300.0]))
    yield image_case("random_shear", layers.RandomShear((0.0, 0.0), (0.0, 0.0)))
    for kind in (layers.RandomHue, layers.RandomSaturation, layers.RandomSharpness, layers.RandomColorDegeneration):
        layer = kind(0.3)
        yield image_case(f"{layer.name}_inference", layer, training=False)
