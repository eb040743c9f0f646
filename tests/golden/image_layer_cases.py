"""Layers over images and rows by their saved configs: outputs, masks and the gradients of sum(y * dy)."""

import json

import keras
import numpy as np
import tensorflow as tf
from keras import layers
from keras.src.applications import convnext

from golden_file import Case, generator, normal

CONFIG_KEYS = ("module", "class_name", "config", "registered_name")


def config_text(layer):
    config = keras.saving.serialize_keras_object(layer)
    inner = config["config"].get("layer")
    if inner is not None:
        config["config"]["layer"] = {key: inner[key] for key in CONFIG_KEYS}
    return json.dumps({key: config[key] for key in CONFIG_KEYS})


def layer_case(name, layer, *shapes, masks=(), training=None, compiled=False):
    """Runs a layer on normal numbers; compiled: through XLA, where TensorFlow has no gradient."""
    rng = generator(name)
    values = [tf.constant(normal(rng, *shape)) for shape in shapes]
    call = {} if training is None else {"training": training}
    layer.build(shapes[0] if len(shapes) == 1 else list(shapes))
    for weight in layer.weights:
        fan_in = int(np.prod(weight.shape[:-1])) if len(weight.shape) > 1 else 4
        value = normal(rng, *weight.shape, scale=1.5 / np.sqrt(fan_in))
        weight.assign(np.abs(value) + 0.5 if weight.name in ("gamma", "moving_variance", "moving_stddev", "renorm_stddev") else value)
    case = Case(name, {"config": config_text(layer), **call})
    case.meta["weights"] = [name_of(weight) for weight in layer.weights]
    case.add_all({f"x{number}": value for number, value in enumerate(values)})
    case.add_all({f"w.{name_of(weight)}": weight.numpy() for weight in layer.weights})
    for number, mask in enumerate(masks):
        if mask is not None:
            case.add(f"mask{number}", np.array(mask))
            keras.src.backend.set_keras_mask(values[number], tf.constant(np.array(mask, dtype="bool")))
    add_results(case, rng, layer, values, call, compiled)
    return case


def name_of(weight):
    """ConvNeXt's scale has no name of its own."""
    return "gamma" if weight.name.startswith("variable") else weight.name


def output_shape(layer, shape):
    """Layers of keras.applications do not say theirs; it is the input's."""
    return shape if type(layer).__module__.startswith("keras.src.applications") else layer.compute_output_shape(shape)


def add_results(case, rng, layer, values, call, compiled):
    shape = [tuple(value.shape) for value in values]
    dy = normal(rng, *output_shape(layer, shape[0] if len(shape) == 1 else shape))

    def gradients(*values):
        weights = [weight.value for weight in layer.trainable_weights]
        with tf.GradientTape() as tape:
            tape.watch(values)
            y = layer(values[0] if len(values) == 1 else list(values), **call)
            total = tf.reduce_sum(y * dy)
        return y, tape.gradient(total, [*values, *weights])

    if compiled:
        gradients = tf.function(gradients, jit_compile=True, reduce_retracing=True)
    y, flowed = gradients(*values)
    case.add_all({"y": y, "dy": dy})
    mask = None if compiled else keras.src.backend.get_keras_mask(y)
    if mask is not None:
        case.add("y_mask", mask)
    case.add_all({f"dx{number}": flowed[number] for number in range(len(values))})
    names = [name_of(weight) for weight in layer.trainable_weights]
    case.add_all({f"dw.{name}": g for name, g in zip(names, flowed[len(values) :])})
    case.add_all({f"new.{weight.name}": weight.numpy() for weight in layer.non_trainable_weights})


