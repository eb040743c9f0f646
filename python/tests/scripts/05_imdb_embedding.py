"""Film reviews as word numbers: padding, an embedding, an average and a dense layer."""

from tensorflow import keras
from tensorflow.keras.preprocessing.sequence import pad_sequences

from _same import report, same_weights

vocabulary = 500
(x_train, y_train), (x_test, y_test) = keras.datasets.imdb.load_data(num_words=vocabulary)
report("lengths", [len(x) for x in x_train[:10]])
x_train = pad_sequences(x_train, maxlen=60)
x_test = pad_sequences(x_test, maxlen=60, padding="post", truncating="post", value=0)
report("padded", x_train[:3])

model = keras.Sequential([
    keras.layers.Embedding(vocabulary, 16),
    keras.layers.GlobalAveragePooling1D(),
    keras.layers.Dense(16, activation="relu"),
    keras.layers.Dense(1, activation="sigmoid"),
])
model.build(input_shape=(None, 60))
same_weights(model)
# SGD, for TensorFlow's other optimizers take the occurrences of a word in a batch one by one.
model.compile(optimizer="sgd", loss="binary_crossentropy", metrics=["accuracy"])

x_val, partial_x = x_train[:40], x_train[40:]
y_val, partial_y = y_train[:40], y_train[40:]
history = model.fit(partial_x, partial_y, epochs=4, batch_size=32, shuffle=False,
                    validation_data=(x_val, y_val), verbose=0)
report("history", history.history)
report("test", model.evaluate(x_test, y_test))
# TensorFlow takes the gradients of a word off one after another, and rounds each time.
report("weights", model.get_weights(), atol=1e-4)
