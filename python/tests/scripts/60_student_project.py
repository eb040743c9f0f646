"""A table, a network by add(), early stopping, a report: what most projects look like."""

import numpy as np
from keras.callbacks import EarlyStopping, ModelCheckpoint
from keras.layers import Dense, Dropout
from keras.models import Sequential, load_model

from _same import report, report_shape, same_weights

random = np.random.default_rng(0)
dataset = random.normal(size=(150, 9))
dataset[:, 8] = (dataset[:, :4].sum(axis=1) > 0)
X = dataset[:, 0:8]
Y = dataset[:, 8]
X_train, X_test, y_train, y_test = X[:110], X[110:], Y[:110], Y[110:]
mean, std = X_train.mean(axis=0), X_train.std(axis=0)
X_train, X_test = (X_train - mean) / std, (X_test - mean) / std

classifier = Sequential()
classifier.add(Dense(units=12, kernel_initializer="uniform", activation="relu", input_dim=8))
classifier.add(Dense(units=8, kernel_initializer="uniform", activation="relu"))
classifier.add(Dense(units=1, kernel_initializer="uniform", activation="sigmoid"))
same_weights(classifier)
classifier.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
classifier.summary()
monitor = EarlyStopping(monitor="val_loss", min_delta=1e-3, patience=5, mode="auto",
                        restore_best_weights=True)
keeper = ModelCheckpoint("best_model.h5", monitor="val_accuracy", mode="max", save_best_only=True)
history = classifier.fit(X_train, y_train, batch_size=10, epochs=8, shuffle=False, verbose=2,
                         validation_data=(X_test, y_test), callbacks=[monitor, keeper])
report("history", history.history)
scores = classifier.evaluate(X_test, y_test, verbose=0)
print("%s: %.2f%%" % (classifier.metrics_names[1], scores[1] * 100))
report("scores", scores)

y_pred = classifier.predict(X_test)
report("probabilities", y_pred)
y_pred = (y_pred > 0.5)
matrix = np.zeros((2, 2), dtype=int)
for truth, guess in zip(y_test.astype(int), y_pred.astype(int).ravel()):
    matrix[truth, guess] += 1
report("confusion", matrix)
new_prediction = classifier.predict(np.array([[0.6, 1.0, 0.4, -0.3, 0.6, 1.2, 0.1, -1.0]]))
report("new", new_prediction)
report("best", load_model("best_model.h5").predict(X_test, verbose=0))

deeper = Sequential()
deeper.add(Dense(16, input_shape=(8,), activation="relu"))
deeper.add(Dropout(0.2))
deeper.add(Dense(1, activation="sigmoid"))
same_weights(deeper)
deeper.compile(loss="binary_crossentropy", optimizer="rmsprop", metrics=["accuracy"])
report("before", deeper.evaluate(X_test, y_test, verbose=0))
fitted = deeper.fit(X_train, y_train, epochs=2, batch_size=16, validation_split=0.1, verbose=0)
report_shape("after", fitted.history["loss"])
