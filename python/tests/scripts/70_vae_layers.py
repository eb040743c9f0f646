"""A variational autoencoder of layers: a sampling layer, add_loss, metrics of one's own in train_step."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

from _same import report, same_weights

random = np.random.default_rng(0)
images = (random.random((32, 8, 8, 1)) * np.linspace(0, 1, 8)[:, None]).astype("float32")
noise = random.normal(size=(32, 2)).astype("float32")


class Sampling(layers.Layer):
    """The noise comes in, so that it is the same everywhere."""

    def call(self, inputs):
        z_mean, z_log_var, epsilon = inputs
        return z_mean + tf.exp(0.5 * z_log_var) * epsilon


class Divergence(layers.Layer):
    """Passes its inputs on, and adds to the loss."""

    def __init__(self, weight, **kwargs):
        super().__init__(**kwargs)
        self.weight = weight

    def call(self, inputs):
        mean, log_var = inputs
        kl = -0.5 * tf.reduce_sum(1 + log_var - tf.square(mean) - tf.exp(log_var), axis=1)
        self.add_loss(self.weight * tf.reduce_mean(kl))
        return inputs


def encoder_and_decoder():
    image = keras.Input((8, 8, 1))
    epsilon = keras.Input((2,))
    h = layers.Conv2D(4, 3, activation="relu", strides=2, padding="same")(image)
    h = layers.Flatten()(h)
    h = layers.Dense(8, activation="relu")(h)
    mean = layers.Dense(2, name="z_mean")(h)
    log_var = layers.Dense(2, name="z_log_var")(h)
    mean, log_var = Divergence(0.1)([mean, log_var])
    z = Sampling()([mean, log_var, epsilon])
    encoder = keras.Model([image, epsilon], [mean, log_var, z], name="encoder")
    latent = keras.Input((2,))
    h = layers.Dense(4 * 4 * 4, activation="relu")(latent)
    h = layers.Reshape((4, 4, 4))(h)
    h = layers.Conv2DTranspose(4, 3, activation="relu", strides=2, padding="same")(h)
    decoder = keras.Model(latent, layers.Conv2DTranspose(1, 3, activation="sigmoid",
                                                         padding="same")(h), name="decoder")
    same_weights(encoder)
    same_weights(decoder)
    return encoder, decoder


encoder, decoder = encoder_and_decoder()
vae = keras.Model(encoder.inputs, decoder(encoder(encoder.inputs)[2]))
vae.compile(keras.optimizers.Adam(0.01), loss="binary_crossentropy")
history = vae.fit([images, noise], images, epochs=3, batch_size=8, shuffle=False, verbose=0)
report("added", history.history)
report("extra", [float(loss) for loss in vae.losses[:0]])
report("decoded", decoder.predict(noise[:2], verbose=0)[:, ::4, ::4])


class VAE(keras.Model):
    def __init__(self, encoder, decoder, **kwargs):
        super().__init__(**kwargs)
        self.encoder, self.decoder = encoder, decoder
        self.total_loss_tracker = keras.metrics.Mean(name="total_loss")
        self.reconstruction_loss_tracker = keras.metrics.Mean(name="reconstruction_loss")
        self.kl_loss_tracker = keras.metrics.Mean(name="kl_loss")

    @property
    def metrics(self):
        return [self.total_loss_tracker, self.reconstruction_loss_tracker, self.kl_loss_tracker]

    def train_step(self, data):
        (image, epsilon), _ = data
        with tf.GradientTape() as tape:
            z_mean, z_log_var, z = self.encoder([image, epsilon])
            reconstruction = self.decoder(z)
            reconstruction_loss = tf.reduce_mean(tf.reduce_sum(
                keras.losses.binary_crossentropy(image, reconstruction), axis=(1, 2)))
            kl_loss = -0.5 * (1 + z_log_var - tf.square(z_mean) - tf.exp(z_log_var))
            kl_loss = tf.reduce_mean(tf.reduce_sum(kl_loss, axis=1))
            total_loss = reconstruction_loss + kl_loss
        grads = tape.gradient(total_loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(grads, self.trainable_weights))
        self.total_loss_tracker.update_state(total_loss)
        self.reconstruction_loss_tracker.update_state(reconstruction_loss)
        self.kl_loss_tracker.update_state(kl_loss)
        return {metric.name: metric.result() for metric in self.metrics}


vae = VAE(*encoder_and_decoder())
vae.compile(optimizer=keras.optimizers.Adam(0.005))
history = vae.fit([images, noise], images, epochs=3, batch_size=8, shuffle=False, verbose=0)
report("own_step", history.history)
report("z_mean", vae.encoder.predict([images[:3], noise[:3]], verbose=0)[0], atol=1e-4)
report("weights", [len(vae.trainable_weights), len(vae.encoder.weights)])


class EncoderBlock(layers.Layer):
    """A subclass of layers in a functional model in a subclass of models."""

    def __init__(self, units):
        super().__init__()
        self.hidden = keras.Sequential([layers.Flatten(), layers.Dense(units, activation="relu")])
        self.norm = layers.BatchNormalization()

    def call(self, inputs, training=False):
        return self.norm(self.hidden(inputs), training=training)


class Autoencoder(keras.Model):
    def __init__(self):
        super().__init__()
        inputs = keras.Input((8, 8, 1))
        self.encoder = keras.Model(inputs, EncoderBlock(6)(inputs))
        self.decoder = keras.Sequential([keras.Input((6,)), layers.Dense(64, activation="sigmoid"),
                                         layers.Reshape((8, 8, 1))])

    def call(self, x, training=False):
        return self.decoder(self.encoder(x, training=training))


model = Autoencoder()
model.build((None, 8, 8, 1))
same_weights(model)
model.compile(optimizer="adam", loss=keras.losses.MeanSquaredError(), metrics=["mae"])
history = model.fit(images, images, epochs=2, batch_size=8, shuffle=False, verbose=0,
                    validation_data=(images[:8], images[:8]))
report("mixed", history.history)
report("encoded", model.encoder(images[:2]))
report("layers", [layer.__class__.__name__ for layer in model.layers])
