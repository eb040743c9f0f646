"""Noise removal with convolutions down and up again."""

import numpy as np
from tensorflow.keras.layers import (BatchNormalization, Conv2D, Conv2DTranspose, Input, LeakyReLU,
                                     MaxPooling2D, UpSampling2D)
from tensorflow.keras.models import Model

from _same import report, same_weights

y, x = np.mgrid[0:16, 0:16]
clean = np.stack([np.sin(x * (k + 1) / 9.0) * np.cos(y / (k + 2.0)) for k in range(24)])
clean = ((clean + 1) / 2)[..., np.newaxis].astype("float32")
noisy = np.clip(clean + 0.2 * np.random.default_rng(0).normal(size=clean.shape), 0.0, 1.0)

input_img = Input(shape=(16, 16, 1))
h = Conv2D(8, (3, 3), activation="relu", padding="same")(input_img)
h = MaxPooling2D((2, 2), padding="same")(h)
h = Conv2D(8, (3, 3), padding="same", strides=2)(h)
h = BatchNormalization()(h)
encoded = LeakyReLU(0.1)(h)
h = Conv2DTranspose(8, (3, 3), strides=2, activation="relu", padding="same")(encoded)
h = Conv2D(8, (3, 3), activation="relu", padding="same")(h)
h = UpSampling2D((2, 2))(h)
decoded = Conv2D(1, (3, 3), activation="sigmoid", padding="same")(h)

autoencoder = Model(input_img, decoded)
autoencoder.summary()
same_weights(autoencoder)
autoencoder.compile(optimizer="adam", loss="binary_crossentropy")
history = autoencoder.fit(noisy, clean, epochs=3, batch_size=12, shuffle=False, verbose=2,
                          validation_data=(noisy[:8], clean[:8]))
report("history", history.history)
report("denoised", autoencoder.predict(noisy[:2], verbose=0))
report("encoded_shape", encoded.shape[1:])
report("bilinear", UpSampling2D(size=2, interpolation="bilinear")(clean[:1]))
report("weights", autoencoder.get_weights())
