"""Sound trainings of many kinds, as people write them: most are no textbook cases, and some data is noisy."""
import numpy as np
import everyday_data as sets
from training import Training, dense, layer, of


def iris(rng):
    x, y = sets.flowers(rng)
    return Training([dense(int(rng.choice([8, 10, 16]))), dense(3, "softmax")], x, np.eye(3, dtype="float32")[y],
                    "categorical_crossentropy", "accuracy", rate=0.01, epochs=80, batch=int(rng.choice([5, 16])))


def diabetes(rng):
    x, _, y = sets.patients(rng)
    return Training([dense(12), dense(8), dense(1, "sigmoid")], x, y[:, None].astype("float32"),
                    "binary_crossentropy", "accuracy", epochs=60, batch=10)


def xor(rng):
    x, y = sets.exclusive_or()
    return Training([dense(16, str(rng.choice(["relu", "tanh"]))), dense(1, "sigmoid")], x, y,
                    "binary_crossentropy", "accuracy", rate=0.02, epochs=600, batch=4)


def sine(rng):
    x, y = sets.sine(rng)
    return Training([dense(32, str(rng.choice(["tanh", "relu"]))), dense(32), dense(1, "linear")], x, y, "mse",
                    rate=0.003, epochs=80)


def digits(rng):
    x, y = sets.digits(rng)
    return Training([layer("Flatten"), dense(64), dense(10, "softmax")], x / 255, y,
                    "sparse_categorical_crossentropy", "accuracy", epochs=12)


def digits_cnn(rng):
    x, y = sets.digits(rng)
    return Training([layer("Conv2D", filters=16, kernel_size=[3, 3], activation="relu"),
                     layer("MaxPooling2D", pool_size=[2, 2]), layer("Dropout", rate=0.25), layer("Flatten"),
                     dense(64), layer("Dropout", rate=0.5), dense(10, "softmax")],
                    x / 255, np.eye(10, dtype="float32")[y], "categorical_crossentropy", "accuracy",
                    epochs=12, split=float(rng.choice([0, 0.2])))


def housing(rng):
    x, _, y = sets.houses(rng)
    return Training([dense(64), dense(64), dense(1, "linear")], x, y, "mse", "mae",
                    optimizer=str(rng.choice(["adam", "rmsprop"])), epochs=80, batch=16, split=0.2)


def reviews(rng):
    x, y = sets.reviews(rng)
    return Training([layer("Embedding", input_dim=300, output_dim=16), layer("GlobalAveragePooling1D"),
                     dense(16), dense(1, "sigmoid")], x, y[:, None].astype("float32"),
                    "binary_crossentropy", "accuracy", rate=0.005, epochs=15)


def reviews_gru(rng):
    x, y = sets.reviews(rng, records=700)
    return Training([layer("Embedding", input_dim=300, output_dim=12, mask_zero=bool(rng.integers(2))),
                     layer("GRU", units=16), dense(1, "sigmoid")], x, y[:, None].astype("float32"),
                    "binary_crossentropy", "accuracy", rate=0.005, epochs=14)


def multilabel(rng):
    x, y = sets.labels_of_many(rng)
    return Training([dense(64), dense(64), dense(5, "sigmoid")], x, y, "binary_crossentropy", "binary_accuracy",
                    epochs=40)


def autoencoder(rng):
    x, _ = sets.digits(rng, records=800)
    x = (x / 255).reshape(len(x), -1)
    return Training([dense(48), dense(int(rng.choice([12, 24]))), dense(48), dense(100, "sigmoid")], x, x,
                    str(rng.choice(["mse", "binary_crossentropy"])), epochs=40)


def residual(rng):
    x, y = sets.digits(rng, records=800)
    conv = {"filters": 12, "kernel_size": [3, 3], "padding": "same"}
    return Training([of("Conv2D", ["in"], "stem", activation="relu", **conv),
                     of("Conv2D", ["stem"], "one", activation="linear", **conv),
                     of("BatchNormalization", ["one"], "norm"), of("Activation", ["norm"], "act", activation="relu"),
                     of("Conv2D", ["act"], "two", activation="linear", **conv), of("Add", ["stem", "two"], "sum"),
                     of("Activation", ["sum"], "act2", activation="relu"),
                     of("GlobalAveragePooling2D", ["act2"], "pool"),
                     of("Dense", ["pool"], "head", units=10, activation="softmax")],
                    x / 255, y, "sparse_categorical_crossentropy", "accuracy", rate=0.005, epochs=20)


def transformer(rng):
    x, y = sets.reviews(rng, records=700)
    return Training([of("Embedding", ["in"], "words", input_dim=300, output_dim=16),
                     of("MultiHeadAttention", ["words", "words"], "attention", num_heads=2, key_dim=8),
                     of("Add", ["words", "attention"], "sum"), of("LayerNormalization", ["sum"], "norm"),
                     of("Dense", ["norm"], "wide", units=32, activation="relu"),
                     of("Dense", ["wide"], "narrow", units=16, activation="linear"),
                     of("Add", ["norm", "narrow"], "sum2"), of("LayerNormalization", ["sum2"], "norm2"),
                     of("GlobalAveragePooling1D", ["norm2"], "pool"),
                     of("Dense", ["pool"], "head", units=1, activation="sigmoid")],
                    x, y[:, None].astype("float32"), "binary_crossentropy", "accuracy", rate=0.003, epochs=12)


