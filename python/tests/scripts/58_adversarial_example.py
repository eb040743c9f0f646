"""Gradients to the picture: the fast gradient sign, a saliency map, a dream of a filter."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

from _same import report, same_weights

model = tf.keras.Sequential([
    layers.Input((12, 12, 3)),
    layers.Conv2D(6, 3, activation="relu", name="features"),
    layers.MaxPooling2D(),
    layers.Flatten(),
    layers.Dense(4, activation="softmax"),
])
same_weights(model)
model.trainable = False
image = tf.cast(np.sin(np.arange(12 * 12 * 3)).reshape(1, 12, 12, 3), tf.float32)
loss_object = tf.keras.losses.CategoricalCrossentropy()


def create_adversarial_pattern(input_image, input_label):
    with tf.GradientTape() as tape:
        tape.watch(input_image)
        prediction = model(input_image)
        loss = loss_object(input_label, prediction)
    gradient = tape.gradient(loss, input_image)
    return gradient, tf.sign(gradient)


label = tf.reshape(tf.one_hot(2, 4), (1, 4))
gradient, perturbations = create_adversarial_pattern(image, label)
report("gradient", gradient)
for eps in (0.0, 0.01, 0.1):
    adversarial = tf.clip_by_value(image + eps * perturbations, -1, 1)
    # The sign of a gradient near 0 may differ.
    report(f"prediction_{eps}", model.predict(adversarial, verbose=0), atol=1e-4)

feature_extractor = tf.keras.Model(model.inputs, model.get_layer("features").output)


def gradient_ascent(img, filter_index, steps=3, step_size=0.5):
    for _ in tf.range(steps):
        with tf.GradientTape() as tape:
            tape.watch(img)
            activation = feature_extractor(img)
            loss = tf.reduce_mean(activation[:, 2:-2, 2:-2, filter_index])
        grads = tape.gradient(loss, img)
        grads = tf.math.l2_normalize(grads)
        img = img + step_size * grads
    return loss, img


loss, dream = gradient_ascent(image, 1)
report("loss", loss)
report("dream", dream)

variable = tf.Variable(image)
optimizer = tf.keras.optimizers.Adam(learning_rate=0.02)
for step in range(3):
    with tf.GradientTape() as tape:
        variation = tf.reduce_sum(tf.image.total_variation(variable))
        total = 1e-3 * variation + tf.reduce_mean(tf.square(feature_extractor(variable)))
    grad = tape.gradient(total, variable)
    optimizer.apply_gradients([(grad, variable)])
    variable.assign(tf.clip_by_value(variable, 0.0, 1.0))
report("style", variable.numpy(), atol=1e-4)  # Adam's first steps are the sign of gradients
