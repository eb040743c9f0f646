"""Dense autoencoders: encoder and decoder as models of their own, anomalies by error."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, losses
from tensorflow.keras.models import Model

from _same import report, same_weights

random = np.random.default_rng(0)
codes = random.normal(size=(128, 3))
x_train = (1 / (1 + np.exp(-codes @ random.normal(size=(3, 24))))).astype("float32")


class Autoencoder(Model):
    def __init__(self, latent_dim, shape):
        super(Autoencoder, self).__init__()
        self.latent_dim = latent_dim
        self.shape = shape
        self.encoder = tf.keras.Sequential([
            layers.Flatten(),
            layers.Dense(latent_dim, activation="relu"),
        ])
        self.decoder = tf.keras.Sequential([
            layers.Dense(int(tf.math.reduce_prod(shape)), activation="sigmoid"),
            layers.Reshape(shape),
        ])

    def call(self, x):
        encoded = self.encoder(x)
        decoded = self.decoder(encoded)
        return decoded


images = x_train.reshape(-1, 6, 4)
autoencoder = Autoencoder(4, images.shape[1:])
autoencoder(images[:1])
same_weights(autoencoder)
autoencoder.compile(optimizer="adam", loss=losses.MeanSquaredError())
history = autoencoder.fit(images, images, epochs=4, batch_size=32, shuffle=False,
                          validation_data=(images[:32], images[:32]), verbose=0)
report("history", history.history)
encoded = autoencoder.encoder(images[:4]).numpy()
decoded = autoencoder.decoder(encoded).numpy()
report("encoded", encoded)
report("decoded", decoded)

inputs = tf.keras.Input(shape=(24,))
code = layers.Dense(6, activation="relu", name="code")(layers.Dense(12, activation="relu")(inputs))
outputs = layers.Dense(24, activation="sigmoid")(layers.Dense(12, activation="relu")(code))
functional = Model(inputs, outputs)
encoder = Model(inputs, code)
same_weights(functional)
functional.compile(optimizer="adam", loss="mae")
functional.fit(x_train, x_train, epochs=3, batch_size=64, shuffle=False, verbose=0)
reconstructions = functional.predict(x_train, verbose=0)
train_loss = tf.keras.losses.mae(reconstructions, x_train)
threshold = np.mean(train_loss) + np.std(train_loss)
report("threshold", threshold)
# One record may be on the edge.
report("normal", tf.math.less(train_loss, threshold).numpy().mean(), atol=0.02)
report("codes", encoder.predict(x_train[:3], verbose=0))