def batch_norm(rng):
    x, y = sets.digits(rng, records=900)
    return Training([layer("Flatten"), dense(64, "linear"), layer("BatchNormalization"),
                     layer("Activation", activation="relu"), layer("Dropout", rate=0.3), dense(10, "softmax")],
                    x / 255, y, "sparse_categorical_crossentropy", "accuracy", epochs=15, batch=64, split=0.1)


def rare_but_learnt(rng):
    x = rng.normal(size=(1500, 6)).astype("float32")
    y = (x[:, 0] + x[:, 1] * 0.8 > 2.1).astype("float32")[:, None]
    return Training([dense(32), dense(1, "sigmoid")], x, y, "binary_crossentropy", "accuracy", rate=0.005, epochs=40)


def transfer(rng):
    """A base that was trained on other classes is frozen on purpose."""
    x, y = sets.digits(rng, records=1000)
    base = Training([layer("Flatten"), dense(96, name="base_one"), dense(96, name="base_two"),
                     dense(10, "softmax", name="head")], x / 255, y, "sparse_categorical_crossentropy", "accuracy",
                    epochs=15)
    new = rng.permutation(10)[y] // 2 * 2
    return Training(base.layers, (x / 255)[:500], new[:500], "sparse_categorical_crossentropy", "accuracy", epochs=25,
                    rate=0.003, base=base, more=("--freeze", "base*"))


def noisy_classes(rng):
    x = rng.normal(size=(900, 6)).astype("float32")
    clear = (x[:, 0] + x[:, 1] > 0)
    y = np.where(rng.uniform(size=900) < float(rng.choice([0.2, 0.3])), ~clear, clear)
    return Training([dense(16), dense(1, "sigmoid")], x, y.astype("float32")[:, None], "binary_crossentropy",
                    "accuracy", epochs=25, split=float(rng.choice([0, 0.25])))


def noisy_numbers(rng):
    x = rng.normal(size=(900, 5)).astype("float32")
    y = 0.8 * x[:, 0] - 0.6 * x[:, 1] + rng.normal(size=900) * 1.3
    return Training([dense(16), dense(1, "linear")], x, y[:, None].astype("float32"), "mse", epochs=25,
                    split=float(rng.choice([0, 0.2])))


def forecast(rng):
    x, y = sets.signal(rng)
    return Training([layer(str(rng.choice(["LSTM", "GRU"])), units=16), dense(1, "linear")], x, y, "mse", rate=0.005,
                    epochs=20)


def straight_line(rng):
    x = np.arange(-5, 7, dtype="float32")[:, None] / 4
    return Training([dense(1, "linear")], x, 2 * x - 1, "mse", optimizer="sgd", rate=0.05, epochs=300, batch=4)


def logistic(rng):
    x = rng.normal(size=(500, 4)).astype("float32")
    y = (x @ rng.normal(size=(4, 3))).argmax(1)
    return Training([dense(3, "softmax")], x, y, "sparse_categorical_crossentropy", "accuracy", rate=0.02, epochs=40)


def rhythms(rng):
    x, y = sets.rhythms(rng)
    return Training([layer("Conv1D", filters=16, kernel_size=[5], activation="relu"),
                     layer("MaxPooling1D", pool_size=[2]),
                     layer("Conv1D", filters=16, kernel_size=[3], activation="relu"),
                     layer("GlobalAveragePooling1D"), dense(3, "softmax")], x, y,
                    "sparse_categorical_crossentropy", "accuracy", rate=0.005, epochs=20)


def logit_head(rng):
    x, y = sets.flowers(rng, records=300)
    return Training([dense(16), dense(3, "linear")], x, y, "SparseCategoricalCrossentropy", "accuracy", rate=0.01,
                    epochs=60, from_logits=True)


def momentum(rng):
    it = digits(rng)
    it.optimizer, it.rate, it.epochs = "sgd", 0.2, 25
    return it


def validated(rng):
    """Memorises a little: the validation is somewhat worse than the training."""
    x, _, y = sets.patients(rng, records=600)
    return Training([dense(16), dense(1, "sigmoid")], x, y[:, None].astype("float32"), "binary_crossentropy",
                    "accuracy", epochs=40, split=0.25)


EVERYDAY = {function.__name__: function for function in (
    iris, diabetes, xor, sine, digits, digits_cnn, housing, reviews, reviews_gru, multilabel, autoencoder, residual,
    transformer, batch_norm, rare_but_learnt, transfer, noisy_classes, noisy_numbers, forecast, straight_line, logistic,
    rhythms, logit_head, momentum, validated)}
