"""Models of volumes and of moving images, ConvNeXt's block, spectral normalisation and grouped attention."""

import keras
from keras import layers, optimizers
from keras.src.applications import convnext

from case import labels, normal, parity_case


@parity_case("sparse_categorical_crossentropy", lambda: optimizers.Adam(0.005), metrics=["accuracy"])
def volumes(rng):
    model = keras.Sequential(
        [
            keras.Input((6, 7, 5, 2)),
            layers.ZeroPadding3D(((1, 0), (0, 1), (1, 1))),
            layers.Conv3D(8, (2, 3, 2), activation="relu"),
            layers.MaxPooling3D(2, padding="same"),
            layers.SpatialDropout3D(0.0),
            layers.Conv3D(4, 2, padding="same", strides=(1, 2, 1), use_bias=False),
            layers.BatchNormalization(),
            layers.UpSampling3D((1, 2, 1)),
            layers.Conv3DTranspose(3, 2, strides=(2, 1, 1), activation="relu"),
            layers.Cropping3D(((1, 0), (0, 1), (0, 0))),
            layers.AveragePooling3D((2, 1, 2)),
            layers.GlobalAveragePooling3D(),
            layers.Dense(3, activation="softmax"),
        ]
    )
    return model, [normal(rng, 6, 7, 5, 2)], [labels(rng, 3)]


@parity_case("mse", lambda: optimizers.RMSprop(0.01))
def moving_images(rng):
    x = keras.Input((4, 5, 6, 2))
    y = layers.ConvLSTM2D(3, (3, 2), padding="same", return_sequences=True)(x)
    y = layers.BatchNormalization()(y)
    y = layers.Bidirectional(layers.ConvLSTM2D(2, 2))(y)
    return keras.Model(x, layers.Dense(2)(layers.GlobalMaxPooling2D()(y))), [normal(rng, 4, 5, 6, 2)], [normal(rng, 2)]


@parity_case("mse", lambda: optimizers.SGD(0.05, momentum=0.9))
def spectral_normalization(rng):
    """The kernel is replaced before each step, and then updated."""
    x = keras.Input((6, 6, 2))
    y = layers.SpectralNormalization(layers.Conv2D(4, 3, activation="relu"))(x)
    y = layers.SpectralNormalization(layers.Dense(5, activation="tanh"), power_iterations=2)(layers.Flatten()(y))
    return keras.Model(x, layers.Dense(2)(y)), [normal(rng, 6, 6, 2)], [normal(rng, 2)]


@parity_case("mse", lambda: optimizers.AdamW(0.005))
def residual_scales(rng):
    """The block of ConvNeXt."""
    x = keras.Input((6, 6, 8))
    y = layers.DepthwiseConv2D(5, padding="same")(x)
    y = layers.LayerNormalization(epsilon=1e-6)(y)
    y = layers.Dense(16, activation="gelu")(y)
    y = convnext.LayerScale(0.1, 8)(layers.Dense(8)(y))
    y = layers.Add()([x, convnext.StochasticDepth(0.0)(y)])
    return keras.Model(x, layers.Dense(2)(layers.GlobalAveragePooling2D()(y))), [normal(rng, 6, 6, 8)], [normal(rng, 2)]


@parity_case("mse", lambda: optimizers.Adam(0.005))
def grouped_attention(rng):
    x = keras.Input((6, 8))
    y = layers.GroupQueryAttention(4, 4, 2, use_gate=True)(x, x, use_causal_mask=True)
    y = layers.LayerNormalization()(layers.Add()([x, y]))
    y = layers.AdaptiveAveragePooling1D(2)(y)
    return keras.Model(x, layers.Dense(2)(layers.Flatten()(y))), [normal(rng, 6, 8)], [normal(rng, 2)]
