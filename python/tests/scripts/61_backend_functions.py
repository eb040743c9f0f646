"""Losses, metrics and a layer written with keras.backend, as older scripts have them."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import backend as K
from tensorflow.keras.layers import Dense, Dropout, Input, Lambda, Layer
from tensorflow.keras.models import Model

from _same import report, same_weights

random = np.random.default_rng(0)
x = random.normal(size=(60, 5)).astype("float32")
y = (x[:, :1] * x[:, 1:2] > 0).astype("float32")


def recall_m(y_true, y_pred):
    true_positives = K.sum(K.round(K.clip(y_true * y_pred, 0, 1)))
    possible_positives = K.sum(K.round(K.clip(y_true, 0, 1)))
    return true_positives / (possible_positives + K.epsilon())


def precision_m(y_true, y_pred):
    true_positives = K.sum(K.round(K.clip(y_true * y_pred, 0, 1)))
    predicted_positives = K.sum(K.round(K.clip(y_pred, 0, 1)))
    return true_positives / (predicted_positives + K.epsilon())


def f1_m(y_true, y_pred):
    precision, recall = precision_m(y_true, y_pred), recall_m(y_true, y_pred)
    return 2 * ((precision * recall) / (precision + recall + K.epsilon()))


def dice_coef_loss(y_true, y_pred, smooth=1.0):
    intersection = K.sum(K.flatten(y_true) * K.flatten(y_pred))
    return 1 - (2.0 * intersection + smooth) / (K.sum(y_true) + K.sum(y_pred) + smooth)


def focal_loss(gamma=2.0, alpha=0.25):
    def loss(y_true, y_pred):
        y_pred = K.clip(y_pred, K.epsilon(), 1.0 - K.epsilon())
        cross_entropy = -y_true * K.log(y_pred) - (1 - y_true) * K.log(1 - y_pred)
        weight = alpha * y_true * K.pow(1 - y_pred, gamma) + (1 - alpha) * (1 - y_true) * K.pow(
            y_pred, gamma)
        return K.mean(weight * cross_entropy, axis=-1)
    return loss


class AttentionPool(Layer):
    def build(self, input_shape):
        self.W = self.add_weight(name="att_weight", shape=(input_shape[-1], 1),
                                 initializer="glorot_uniform")
        self.b = self.add_weight(name="att_bias", shape=(1,), initializer="zeros")
        super().build(input_shape)

    def call(self, inputs):
        e = K.tanh(K.dot(inputs, self.W) + self.b)
        a = K.softmax(e, axis=1)
        return K.sum(inputs * a, axis=1)


inputs = Input(shape=(5,))
h = Lambda(lambda t: K.expand_dims(t, axis=-1), output_shape=(5, 1))(inputs)
h = Dense(4, activation="tanh")(h)
h = AttentionPool()(h)
outputs = Dense(1, activation="sigmoid")(h)
model = Model(inputs, outputs)
for loss in (dice_coef_loss, focal_loss(), "binary_crossentropy"):
    same_weights(model)
    model.compile(optimizer=keras.optimizers.SGD(0.1), loss=loss, metrics=["accuracy", f1_m])
    history = model.fit(x, y, epochs=3, batch_size=20, shuffle=False, verbose=0)
    name = loss if isinstance(loss, str) else loss.__name__
    report(name, history.history)
report("weights", model.get_weights())

a, b = K.constant([[1.0, 2.0], [3.0, 4.0]]), K.variable(np.array([[2.0, 0.5], [1.0, -1.0]]))
report("dot", K.eval(K.dot(a, b)))
report("batch_dot", K.eval(K.batch_dot(K.expand_dims(a, 1), K.expand_dims(b, 2))))
report("mean", K.eval(K.mean(a, axis=0)))
report("max", K.get_value(K.max(b, axis=1)))
report("concatenate", K.eval(K.concatenate([a, b], axis=-1)))
report("stack", K.eval(K.stack([a, b])))
report("reshape", K.eval(K.reshape(a, (4, 1))))
report("transpose", K.eval(K.transpose(b)))
report("permute", K.eval(K.permute_dimensions(K.stack([a, b]), (2, 0, 1))))
report("tile", K.eval(K.tile(a, [1, 2])))
report("cast", K.eval(K.cast(b, "int32")))
report("flatten", K.eval(K.batch_flatten(K.stack([a, b]))))
report("norm", K.eval(K.sqrt(K.sum(K.square(a - b)))))
report("abs", K.eval(K.abs(b)))
report("exp", K.eval(K.exp(-a)))
report("maximum", K.eval(K.maximum(a, b)))
report("switch", K.eval(K.switch(K.greater(a, b), a, b)))
report("sigmoid", K.eval(K.sigmoid(b)))
report("l2", K.eval(K.l2_normalize(a, axis=1)))
report("argmax", K.eval(K.argmax(b, axis=-1)))
report("one_hot", K.eval(K.one_hot(K.constant([0, 2], dtype="int32"), 3)))
report("arange", K.eval(K.arange(0, 6, 2)))
report("shapes", [list(K.int_shape(a)), K.ndim(a), K.eval(K.shape(b)).tolist()])
report("settings", [K.floatx(), K.image_data_format(), K.backend()])
K.set_value(b, np.zeros((2, 2)))
report("set_value", K.get_value(b))