def row_convolutions():
    conv = layers.Conv1D
    yield "conv1d", conv(4, 3, activation="tanh"), (2, 7, 3)
    yield "conv1d_causal", conv(4, 3, padding="causal", dilation_rate=2), (2, 7, 3)
    yield "conv1d_same_stride", conv(8, 4, strides=2, padding="same", use_bias=False), (2, 9, 8)
    yield "conv1d_groups", conv(6, 2, groups=2, padding="same"), (2, 5, 4)
    transpose = layers.Conv1DTranspose
    yield "conv1d_transpose", transpose(3, 4, strides=2), (2, 5, 4)
    yield "conv1d_transpose_same", transpose(3, 3, strides=3, padding="same", output_padding=1), (2, 5, 4)
    yield "depthwise_conv1d", layers.DepthwiseConv1D(3, depth_multiplier=2, padding="same"), (2, 7, 3)
    yield "separable_conv1d", layers.SeparableConv1D(5, 3, dilation_rate=2), (2, 9, 4)


def image_convolutions():
    transpose = layers.Conv2DTranspose
    yield "conv2d_transpose", transpose(3, 3), (2, 4, 5, 2)
    yield "conv2d_transpose_stride", transpose(8, 3, strides=2, activation="relu"), (2, 4, 3, 8)
    yield "conv2d_transpose_wide_stride", transpose(3, 2, strides=3), (1, 3, 4, 2)
    yield "conv2d_transpose_same", transpose(3, (3, 2), strides=(2, 1), padding="same"), (2, 4, 5, 4)
    yield "conv2d_transpose_same_padded", transpose(3, 3, strides=2, padding="same", output_padding=1), (1, 4, 5, 2)
    yield "conv2d_transpose_valid_padded", transpose(3, 3, strides=2, output_padding=(1, 0)), (1, 3, 4, 2)
    yield "conv2d_transpose_dilated", transpose(3, 3, dilation_rate=2, use_bias=False), (1, 4, 5, 2)
    depthwise = layers.DepthwiseConv2D
    yield "depthwise_conv2d", depthwise(3, activation="relu"), (2, 5, 6, 3)
    yield "depthwise_conv2d_same_stride", depthwise(3, strides=2, padding="same", use_bias=False), (2, 5, 6, 8)
    yield "depthwise_conv2d_5", depthwise(5, strides=2, padding="same"), (1, 6, 7, 8)
    yield "depthwise_conv2d_multiplier", depthwise((3, 2), depth_multiplier=2), (1, 5, 6, 4)
    yield "depthwise_conv2d_dilated", depthwise(3, dilation_rate=2, padding="same"), (1, 7, 6, 5)
    separable = layers.SeparableConv2D
    yield "separable_conv2d", separable(5, 3, padding="same", activation="relu"), (2, 5, 6, 3)
    yield "separable_conv2d_multiplier", separable(5, 3, strides=2, depth_multiplier=2), (1, 7, 6, 8)


def spectrograms():
    stft = layers.STFTSpectrogram
    yield "stft_log", stft(frame_length=4), (2, 9, 2)
    yield "stft_both_expanded", stft("stft", 5, frame_step=2, window="hamming", expand_dims=True), (2, 9, 2)
    yield "stft_psd_same", stft("psd", 4, frame_step=3, fft_length=8, padding="same"), (1, 9, 1)
    yield "stft_imag", stft("imag", 4, window=None), (1, 9, 2)


def volume_convolutions():
    conv = layers.Conv3D
    yield "conv3d", conv(4, 2, activation="tanh"), (2, 3, 4, 3, 2)
    yield "conv3d_same_stride", conv(8, (3, 2, 3), strides=(2, 1, 2), padding="same", use_bias=False), (1, 5, 4, 3, 8)
    yield "conv3d_dilated", conv(3, 2, dilation_rate=(2, 1, 2)), (1, 4, 3, 4, 3)
    yield "conv3d_groups", conv(6, 2, groups=2, padding="same"), (1, 3, 3, 2, 4)
    transpose = layers.Conv3DTranspose
    yield "conv3d_transpose", transpose(3, 2), (2, 2, 3, 2, 2)
    yield "conv3d_transpose_stride", transpose(3, (2, 3, 2), strides=(2, 1, 3), activation="relu"), (1, 2, 3, 2, 4)
    yield "conv3d_transpose_same", transpose(3, 3, strides=2, padding="same"), (1, 2, 3, 2, 2)
    yield "conv3d_transpose_padded", transpose(3, 3, strides=2, padding="same", output_padding=(1, 0, 1)), (1, 2, 3, 2, 2)


