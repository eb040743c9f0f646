"""Models of images: convolutions, pooling, normalization, preprocessing."""

import keras
import numpy as np
from keras import layers, losses, metrics, optimizers

from case import SAMPLES, labels, normal, one_hot, parity_case, uniform


@parity_case("sparse_categorical_crossentropy", lambda: optimizers.Adam(0.005), metrics=["accuracy"])
def small_cnn(rng):
    model = keras.Sequential(
        [
            keras.Input((12, 10, 3)),
            layers.Conv2D(8, 3, activation="relu", padding="same"),
            layers.MaxPooling2D(),
            layers.Conv2D(12, (3, 2), activation="relu"),
            layers.SpatialDropout2D(0.0),
            layers.AveragePooling2D(2, padding="same"),
            layers.Flatten(),
            layers.Dense(10, activation="relu"),
            layers.Dropout(0.0),
            layers.Dense(4, activation="softmax"),
        ]
    )
    return model, [normal(rng, 12, 10, 3)], [labels(rng, 4)]


@parity_case("mse", lambda: optimizers.Adam(0.005), jit_compile=True)
def convolution_options(rng):
    x = keras.Input((13, 11, 4))
    y = [
        layers.Conv2D(8, 3, dilation_rate=2, padding="same", activation="elu")(x),
        layers.Conv2D(8, 5, dilation_rate=(1, 2))(x),
        layers.Conv2D(8, (3, 4), groups=2, use_bias=False, padding="same")(x),
        layers.Conv2D(8, (4, 3), strides=(2, 3), padding="same", bias_initializer="ones")(x),
        layers.Conv2D(8, 2, strides=2, padding="valid", groups=4)(x),
        layers.Conv2D(8, 1, strides=3)(x),
    ]
    y = layers.Concatenate()([layers.GlobalAveragePooling2D()(layers.Activation("tanh")(t)) for t in y])
    return keras.Model(x, layers.Dense(3)(y)), [normal(rng, 13, 11, 4)], [normal(rng, 3)]


@parity_case("mse", lambda: optimizers.Adam(0.005))
def transposed_convolutions(rng):
    x = keras.Input((5, 4, 3))
    y = [
        layers.Conv2DTranspose(4, 3, strides=2, padding="same", activation="relu")(x),
        layers.Conv2DTranspose(4, 3, strides=2, padding="valid", use_bias=False)(x),
        layers.Conv2DTranspose(4, (2, 3), strides=(3, 2))(x),
        layers.Conv2DTranspose(4, 3, strides=2, padding="same", output_padding=0)(x),
        layers.Conv2DTranspose(4, 4, strides=1, padding="same")(x),
        layers.Conv2DTranspose(4, (3, 5), strides=(2, 2), padding="valid", output_padding=(1, 0))(x),
    ]
    y = layers.Concatenate()([layers.GlobalMaxPooling2D()(layers.Conv2D(5, 2, activation="tanh")(t)) for t in y])
    return keras.Model(x, layers.Dense(3)(y)), [normal(rng, 5, 4, 3)], [normal(rng, 3)]


@parity_case(
    "sparse_categorical_crossentropy",
    lambda: optimizers.Adam(0.005, global_clipnorm=1.0),
    metrics=lambda: ["accuracy", metrics.MeanIoU(num_classes=3, sparse_y_pred=False)],
)
def unet(rng):
    x = keras.Input((8, 8, 3))
    down = layers.Conv2D(6, 3, padding="same", activation="relu")(x)
    middle = layers.Conv2D(8, 3, padding="same", activation="relu")(layers.MaxPooling2D()(down))
    bottom = layers.Conv2D(8, 3, padding="same", activation="relu")(layers.MaxPooling2D(2)(middle))
    up = layers.Conv2DTranspose(8, 2, strides=2, padding="same")(bottom)
    up = layers.Conv2D(6, 3, padding="same", activation="relu")(layers.Concatenate()([up, middle]))
    up = layers.UpSampling2D(2, interpolation="bilinear")(up)
    up = layers.Concatenate(axis=3)([up, down])
    y = layers.Conv2D(3, 1, activation="softmax")(up)
    return keras.Model(x, y), [normal(rng, 8, 8, 3)], [labels(rng, 3, 8, 8)]


