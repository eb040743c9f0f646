"""A siamese network with a Lambda layer for the distance and a contrastive loss."""

import keras
import numpy as np
import tensorflow as tf
from keras import ops
from tensorflow.keras import backend as K

from _same import report, same_weights

random = np.random.default_rng(0)
left = random.normal(size=(72, 8, 8)).astype("float32")
same = (np.arange(72) % 2).astype("float32")
right = np.where(same[:, None, None] == 1, left + 0.05, -left).astype("float32")


def euclidean_distance(vects):
    x, y = vects
    sum_square = ops.sum(ops.square(x - y), axis=1, keepdims=True)
    return ops.sqrt(ops.maximum(sum_square, K.epsilon()))


def contrastive_loss(y_true, y_pred, margin=1.0):
    square_pred = tf.square(y_pred)
    margin_square = tf.square(tf.maximum(margin - y_pred, 0))
    return tf.reduce_mean((1 - y_true) * square_pred + y_true * margin_square)


inputs = keras.layers.Input((8, 8))
x = keras.layers.Flatten()(inputs)
x = keras.layers.BatchNormalization()(x)
x = keras.layers.Dense(12, activation="tanh")(x)
embedding_network = keras.Model(inputs, x, name="embedding_network")

input_1 = keras.layers.Input((8, 8))
input_2 = keras.layers.Input((8, 8))
tower_1 = embedding_network(input_1)
tower_2 = embedding_network(input_2)
merge_layer = keras.layers.Lambda(euclidean_distance, output_shape=(1,))([tower_1, tower_2])
normal_layer = keras.layers.BatchNormalization()(merge_layer)
output_layer = keras.layers.Dense(1, activation="sigmoid")(normal_layer)
siamese = keras.Model(inputs=[input_1, input_2], outputs=output_layer)
same_weights(siamese)
siamese.compile(loss=contrastive_loss, optimizer="RMSprop", metrics=["accuracy"])
siamese.summary()
history = siamese.fit([left, right], same, epochs=3, batch_size=24, shuffle=False, verbose=0,
                      validation_data=([left[:12], right[:12]], same[:12]))
report("history", history.history)
report("distances", siamese.predict([left[:8], right[:8]], verbose=0))
report("embedding", embedding_network.predict(left[:3], verbose=0))
report("weights", siamese.get_weights())
K.clear_session()
