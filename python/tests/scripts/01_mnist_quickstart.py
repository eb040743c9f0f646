"""The first script of everybody: digits, two dense layers, fit, evaluate, probabilities."""

import tensorflow as tf

from _same import report, same_weights

print("TensorFlow version:", tf.__version__)

mnist = tf.keras.datasets.mnist
(x_train, y_train), (x_test, y_test) = mnist.load_data()
x_train, x_test = x_train / 255.0, x_test / 255.0

model = tf.keras.models.Sequential([
    tf.keras.layers.Flatten(input_shape=(28, 28)),
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(10),
])
same_weights(model)

predictions = model(x_train[:1]).numpy()
report("first_logits", predictions)
report("first_probabilities", tf.nn.softmax(predictions).numpy())

loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
report("first_loss", loss_fn(y_train[:1], predictions).numpy())

model.compile(optimizer="adam", loss=loss_fn, metrics=["accuracy"])
model.summary()
history = model.fit(x_train, y_train, epochs=3, shuffle=False)
report("history", history.history)
report("evaluate", model.evaluate(x_test, y_test, verbose=2))

probability_model = tf.keras.Sequential([model, tf.keras.layers.Softmax()])
report("probabilities", probability_model(x_test[:5]))
report("weights", model.get_weights())
