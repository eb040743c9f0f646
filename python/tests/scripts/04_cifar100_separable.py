"""A hundred classes with separable convolutions and the usual pooling layers."""

import keras
from keras import layers

from _same import report, same_weights

(x_train, y_train), (x_test, y_test) = keras.datasets.cifar100.load_data()
x_train = x_train.astype("float32") / 255.0
x_test = x_test.astype("float32") / 255.0

inputs = keras.Input(shape=(32, 32, 3))
x = layers.ZeroPadding2D(padding=(1, 1))(inputs)
x = layers.SeparableConv2D(16, 3, activation="relu")(x)
x = layers.AveragePooling2D(pool_size=2)(x)
x = layers.SeparableConv2D(24, 3, strides=2, padding="same", use_bias=False)(x)
x = layers.BatchNormalization()(x)
x = layers.ReLU()(x)
average = layers.GlobalAveragePooling2D()(x)
largest = layers.GlobalMaxPooling2D()(x)
x = layers.concatenate([average, largest])
outputs = layers.Dense(100, activation="softmax")(x)
model = keras.Model(inputs, outputs, name="separable")
same_weights(model)

model.compile(
    optimizer=keras.optimizers.SGD(learning_rate=0.05, momentum=0.9),
    loss="sparse_categorical_crossentropy",
    metrics=["accuracy", keras.metrics.SparseTopKCategoricalAccuracy(k=5, name="top5")],
)
history = model.fit(x_train, y_train, batch_size=100, epochs=2, shuffle=False, verbose=2)
report("history", history.history)
report("evaluate", model.evaluate(x_test, y_test, verbose=0, return_dict=True))
report("parameters", model.count_params())
report("weights", model.get_weights())