def volumes():
    shape = (2, 4, 5, 3, 2)
    yield "max_pooling3d", layers.MaxPooling3D(), shape
    yield "max_pooling3d_same", layers.MaxPooling3D((2, 3, 2), strides=(1, 2, 2), padding="same"), shape
    yield "average_pooling3d", layers.AveragePooling3D((1, 2, 3)), shape
    yield "average_pooling3d_same", layers.AveragePooling3D((3, 2, 2), strides=2, padding="same"), shape
    yield "global_max_pooling3d", layers.GlobalMaxPooling3D(), shape
    yield "global_average_pooling3d", layers.GlobalAveragePooling3D(keepdims=True), shape
    yield "zero_padding3d", layers.ZeroPadding3D(((0, 1), (2, 0), (1, 1))), (1, 2, 2, 3, 2)
    yield "zero_padding3d_symmetric", layers.ZeroPadding3D((1, 0, 2)), (1, 2, 2, 3, 2)
    yield "cropping3d", layers.Cropping3D(((1, 0), (0, 2), (1, 1))), shape
    yield "up_sampling3d", layers.UpSampling3D((2, 1, 3)), (1, 2, 3, 2, 2)


def spectral_normalizations():
    """Of a layer by its class; each is built once."""
    normal = layers.SpectralNormalization
    for training in (True, False):
        suffix = "training" if training else "inference"
        yield f"spectral_normalization_{suffix}", normal(layers.Dense(4)), (3, 5), training
    yield "spectral_normalization_conv2d", normal(layers.Conv2D(3, 2), power_iterations=3), (2, 4, 3, 2), True


def sizes():
    rows, images = (2, 7, 3), (2, 5, 6, 3)
    yield "max_pooling1d", layers.MaxPooling1D(), rows
    yield "max_pooling1d_same", layers.MaxPooling1D(3, strides=2, padding="same"), rows
    yield "average_pooling1d", layers.AveragePooling1D(3, strides=1, padding="same"), rows
    yield "global_max_pooling1d", layers.GlobalMaxPooling1D(), rows
    yield "global_max_pooling1d_keepdims", layers.GlobalMaxPooling1D(keepdims=True), rows
    yield "global_average_pooling1d", layers.GlobalAveragePooling1D(keepdims=True), rows
    yield "global_max_pooling2d", layers.GlobalMaxPooling2D(keepdims=True), images
    yield "up_sampling1d", layers.UpSampling1D(3), rows
    yield "zero_padding1d", layers.ZeroPadding1D((2, 1)), rows
    yield "zero_padding2d", layers.ZeroPadding2D(((0, 1), (2, 0))), images
    yield "zero_padding2d_symmetric", layers.ZeroPadding2D((1, 2)), images
    yield "cropping1d", layers.Cropping1D((2, 1)), rows
    yield "cropping2d", layers.Cropping2D(((1, 0), (0, 2))), images
    for interpolation in ("nearest", "bilinear", "bicubic", "lanczos3", "lanczos5"):
        sampling = layers.UpSampling2D((2, 3), interpolation=interpolation)
        yield f"up_sampling2d_{interpolation}", sampling, (1, 4, 3, 2)
        for antialias in (False, True):
            for height, width in ((3, 9), (8, 4)):
                name = f"resizing_{interpolation}_{height}_{width}" + ("_antialias" if antialias else "")
                yield name, layers.Resizing(height, width, interpolation, antialias=antialias), (1, 5, 7, 1)
    for height, width in ((3, 5), (6, 2)):
        yield f"resizing_crop_{height}_{width}", layers.Resizing(height, width, crop_to_aspect_ratio=True), (1, 5, 7, 2)
        padding = layers.Resizing(height, width, pad_to_aspect_ratio=True, fill_value=2.0)
        yield f"resizing_pad_{height}_{width}", padding, (1, 5, 7, 2)
    yield "center_crop", layers.CenterCrop(3, 4), (2, 6, 7, 2)
    yield "center_crop_enlarged", layers.CenterCrop(8, 4), (1, 6, 7, 2)


