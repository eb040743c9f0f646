"""A WGAN with a gradient penalty: compile and train_step of one's own, tapes inside of tapes."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

from _same import report, same_weights

random = np.random.default_rng(0)
real = random.normal(loc=[1.0, -1.0], scale=0.3, size=(48, 2)).astype("float32")
noise = random.normal(size=(48, 3)).astype("float32")


class WGAN(keras.Model):
    def __init__(self, discriminator, generator, discriminator_extra_steps=2, gp_weight=10.0):
        super().__init__()
        self.discriminator = discriminator
        self.generator = generator
        self.d_steps = discriminator_extra_steps
        self.gp_weight = gp_weight

    def compile(self, d_optimizer, g_optimizer, d_loss_fn, g_loss_fn):
        super().compile()
        self.d_optimizer, self.g_optimizer = d_optimizer, g_optimizer
        self.d_loss_fn, self.g_loss_fn = d_loss_fn, g_loss_fn
        self.d_metric = keras.metrics.Mean(name="d_loss")
        self.g_metric = keras.metrics.Mean(name="g_loss")

    @property
    def metrics(self):
        return [self.d_metric, self.g_metric]

    def gradient_penalty(self, real_rows, fake_rows):
        mixed = real_rows + 0.25 * (fake_rows - real_rows)
        with tf.GradientTape() as gp_tape:
            gp_tape.watch(mixed)
            pred = self.discriminator(mixed, training=True)
        grads = gp_tape.gradient(pred, [mixed])[0]
        norm = tf.sqrt(tf.reduce_sum(tf.square(grads), axis=[1]))
        return tf.reduce_mean((norm - 1.0) ** 2)

    def train_step(self, data):
        real_rows, latent = data
        for _ in range(self.d_steps):
            with tf.GradientTape() as tape:
                fake = self.generator(latent, training=True)
                fake_logits = self.discriminator(fake, training=True)
                real_logits = self.discriminator(real_rows, training=True)
                d_cost = self.d_loss_fn(real_logits, fake_logits)
                d_loss = d_cost + self.gradient_penalty(real_rows, fake) * self.gp_weight
            gradient = tape.gradient(d_loss, self.discriminator.trainable_variables)
            self.d_optimizer.apply_gradients(
                zip(gradient, self.discriminator.trainable_variables))
        with tf.GradientTape() as tape:
            logits = self.discriminator(self.generator(latent, training=True), training=True)
            g_loss = self.g_loss_fn(logits)
        gradient = tape.gradient(g_loss, self.generator.trainable_variables)
        self.g_optimizer.apply_gradients(zip(gradient, self.generator.trainable_variables))
        self.d_metric.update_state(d_loss)
        self.g_metric.update_state(g_loss)
        return {"d_loss": self.d_metric.result(), "g_loss": self.g_metric.result()}


discriminator = keras.Sequential([
    keras.Input((2,)), layers.Dense(8), layers.LeakyReLU(negative_slope=0.2), layers.Dense(1)],
    name="discriminator")
generator = keras.Sequential([
    keras.Input((3,)), layers.Dense(8, activation="tanh"), layers.Dense(2)], name="generator")
same_weights(discriminator)
same_weights(generator)
wgan = WGAN(discriminator, generator)
wgan.compile(
    d_optimizer=keras.optimizers.Adam(learning_rate=0.002, beta_1=0.5, beta_2=0.9),
    g_optimizer=keras.optimizers.Adam(learning_rate=0.002, beta_1=0.5, beta_2=0.9),
    d_loss_fn=lambda r, f: tf.reduce_mean(f) - tf.reduce_mean(r),
    g_loss_fn=lambda f: -tf.reduce_mean(f))
dataset = tf.data.Dataset.from_tensor_slices((real, noise)).batch(16)


class Samples(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.means = []

    def on_epoch_end(self, epoch, logs=None):
        samples = self.model.generator(noise[:4])
        self.means.append(samples.numpy().mean(axis=0))


samples = Samples()
history = wgan.fit(dataset, epochs=3, verbose=0, callbacks=[samples])
report("history", history.history)
report("means", np.array(samples.means))
report("discriminator", discriminator.get_weights())
report("generator", generator.get_weights())
