"""Transfer learning: a frozen MobileNetV2, a new head, then the last layers are trained too."""

import numpy as np
import tensorflow as tf

from _same import report, same_weights

y, x = np.mgrid[0:32, 0:32]
images = np.stack([np.stack([x * (k % 5 + 1), y * (k % 3 + 1), (x + y) * 2], axis=-1) % 256
                   for k in range(12)]).astype("float32")
labels = (np.arange(12) % 2).astype("float32")
IMG_SHAPE = (32, 32, 3)

preprocess_input = tf.keras.applications.mobilenet_v2.preprocess_input
report("preprocessed", preprocess_input(images[0].copy())[::8, ::8])
base_model = tf.keras.applications.MobileNetV2(input_shape=IMG_SHAPE, include_top=False,
                                               weights=None, alpha=0.35)
same_weights(base_model)
report("layers", len(base_model.layers))
report("parameters", base_model.count_params())
# Features are up to 6, and 52 layers have rounded them.
report("features", base_model(preprocess_input(images[:2].copy())), atol=1e-4)
base_model.trainable = False

inputs = tf.keras.Input(shape=IMG_SHAPE)
h = preprocess_input(inputs)
h = base_model(h, training=False)
h = tf.keras.layers.GlobalAveragePooling2D()(h)
h = tf.keras.layers.Dropout(0.2)(h)
outputs = tf.keras.layers.Dense(1, activation="sigmoid")(h)
model = tf.keras.Model(inputs, outputs)
for weight in model.layers[-1].weights:
    weight.assign(np.full(weight.shape, 0.01, dtype="float32"))
model.compile(optimizer=tf.keras.optimizers.Adam(learning_rate=0.0001),
              loss=tf.keras.losses.BinaryCrossentropy(), metrics=["accuracy"])
report("trainable", len(model.trainable_variables))
loss0, accuracy0 = model.evaluate(images, labels, batch_size=6, verbose=0)
report("loss0", loss0)
frozen = base_model.get_weights()[0].copy()
model.fit(images, labels, epochs=1, batch_size=6, verbose=0)
report("still_frozen", bool(np.array_equal(frozen, base_model.get_weights()[0])))

base_model.trainable = True
for layer in base_model.layers[:100]:
    layer.trainable = False
report("trainable_later", len(model.trainable_variables))
