"""Mistakes that people ask about, made in the trainings of everyday_models.py."""
import numpy as np
import everyday_data as sets
from training import dense, fault, hidden, last, layer, weighted

MANY = ("iris", "digits", "digits_cnn")
TWO = ("diabetes", "reviews", "xor")
NUMBERS = ("sine", "housing", "forecast")


@fault("output_activation", *TWO)
def softmax_for_yes_or_no(it, rng):
    last(it)["activation"] = "softmax"


@fault("output_activation", *MANY)
def sigmoid_for_many_classes(it, rng):
    last(it)["activation"] = "sigmoid"


@fault("output_activation", "iris", "digits", "diabetes", "reviews")
def forgot_the_last_activation(it, rng):
    last(it)["activation"] = "linear"


@fault("output_activation", "diabetes", "xor", "digits_cnn")
def relu_for_classes(it, rng):
    last(it)["activation"] = "relu"


@fault("output_activation", "diabetes", "xor")
def tanh_for_yes_or_no(it, rng):
    last(it)["activation"] = "tanh"


@fault("output_activation", "sine", "forecast")
def relu_for_waves(it, rng):
    last(it)["activation"] = "relu"


@fault("output_activation", "housing")
def sigmoid_for_prices(it, rng):
    last(it)["activation"] = "sigmoid"


@fault("output_activation", "iris", "logit_head")
def softmax_and_from_logits(it, rng):
    it.from_logits = True
    last(it)["activation"] = "softmax"


@fault("loss_mismatch", *MANY)
def squares_for_flowers(it, rng):
    if it.y.ndim == 1:
        it.y = np.eye(10, dtype="float32")[it.y]
    it.loss = "mse"


@fault("loss_mismatch", "diabetes", "reviews")
def squares_for_patients(it, rng):
    it.loss = "mse"


@fault("loss_mismatch", "iris", "digits_cnn")
def binary_loss_for_one_hot(it, rng):
    it.loss = "binary_crossentropy"


@fault("loss_mismatch", "housing")
def crossentropy_for_prices(it, rng):
    it.loss = str(rng.choice(["binary_crossentropy", "categorical_crossentropy"]))


@fault("loss_mismatch", "digits", "logit_head")
def one_hot_loss_for_numbers(it, rng):
    it.loss = "CategoricalCrossentropy" if it.from_logits else "categorical_crossentropy"


@fault("loss_mismatch", "iris", "digits_cnn")
def sparse_loss_for_one_hot(it, rng):
    it.loss = "sparse_categorical_crossentropy"


@fault("loss_mismatch", "diabetes")
def hinge_of_classes(it, rng):
    it.loss = "categorical_crossentropy"


@fault("output_units", "digits", "digits_cnn", "iris", "rhythms", "table")
def one_unit_for_ten_classes(it, rng):
    if it.y.ndim == 2:
        it.y = it.y.argmax(1)
    it.y = it.y[:, None].astype("float32")
    last(it)["units"], last(it)["activation"], it.loss = 1, "sigmoid", "binary_crossentropy"


@fault("output_units", "digits")
def too_few_classes(it, rng):
    last(it)["units"] = int(rng.choice([3, 5]))


@fault("labels_out_of_range", "digits", "logit_head", "logistic")
def classes_from_one_on(it, rng):
    it.y = it.y + 1


@fault("missing_nonlinearity", "xor", "sine", "multilabel", "rhythms")
def no_activation_anywhere(it, rng):
    if len(hidden(it)) < 2:
        it.layers.insert(0, dense(8, "linear"))
    for one in hidden(it):
        one["config"]["activation"] = "linear"


@fault("inputs_not_normalised", *MANY[1:])
def pixels_to_255(it, rng):
    it.x = it.x * 255


@fault("inputs_not_normalised", "diabetes")
def patients_as_measured(it, rng):
    _, it.x, y = sets.patients(rng)
    it.y = y[:, None].astype("float32")
    it.optimizer, it.rate = str(rng.choice(["adam", "sgd"])), 0.01


@fault("inputs_not_normalised", "housing")
def houses_as_measured(it, rng):
    _, it.x, it.y = sets.houses(rng)
    it.optimizer, it.rate = "sgd", 0.01


@fault("inputs_not_normalised", "sine", "forecast")
def far_away(it, rng):
    it.x = it.x * 100 + 1000


@fault("targets_not_scaled", "housing", "forecast")
def prices_in_dollars(it, rng):
    it.y = it.y * 9000 + 50000


@fault("learning_rate_high", "iris", "diabetes", "digits", "housing", "reviews_gru", "multilabel")
def rate_of_a_tutorial_for_sgd(it, rng):
    it.optimizer, it.rate = str(rng.choice(["adam", "rmsprop"])), float(rng.choice([0.3, 0.5, 1.0]))


@fault("learning_rate_high", "transfer")
def fine_tuned_too_fast(it, rng):
    it.more, it.rate = (), float(rng.choice([0.3, 1.0]))


@fault("learning_rate_low", "iris", "digits_cnn", "sine", "reviews", "multilabel", "residual")
def rate_of_a_millionth(it, rng):
    it.rate = float(rng.choice([1e-6, 1e-5]))
    it.epochs = min(it.epochs, 30)