@parity_case("binary_crossentropy", "rmsprop")
def convolutional_autoencoder(rng):
    x = keras.Input((8, 8, 1))
    code = layers.Conv2D(4, 3, strides=2, padding="same", activation="relu", name="code")(x)
    y = layers.UpSampling2D((2, 2))(code)
    y = layers.Conv2D(4, 3, padding="same", activation="relu")(y)
    y = layers.Conv2DTranspose(1, 3, padding="same", activation="sigmoid")(y)
    picture = uniform(rng, 8, 8, 1)
    return keras.Model(x, y), [picture], [picture]


def residual_block(x, filters, strides=1):
    y = layers.SeparableConv2D(filters, 3, strides=strides, padding="same", use_bias=False)(x)
    y = layers.BatchNormalization(momentum=0.9)(y)
    y = layers.ReLU(max_value=6.0)(y)
    y = layers.DepthwiseConv2D(3, padding="same", use_bias=False, depth_multiplier=2)(y)
    y = layers.Conv2D(filters, 1, use_bias=False)(y)
    y = layers.BatchNormalization()(y)
    shortcut = layers.Conv2D(filters, 1, strides=strides, use_bias=False)(x)
    return layers.Activation("relu")(layers.Add()([y, shortcut]))


@parity_case(
    lambda: losses.CategoricalCrossentropy(label_smoothing=0.1),
    lambda: optimizers.SGD(0.02, momentum=0.9, nesterov=True),
    metrics=["accuracy"],
)
def residual_cnn(rng):
    x = keras.Input((10, 10, 3))
    y = layers.Rescaling(1 / 127.5, offset=-1)(x)
    y = layers.ZeroPadding2D(((1, 0), (2, 1)))(y)
    y = layers.Conv2D(6, 3, use_bias=False)(y)
    y = residual_block(y, 6)
    y = residual_block(layers.Cropping2D(((1, 0), (0, 1)))(y), 8, strides=2)
    y = layers.GlobalAveragePooling2D()(y)
    y = layers.Dense(3, activation="softmax")(y)
    return keras.Model(x, y), [uniform(rng, 10, 10, 3, high=255)], [one_hot(rng, 3)]


@parity_case("mse", lambda: optimizers.Adam(0.005), jit_compile=True)
def depthwise_options(rng):
    x = keras.Input((9, 8, 4))
    y = [
        layers.DepthwiseConv2D(3)(x),
        layers.DepthwiseConv2D((3, 3), strides=2, padding="same", depth_multiplier=2, activation="relu")(x),
        layers.DepthwiseConv2D(3, dilation_rate=2, padding="same", depthwise_initializer="he_uniform")(x),
        layers.SeparableConv2D(6, 3, padding="valid", depth_multiplier=2, activation="tanh")(x),
        layers.SeparableConv2D(6, 3, dilation_rate=2, padding="same")(x),
        layers.SeparableConv2D(6, 2, strides=2, pointwise_regularizer="l2", depthwise_regularizer="l1")(x),
    ]
    y = layers.Concatenate()([layers.GlobalAveragePooling2D()(layers.Activation("elu")(t)) for t in y])
    return keras.Model(x, layers.Dense(3)(y)), [normal(rng, 9, 8, 4)], [normal(rng, 3)]


@parity_case("mse", lambda: optimizers.Adam(0.005), learning_rate=0.01)
def pooling(rng):
    x = keras.Input((9, 8, 3))
    h = layers.Conv2D(4, 3, padding="same")(x)
    y = [
        layers.MaxPooling2D((3, 2), strides=2, padding="same")(h),
        layers.MaxPooling2D(3, strides=(1, 2))(h),
        layers.AveragePooling2D((2, 3), strides=(2, 1), padding="same")(h),
        layers.AveragePooling2D(3)(h),
    ]
    y = [layers.GlobalMaxPooling2D()(t) for t in y[:2]] + [layers.Flatten()(t) for t in y]
    y += [layers.Flatten()(layers.GlobalMaxPooling2D(keepdims=True)(h))]
    y += [layers.Flatten()(layers.GlobalAveragePooling2D(keepdims=True)(h))]
    return keras.Model(x, layers.Dense(2)(layers.Concatenate()(y))), [normal(rng, 9, 8, 3)], [normal(rng, 2)]


