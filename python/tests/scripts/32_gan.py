"""A GAN with two optimizers and two tapes; the noise comes from NumPy so that runs are equal."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

from _same import report, report_shape, same_weights

noise_dim = 10
BATCH_SIZE = 16


def make_generator_model():
    model = tf.keras.Sequential()
    model.add(layers.Dense(4 * 4 * 8, use_bias=False, input_shape=(noise_dim,)))
    model.add(layers.BatchNormalization())
    model.add(layers.LeakyReLU())
    model.add(layers.Reshape((4, 4, 8)))
    assert model.output_shape == (None, 4, 4, 8)
    model.add(layers.Conv2DTranspose(4, (5, 5), strides=(2, 2), padding="same", use_bias=False))
    model.add(layers.BatchNormalization())
    model.add(layers.LeakyReLU())
    model.add(layers.Conv2D(1, (3, 3), padding="same", use_bias=False, activation="tanh"))
    return model


def make_discriminator_model():
    model = tf.keras.Sequential()
    model.add(layers.Conv2D(8, (5, 5), strides=(2, 2), padding="same", input_shape=[8, 8, 1]))
    model.add(layers.LeakyReLU())
    model.add(layers.Flatten())
    model.add(layers.Dense(1))
    return model


cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)


def discriminator_loss(real_output, fake_output):
    real_loss = cross_entropy(tf.ones_like(real_output), real_output)
    fake_loss = cross_entropy(tf.zeros_like(fake_output), fake_output)
    return real_loss + fake_loss


def generator_loss(fake_output):
    return cross_entropy(tf.ones_like(fake_output), fake_output)


generator = same_weights(make_generator_model())
discriminator = same_weights(make_discriminator_model())
generator_optimizer = tf.keras.optimizers.Adam(1e-4)
discriminator_optimizer = tf.keras.optimizers.Adam(1e-4)


@tf.function
def train_step(images, noise):
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        generated_images = generator(noise, training=True)
        real_output = discriminator(images, training=True)
        fake_output = discriminator(generated_images, training=True)
        gen_loss = generator_loss(fake_output)
        disc_loss = discriminator_loss(real_output, fake_output)
    gradients_of_generator = gen_tape.gradient(gen_loss, generator.trainable_variables)
    gradients_of_discriminator = disc_tape.gradient(disc_loss, discriminator.trainable_variables)
    generator_optimizer.apply_gradients(zip(gradients_of_generator, generator.trainable_variables))
    discriminator_optimizer.apply_gradients(
        zip(gradients_of_discriminator, discriminator.trainable_variables))
    return gen_loss, disc_loss


random = np.random.default_rng(0)
y, x = np.mgrid[0:8, 0:8]
images = np.stack([np.cos(x * k / 9.0 + y) for k in range(48)])[..., np.newaxis].astype("float32")
dataset = tf.data.Dataset.from_tensor_slices(images).batch(BATCH_SIZE)
losses = []
for epoch in range(2):
    for image_batch in dataset:
        noise = tf.constant(random.normal(size=(BATCH_SIZE, noise_dim)), dtype=tf.float32)
        gen_loss, disc_loss = train_step(image_batch, noise)
        losses.append([float(gen_loss), float(disc_loss)])
report("losses", np.array(losses))
report("generator", generator.get_weights())
report("discriminator", discriminator.get_weights())
report_shape("generated", generator(tf.random.normal([4, noise_dim]), training=False))