@fault("learning_rate_low", "digits", "housing", "rhythms")
def sgd_with_adams_rate(it, rng):
    it.optimizer, it.rate = "sgd", float(rng.choice([1e-4, 1e-5]))


@fault("optimizer", "digits", "multilabel", "sine")
def adagrad_or_adadelta(it, rng):
    it.optimizer, it.rate = str(rng.choice(["adadelta", "ftrl"])), 1e-3


@fault("too_few_epochs", "iris", "diabetes", "sine", "multilabel", "rhythms", "reviews")
def stopped_at_once(it, rng):
    it.epochs, it.rate = int(rng.choice([1, 2])), 1e-3


@fault("batch_size", "digits", "multilabel", "diabetes")
def all_in_one_batch(it, rng):
    it.batch, it.epochs, it.rate = len(it.x), 12, 1e-3


@fault("over_regularised", "digits", "sine", "reviews", "rhythms")
def dropout_of_95_percent(it, rng):
    it.layers.insert(-1, layer("Dropout", rate=0.95))


@fault("over_regularised", "digits_cnn", "multilabel", "housing")
def penalty_of_one(it, rng):
    for one in weighted(it):
        one["config"]["kernel_regularizer"] = {"class_name": "L2", "config": {"l2": 1.0}}


@fault("frozen_weights", "digits", "multilabel")
def trainable_is_false(it, rng):
    for one in hidden(it):
        one["config"]["trainable"] = False
    last(it)["trainable"] = bool(rng.integers(2))
    if not last(it)["trainable"]:
        last(it)["bias_initializer"] = "zeros"
        it.layers.insert(-1, dense(4))


@fault("not_shuffled", "digits", "rhythms", "iris")
def sorted_by_class(it, rng):
    labels = it.y.argmax(1) if it.y.ndim == 2 else it.y
    order = np.argsort(labels, kind="stable")
    it.x, it.y = it.x[order], it.y[order]
    if rng.integers(2):
        it.more = ("--no-shuffle",)
    else:
        it.split = 0.3


@fault("class_imbalance", "diabetes", "reviews")
def one_ill_in_fifty(it, rng):
    labels = it.y[:, 0]
    rare = np.flatnonzero(labels == 1)[:max(5, len(labels) // 60)]
    keep = rng.permutation(np.concatenate([np.flatnonzero(labels == 0), rare]))
    it.x, it.y, it.epochs = it.x[keep], it.y[keep], min(it.epochs, 10)


@fault("model_capacity", "digits", "multilabel")
def a_hidden_layer_of_one(it, rng):
    it.layers.insert(-1, dense(1))


@fault("vanishing_gradients", "digits", "diabetes", "sine")
def deep_and_sigmoid(it, rng):
    it.layers = it.layers[:-len(weighted(it))] + [dense(16, "sigmoid") for _ in range(9)] + [it.layers[-1]]
    it.epochs = min(it.epochs, 20)


@fault("dead_relu", "digits", "multilabel")
def relus_that_are_off(it, rng):
    hidden(it)[-1]["config"]["bias_initializer"] = {"class_name": "Constant", "config": {"value": -30.0}}


@fault("bad_initialisation", "iris", "digits", "sine", "rhythms")
def kernels_of_zero_or_one(it, rng):
    kind = str(rng.choice(["Zeros", "Ones"]))
    for one in weighted(it):
        one["config"]["kernel_initializer"] = {"class_name": kind, "config": {}}


@fault("bad_initialisation", "digits", "multilabel", "diabetes")
def kernels_of_deviation_ten(it, rng):
    for one in weighted(it):
        one["config"]["kernel_initializer"] = {"class_name": "RandomNormal", "config": {"stddev": 10.0}}


@fault("constant_input", "iris", "digits", "diabetes")
def scaled_twice_to_zero(it, rng):
    it.x = np.zeros_like(it.x)


@fault("overfitting", "reviews", "noisy_classes", "diabetes")
def by_heart(it, rng):
    it.x, it.y = it.x[:160], it.y[:160]
    it.layers = it.layers[:-len(weighted(it))] + [dense(256), dense(256), it.layers[-1]]
    it.epochs, it.split, it.rate, it.more = 100, 0.3, 3e-3, ()


@fault("bad_record", "iris", "housing", "diabetes", "digits")
def a_missing_value(it, rng):
    it.x = it.x.copy()
    it.x[int(rng.integers(0, len(it.x)))].flat[1] = np.nan


@fault("label_noise", "diabetes", "iris", "multilabel", "digits")
def labels_of_other_records(it, rng):
    it.y = it.y[rng.permutation(len(it.y))]
    it.split = 0.2


@fault("label_noise", "sine", "housing")
def targets_of_other_records(it, rng):
    it.y = it.y[rng.permutation(len(it.y))]
    it.split = 0.2


@fault("batch_size", "batch_norm", "residual")
def batch_norm_of_one(it, rng):
    it.batch, it.epochs = 1, 2
    it.x, it.y = it.x[:400], it.y[:400]