@parity_case("mse", lambda: optimizers.Adam(0.005), learning_rate=0.005, no_legacy="a list of axes becomes the last one")
def normalizations(rng):
    x = keras.Input((6, 6, 4))
    h = layers.Conv2D(8, 3, activation="tanh")(x)
    y = [
        layers.GroupNormalization(groups=4)(h),
        layers.GroupNormalization(groups=-1, epsilon=0.01, scale=False)(h),
        layers.GroupNormalization(groups=1, center=False)(h),
        layers.LayerNormalization(axis=[1, 2])(h),
        layers.LayerNormalization(epsilon=1e-5, beta_initializer="ones")(h),
        layers.LayerNormalization(scale=False, center=False)(h),
    ]
    y = layers.Concatenate()([layers.Conv2D(3, 2, activation="elu")(t) for t in y])
    return keras.Model(x, layers.Dense(2)(layers.Flatten()(y))), [normal(rng, 6, 6, 4)], [normal(rng, 2)]


@parity_case("mse", lambda: optimizers.Adam(0.005))
def upsampling(rng):
    x = keras.Input((4, 5, 2))
    h = layers.Conv2D(3, 3, padding="same", activation="tanh")(x)
    y = [
        layers.UpSampling2D((2, 3))(h),
        layers.UpSampling2D((2, 3), interpolation="bilinear")(h),
        layers.ZeroPadding2D((2, 5))(h),
        layers.ZeroPadding2D(1)(h),
        layers.Cropping2D(1)(h),
        layers.Cropping2D((1, 2))(h),
    ]
    y = [layers.GlobalAveragePooling2D()(layers.Conv2D(4, 1, activation="relu")(t)) for t in y]
    return keras.Model(x, layers.Dense(2)(layers.Concatenate()(y))), [normal(rng, 4, 5, 2)], [normal(rng, 2)]


@parity_case("sparse_categorical_crossentropy", lambda: optimizers.Adam(0.005))
def preprocessing(rng):
    """From bytes. What is random runs, with nothing to choose from: pictures that do not change by being flipped, a crop
    of all, factors of 0."""
    x = keras.Input((14, 12, 3), dtype="uint8")
    y = layers.RandomFlip()(x)
    y = layers.Resizing(10, 9)(y)
    y = layers.Resizing(8, 12, interpolation="nearest")(y)
    y = layers.CenterCrop(8, 8)(y)
    y = layers.Rescaling([1 / 255.0, 1 / 200.0, 1 / 100.0], offset=[0.1, 0.2, -0.3])(y)
    y = layers.Normalization(mean=[0.4, 0.5, 0.6], variance=[0.2, 0.3, 0.1])(y)
    y = layers.RandomRotation(0.0, fill_mode="wrap")(y)
    y = layers.RandomZoom(0.0, 0.0, fill_mode="constant", fill_value=0.5)(y)
    y = layers.RandomTranslation(0.0, 0.0, fill_mode="nearest", interpolation="nearest")(y)
    y = layers.RandomContrast(0.0)(y)
    y = layers.RandomCrop(8, 8)(y)
    y = layers.Conv2D(4, 3, activation="relu")(y)
    y = layers.Dense(3, activation="softmax")(layers.Flatten()(y))
    pictures = rng.integers(0, 128, (SAMPLES, 14, 12, 3))
    pictures = pictures + pictures[:, ::-1]
    pictures = (pictures + pictures[:, :, ::-1]) // 2
    return keras.Model(x, y), [pictures.astype(np.uint8)], [labels(rng, 3)]


@parity_case("sparse_categorical_crossentropy", lambda: optimizers.Adam(0.005))
def any_size(rng):
    """Height and width are unknown when the model is made."""
    model = keras.Sequential(
        [
            keras.Input((None, None, 3)),
            layers.Conv2D(6, 3, strides=2, padding="same", activation="relu"),
            layers.DepthwiseConv2D(3, padding="same"),
            layers.GlobalMaxPooling2D(),
            layers.Dense(3, activation="softmax"),
        ]
    )
    return model, [normal(rng, 9, 7, 3)], [labels(rng, 3)]
