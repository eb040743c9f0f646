"""What the layers of a trained network see: outputs of layers, class activation maps, a deep copy."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

from _same import report, same_weights

y, x = np.mgrid[0:16, 0:16]
images = np.stack([np.where((x - k % 7 - 4) ** 2 + (y - k % 5 - 5) ** 2 < (9 if k % 2 else 30), 1.0, 0.0)
                   for k in range(24)])[..., None].astype("float32")
labels = np.arange(24) % 2

model = keras.Sequential([
    keras.Input((16, 16, 1)),
    layers.Conv2D(4, 3, padding="same", activation="relu", name="conv1"),
    layers.MaxPooling2D(2, name="pool1"),
    layers.Conv2D(6, 3, padding="same", use_bias=False, name="conv2"),
    layers.BatchNormalization(name="bn"),
    layers.ReLU(name="relu2"),
    layers.GlobalAveragePooling2D(name="gap"),
    layers.Dense(2, activation="softmax", name="probabilities"),
])
same_weights(model)
model.compile(optimizer=keras.optimizers.Adam(0.01), loss="sparse_categorical_crossentropy",
              metrics=["accuracy"])
history = model.fit(images, labels, epochs=3, batch_size=8, shuffle=False, verbose=0)
report("history", history.history)

names = [layer.name for layer in model.layers if "conv" in layer.name or "pool" in layer.name]
report("names", names)
activation_model = keras.Model(inputs=model.inputs,
                               outputs=[model.get_layer(name).output for name in names])
activations = activation_model.predict(images[:2], verbose=0)
report("activations", [a[:, ::4, ::4] for a in activations])
extractor = keras.Model(inputs=model.inputs, outputs=model.layers[-2].output)
report("features", extractor(images[:3]))

grad_model = keras.Model(model.inputs,
                         [model.get_layer("conv2").output, model.layers[-1].output])
with tf.GradientTape() as tape:
    conv_outputs, predictions = grad_model(images[:1])
    class_channel = predictions[:, tf.argmax(predictions[0])]
grads = tape.gradient(class_channel, conv_outputs)
pooled = tf.reduce_mean(grads, axis=(0, 1, 2))
heatmap = tf.squeeze(conv_outputs[0] @ pooled[..., tf.newaxis])
heatmap = tf.maximum(heatmap, 0) / (tf.math.reduce_max(heatmap) + 1e-8)
report("heatmap", heatmap.numpy()[::2, ::2])

image = tf.Variable(images[1:2])
with tf.GradientTape() as tape:
    loss = model(image, training=False)[:, 0]
saliency = tf.reduce_max(tf.abs(tape.gradient(loss, image)), axis=-1)
report("saliency", saliency[0, ::4, ::4])

filters, biases = model.get_layer("conv1").get_weights()
report("filters", [filters.shape, biases.shape])
report("kernel", model.get_layer("conv2").kernel)
report("config", model.get_layer("conv1").get_config()["filters"])
copied = keras.models.clone_model(model)
copied.set_weights(model.get_weights())
report("copied", copied.predict(images[:4], verbose=0))
copied.pop()
copied.add(layers.Dense(3, name="other"))
report("changed", [copied.output_shape[-1], len(copied.layers)])
report("moving", [model.get_layer("bn").moving_mean, model.get_layer("bn").moving_variance])
lines = []
model.summary(print_fn=lambda line, **kwargs: lines.append(line))
report("summary", [all(name in "\n".join(lines) for name in names), model.count_params()])