def normalizations():
    norm = layers.BatchNormalization
    for training in (True, False):
        suffix = "training" if training else "inference"
        yield f"batch_normalization_axis_1_{suffix}", norm(axis=1), (4, 3, 5), training
        yield f"batch_normalization_axis_2_{suffix}", norm(axis=2, scale=False), (3, 4, 5, 2), training
        yield f"batch_normalization_renorm_{suffix}", norm(renorm=True, momentum=0.8), (6, 5), training
    clipping = {"rmin": 0.7, "rmax": 1.2, "dmax": 0.3}
    renorm = norm(renorm=True, renorm_clipping=clipping, renorm_momentum=0.7, center=False)
    yield "batch_normalization_renorm_clipped", renorm, (6, 5), True


def masked():
    first, second = [[1, 1, 0], [1, 0, 0]], [[0, 1, 0], [1, 1, 0]]
    shape = (2, 3, 4)
    for kind in (layers.Add, layers.Subtract, layers.Multiply, layers.Average, layers.Maximum, layers.Minimum):
        name = kind.__name__.lower()
        yield f"{name}_masked", kind(), [shape, shape], [first, second], None
        yield f"{name}_half_masked", kind(), [shape, shape], [first, None], None
    for axis in (-1, 1):
        yield f"concatenate_{axis}_masked", layers.Concatenate(axis), [shape, shape], [first, second], None
    yield "concatenate_half_masked", layers.Concatenate(), [shape, shape], [None, second], None
    yield "add_of_ranks", layers.Add(), [(2, 3), (2, 5, 3)], [], None
    yield "global_average_pooling1d_masked", layers.GlobalAveragePooling1D(), [shape], [first], None
    yield "batch_normalization_masked", layers.BatchNormalization(), [shape], [first], True


def others():
    yield "rescaling_lists", layers.Rescaling([0.5, 2.0, 3.0], [1.0, 0.0, -1.0]), (2, 4, 3)
    yield "layer_scale", convnext.LayerScale(0.5, 3), (2, 4, 3)
    yield "stochastic_depth", convnext.StochasticDepth(0.3), (2, 4, 3)
    yield "dropout_inference", layers.Dropout(0.4, noise_shape=(None, 1, 3), seed=7), (2, 4, 3)
    images = (2, 5, 6, 3)
    yield "random_flip", layers.RandomFlip("vertical", seed=3), images
    yield "random_rotation", layers.RandomRotation(0.2, fill_mode="nearest"), images
    yield "random_rotation_range", layers.RandomRotation((-0.1, 0.3), "constant", "nearest", fill_value=1.0), images
    yield "random_zoom", layers.RandomZoom(0.2), images
    yield "random_zoom_ranges", layers.RandomZoom((-0.2, 0.1), (0.1, 0.3), fill_mode="wrap"), images
    yield "random_translation", layers.RandomTranslation(0.2, (-0.1, 0.3)), images
    yield "random_contrast", layers.RandomContrast(0.3, value_range=(0, 1)), images
    yield "random_contrast_range", layers.RandomContrast((0.1, 0.4)), images
    yield "random_brightness", layers.RandomBrightness((-0.3, 0.1), value_range=(0.0, 1.0)), images


def cases():
    for name, layer, shape in [*row_convolutions(), *image_convolutions(), *volume_convolutions(), *spectrograms()]:
        yield layer_case(name, layer, shape, compiled=True)
    for name, layer, shape in [*sizes(), *volumes()]:
        yield layer_case(name, layer, shape)
    for name, layer, shape, training in spectral_normalizations():
        yield layer_case(name, layer, shape, training=training)
    for name, layer, shape, training in normalizations():
        yield layer_case(name, layer, shape, training=training)
    for name, layer, shapes, masks, training in masked():
        yield layer_case(name, layer, *shapes, masks=masks, training=training)
    for name, layer, shape in others():
        yield layer_case(name, layer, shape, training=False)
