"""A small ResNet with weight decay, batch normalization and a global average."""

import numpy as np
from keras import backend as K
from keras.layers import Activation, Add, BatchNormalization, Conv2D, Dense, Flatten, Input
from keras.layers import AveragePooling2D
from keras.models import Model
from keras.optimizers import Adam
from keras.regularizers import l2

from _same import report, same_weights


def resnet_layer(inputs, num_filters=8, kernel_size=3, strides=1, activation="relu",
                 batch_normalization=True):
    conv = Conv2D(num_filters, kernel_size=kernel_size, strides=strides, padding="same",
                  kernel_initializer="he_normal", kernel_regularizer=l2(1e-4))
    x = conv(inputs)
    if batch_normalization:
        x = BatchNormalization()(x)
    if activation is not None:
        x = Activation(activation)(x)
    return x


def resnet_v1(input_shape, stacks=2, blocks=1, num_classes=4):
    num_filters = 8
    inputs = Input(shape=input_shape)
    x = resnet_layer(inputs=inputs)
    for stack in range(stacks):
        for block in range(blocks):
            strides = 2 if stack > 0 and block == 0 else 1
            y = resnet_layer(inputs=x, num_filters=num_filters, strides=strides)
            y = resnet_layer(inputs=y, num_filters=num_filters, activation=None)
            if stack > 0 and block == 0:
                x = resnet_layer(inputs=x, num_filters=num_filters, kernel_size=1, strides=strides,
                                 activation=None, batch_normalization=False)
            x = Add()([x, y])
            x = Activation("relu")(x)
        num_filters *= 2
    x = AveragePooling2D(pool_size=4)(x)
    y = Flatten()(x)
    outputs = Dense(num_classes, activation="softmax", kernel_initializer="he_normal")(y)
    return Model(inputs=inputs, outputs=outputs)


x_train = np.sin(np.arange(32 * 16 * 16 * 3) * 0.7).reshape(32, 16, 16, 3).astype("float32")
y_train = np.arange(32) % 4
model = resnet_v1(input_shape=x_train.shape[1:])
model.summary()
same_weights(model)
report("untrained", model.predict(x_train[:4], verbose=0))
report("regularization", float(sum(model.losses)))
model.compile(loss="sparse_categorical_crossentropy", optimizer=Adam(learning_rate=1e-3),
              metrics=["accuracy"])
history = model.fit(x_train, y_train, batch_size=16, epochs=2, shuffle=False, verbose=0,
                    validation_data=(x_train[:16], y_train[:16]))
# Adam divides by the size of gradients that are near 0 in biases before a normalization.
report("history", history.history, atol=1e-3)
report("count", model.count_params())
report("format", K.image_data_format())
