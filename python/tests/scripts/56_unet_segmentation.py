"""A U-Net that labels every pixel, with masks from a formula and a dice metric."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers
from tensorflow.keras.layers import Conv2D, Conv2DTranspose, MaxPooling2D, concatenate

from _same import report, same_weights

y, x = np.mgrid[0:16, 0:16]
images, masks = [], []
for k in range(16):
    circle = (x - 8 - k % 4) ** 2 + (y - 8) ** 2 < (4 + k % 3) ** 2
    images.append(np.stack([circle * 0.8 + 0.1 * np.sin(x + k), y / 16.0, x / 16.0], axis=-1))
    masks.append(circle[..., np.newaxis])
images, masks = np.array(images, "float32"), np.array(masks, "float32")


def dice_coef(y_true, y_pred, smooth=1.0):
    y_true_f = tf.reshape(y_true, [-1])
    y_pred_f = tf.reshape(y_pred, [-1])
    intersection = tf.reduce_sum(y_true_f * y_pred_f)
    total = tf.reduce_sum(y_true_f) + tf.reduce_sum(y_pred_f)
    return (2.0 * intersection + smooth) / (total + smooth)


def dice_loss(y_true, y_pred):
    return 1.0 - dice_coef(y_true, y_pred)


def block(inputs, filters):
    arguments = dict(activation="relu", padding="same", kernel_initializer="he_normal")
    conv = Conv2D(filters, 3, **arguments)(inputs)
    return Conv2D(filters, 3, **arguments)(conv)


inputs = layers.Input((16, 16, 3))
conv1 = block(inputs, 6)
conv2 = block(MaxPooling2D(pool_size=(2, 2))(conv1), 8)
bottom = block(MaxPooling2D(pool_size=(2, 2))(conv2), 12)
up1 = concatenate([Conv2DTranspose(8, 2, strides=2, padding="same")(bottom), conv2], axis=3)
conv3 = block(up1, 8)
up2 = concatenate([layers.UpSampling2D(size=(2, 2))(conv3), conv1], axis=-1)
conv4 = block(up2, 6)
outputs = Conv2D(1, (1, 1), activation="sigmoid")(conv4)
model = tf.keras.Model(inputs=[inputs], outputs=[outputs])
same_weights(model)
model.compile(optimizer=tf.keras.optimizers.Adam(learning_rate=1e-3), loss=dice_loss,
              metrics=[dice_coef, "accuracy"])
history = model.fit(images, masks, batch_size=8, epochs=3, shuffle=False, verbose=0)
report("history", history.history)
predicted = model.predict(images[:2], verbose=0)
report("predicted", predicted)
report("mask_shape", (predicted > 0.5).astype("uint8").shape)
report("weights", model.get_weights())
