"""Models of dense layers: activations, initializers, regularizers, losses, metrics."""

import keras
import numpy as np
from keras import layers, losses, metrics, optimizers, regularizers
from keras.optimizers import schedules

from case import binary, distribution, labels, normal, one_hot, parity_case, uniform


@parity_case(
    "sparse_categorical_crossentropy",
    "adam",
    metrics=lambda: ["accuracy", metrics.SparseTopKCategoricalAccuracy(k=2)],
)
def mlp_classifier(rng):
    model = keras.Sequential(
        [
            keras.Input((10,)),
            layers.Dense(16, activation="relu"),
            layers.Dropout(0.0),
            layers.Dense(12, activation="tanh", use_bias=False),
            layers.GaussianNoise(0.0),
            layers.Dense(4, activation="softmax"),
        ]
    )
    return model, [normal(rng, 10)], [labels(rng, 4)]


@parity_case(
    lambda: losses.Huber(),  # Keras does not save its delta
    lambda: optimizers.Nadam(schedules.InverseTimeDecay(0.01, decay_steps=4, decay_rate=0.5, staircase=True)),
    metrics=lambda: ["mae", "mse", metrics.RootMeanSquaredError(), metrics.R2Score()],
)
def mlp_regression(rng):
    """Its Normalization was adapted to the data."""
    x = normal(rng, 6, scale=3.0) + 5
    normalization = layers.Normalization()
    normalization.adapt(x)
    model = keras.Sequential(
        [
            keras.Input((6,)),
            normalization,
            layers.Dense(12, activation="selu", kernel_initializer="lecun_normal"),
            layers.Dense(8, activation="silu", bias_initializer=keras.initializers.Constant(0.1)),
            layers.Dense(2),
        ]
    )
    return model, [x], [normal(rng, 2)]


# `threshold` takes arguments and cannot be an Activation's. Keras says that `glu` keeps the shape, so that nothing
# can follow it: it is an output of its own.
ACTIVATIONS = """celu elu exponential gelu hard_shrink hard_sigmoid hard_silu hard_tanh leaky_relu linear log_sigmoid
    log_softmax mish relu relu6 selu sigmoid silu soft_shrink softmax softplus softsign sparse_plus sparse_sigmoid
    sparsemax squareplus tanh tanh_shrink""".split()


@parity_case(
    "mse",
    lambda: optimizers.Adamax(schedules.PolynomialDecay(0.02, decay_steps=6, end_learning_rate=0.002, power=2.0, cycle=True)),
)
def every_activation(rng):
    x = keras.Input((7,))
    branches = [layers.Activation(name)(layers.Dense(4)(x)) for name in ACTIVATIONS]
    y = layers.Dense(3, activation="hard_swish")(layers.Concatenate()(branches))
    gated = layers.Activation("glu", name="gated")(layers.Dense(6)(x))
    return keras.Model(x, [y, gated]), [normal(rng, 7)], [normal(rng, 3), normal(rng, 3)]


@parity_case("mae", lambda: optimizers.Adagrad(0.05, initial_accumulator_value=0.2, epsilon=1e-6), metrics=["mse"])
def activation_layers(rng):
    x = keras.Input((5, 6))
    y = [
        layers.ReLU(max_value=1.5, negative_slope=0.1, threshold=0.2)(x),
        layers.LeakyReLU(negative_slope=0.2)(x),
        layers.PReLU(alpha_initializer="ones")(layers.Dense(6)(x)),
        layers.PReLU(shared_axes=[1], alpha_initializer=keras.initializers.RandomUniform(0.1, 0.3))(layers.Dense(6)(x)),
        layers.ELU(alpha=0.7)(x),
        layers.Softmax(axis=1)(x),
        layers.Softmax()(layers.Dense(4)(x)),
        layers.Dense(5, activation=layers.LeakyReLU(negative_slope=0.05))(x),
    ]
    y = layers.Dense(2)(layers.Flatten()(layers.Concatenate()(y)))
    return keras.Model(x, y), [normal(rng, 5, 6)], [normal(rng, 2)]


@parity_case(
    lambda: losses.LogCosh(),
    lambda: optimizers.RMSprop(
        schedules.ExponentialDecay(0.01, decay_steps=5, decay_rate=0.7, staircase=True),
        rho=0.8, momentum=0.5, centered=True, epsilon=1e-5,
    ),
    metrics=lambda: [metrics.LogCoshError(), metrics.MeanAbsoluteError(name="error")],
)
def every_initializer(rng):
    ones = keras.initializers
    kernels = [
        ones.Zeros(),
        ones.Ones(),
        ones.Constant(0.3),
        ones.RandomNormal(mean=0.1, stddev=0.2, seed=1),
        ones.RandomUniform(-0.4, 0.3, seed=2),
        ones.TruncatedNormal(stddev=0.3, seed=3),
        ones.VarianceScaling(scale=1.5, mode="fan_avg", distribution="untruncated_normal", seed=4),
        ones.GlorotNormal(seed=5),
        ones.GlorotUniform(),
        ones.HeNormal(),
        ones.HeUniform(),
        ones.LecunNormal(),
        ones.LecunUniform(),
        ones.Orthogonal(gain=0.8),
        ones.Identity(gain=0.9),
    ]
    x = keras.Input((6,))
    y = layers.Concatenate()([layers.Dense(6, kernel_initializer=kernel)(x) for kernel in kernels])
    return keras.Model(x, layers.Dense(2)(y)), [normal(rng, 6)], [normal(rng, 2)]


@parity_case(
    "mse",
    lambda: optimizers.SGD(
        schedules.PiecewiseConstantDecay([6, 13], [0.05, 0.02, 0.005]),
        momentum=0.9, nesterov=True, weight_decay=0.004, clipvalue=0.3,
    ),
)
def regularized(rng):
    model = keras.Sequential(
        [
            keras.Input((6,)),
            layers.Dense(9, activation="tanh", kernel_regularizer=regularizers.L1(0.01), bias_regularizer="l2"),
            layers.Dense(8, activation="elu", kernel_regularizer=regularizers.L1L2(0.01, 0.02)),
            layers.Dense(8, kernel_regularizer=regularizers.OrthogonalRegularizer(0.02, mode="columns")),
            layers.BatchNormalization(gamma_regularizer=regularizers.L2(0.05), beta_regularizer="l1"),
            layers.Dense(2, kernel_regularizer=regularizers.L2(0.03), trainable=False),
            layers.Dense(2),
        ]
    )
    return model, [normal(rng, 6)], [normal(rng, 2)]


@parity_case("mse", lambda: optimizers.Adam(0.01))
def penalised_activity(rng):
    """A penalty on outputs is divided by the batch."""
    model = keras.Sequential(
        [
            keras.Input((6,)),
            layers.Dense(9, activation="tanh", activity_regularizer=regularizers.L2(0.05)),
            layers.ActivityRegularization(l1=0.02),
            layers.Dense(2, activity_regularizer="l1"),
        ]
    )
    return model, [normal(rng, 6)], [normal(rng, 2)]


@parity_case("mse", lambda: optimizers.Adam(0.02))
def constrained(rng):
    constraints = keras.constraints
    model = keras.Sequential(
        [
            keras.Input((6,)),
            layers.Dense(9, activation="tanh", kernel_constraint=constraints.MaxNorm(0.9), bias_constraint="non_neg"),
            layers.Dense(8, activation="elu", kernel_constraint=constraints.MinMaxNorm(0.4, 0.8, rate=0.7)),
            layers.Dense(2, kernel_constraint=constraints.UnitNorm(axis=1)),
        ]
    )
    return model, [normal(rng, 6)], [normal(rng, 2)]


# Output -> (activation, loss, targets). Every loss is another output of one model.
REGRESSION_LOSSES = {
    "absolute": ("linear", lambda: losses.MeanAbsoluteError(), normal),
    "squared": ("linear", lambda: losses.MeanSquaredError(reduction="sum"), normal),
    "percentage": ("softplus", lambda: losses.MeanAbsolutePercentageError(), lambda rng, n: uniform(rng, n, low=0.5)),
    "logarithmic": ("softplus", lambda: losses.MeanSquaredLogarithmicError(), uniform),
    "huber": ("linear", lambda: losses.Huber(), normal),
    "log_cosh": ("linear", lambda: "log_cosh", normal),
    "poisson": ("exponential", lambda: losses.Poisson(), lambda rng, n: labels(rng, 5, n).astype(np.float32)),
    "cosine": ("linear", lambda: losses.CosineSimilarity(axis=-1), normal),
    "divergence": ("softmax", lambda: losses.KLDivergence(), distribution),
    "hinge": ("linear", lambda: losses.Hinge(), binary),
    "squared_hinge": ("tanh", lambda: "squared_hinge", lambda rng, n: 2 * binary(rng, n) - 1),
    "categorical_hinge": ("linear", lambda: losses.CategoricalHinge(), one_hot),
}
LOSS_WEIGHTS = {name: 0.5 + 0.1 * index for index, name in enumerate(REGRESSION_LOSSES)} | {"percentage": 0.01, "squared": 0.05}


@parity_case(
    lambda: {name: loss() for name, (_, loss, _) in REGRESSION_LOSSES.items()},
    lambda: optimizers.Adadelta(0.5, rho=0.9, epsilon=1e-6, global_clipnorm=2.0),
    metrics=lambda: {
        "absolute": ["mae"],
        "squared": [metrics.MeanSquaredError(), metrics.RootMeanSquaredError()],
        "percentage": [metrics.MeanAbsolutePercentageError()],
        "logarithmic": [metrics.MeanSquaredLogarithmicError()],
        "poisson": [metrics.Poisson()],
        "cosine": [metrics.CosineSimilarity()],
        "divergence": [metrics.KLDivergence()],
        "hinge": [metrics.Hinge()],
        "squared_hinge": [metrics.SquaredHinge()],
        "categorical_hinge": [metrics.CategoricalHinge()],
    },
    loss_weights=LOSS_WEIGHTS,
    learning_rate=0.02,
)
def every_regression_loss(rng):
    x = keras.Input((8,), name="x")
    hidden = layers.Dense(16, activation="tanh")(x)
    heads = {
        name: layers.Dense(3, activation=activation, name=name)(hidden)
        for name, (activation, _, _) in REGRESSION_LOSSES.items()
    }
    targets = [make(rng, 3) for _, _, make in REGRESSION_LOSSES.values()]
    return keras.Model(x, list(heads.values())), [normal(rng, 8)], targets


@parity_case(
    lambda: [
        losses.BinaryCrossentropy(label_smoothing=0.1),
        losses.BinaryCrossentropy(from_logits=True),
        losses.CategoricalCrossentropy(label_smoothing=0.2),
        losses.CategoricalCrossentropy(from_logits=True),
        losses.SparseCategoricalCrossentropy(from_logits=True),
        losses.SparseCategoricalCrossentropy(ignore_class=1),
    ],
    lambda: optimizers.Lion(schedules.CosineDecayRestarts(0.003, first_decay_steps=6, t_mul=1.5, m_mul=0.8, alpha=0.1), weight_decay=0.02),
    metrics=lambda: [
        [metrics.BinaryAccuracy(threshold=0.4), metrics.BinaryCrossentropy()],
        [metrics.BinaryCrossentropy(from_logits=True)],
        ["accuracy", metrics.CategoricalCrossentropy(), metrics.TopKCategoricalAccuracy(k=2)],
        [metrics.CategoricalAccuracy()],
        [metrics.SparseCategoricalAccuracy(), metrics.SparseCategoricalCrossentropy(from_logits=True)],
        ["acc"],
    ],
    loss_weights=[1.0, 0.7, 0.5, 0.3, 1.2, 0.9],
)
def every_crossentropy(rng):
    x = keras.Input((8,))
    hidden = layers.Dense(16, activation="relu")(x)
    heads = [
        layers.Dense(3, activation="sigmoid")(hidden),
        layers.Dense(1)(hidden),
        layers.Dense(4, activation="softmax")(hidden),
        layers.Dense(4)(hidden),
        layers.Dense(5)(hidden),
        layers.Dense(5, activation="softmax")(hidden),
    ]
    targets = [binary(rng, 3), binary(rng, 1), one_hot(rng, 4), one_hot(rng, 4), labels(rng, 5), labels(rng, 5)]
    return keras.Model(x, heads), [normal(rng, 8)], targets


@parity_case(
    "binary_crossentropy",
    lambda: optimizers.Adam(0.01, beta_1=0.8, beta_2=0.95, epsilon=1e-5, amsgrad=True, clipnorm=0.5),
    metrics=lambda: [
        "binary_accuracy",
        metrics.AUC(),
        metrics.AUC(num_thresholds=50, curve="PR", summation_method="minoring", name="pr"),
        metrics.AUC(multi_label=True, num_labels=3, name="each"),
        metrics.Precision(thresholds=[0.3, 0.5]),
        metrics.Recall(class_id=1),
        metrics.F1Score(average="macro", threshold=0.5),
        metrics.TruePositives(),
        metrics.FalseNegatives(thresholds=0.6),
    ],
)
def binary_metrics(rng):
    model = keras.Sequential(
        [
            keras.Input((8,)),
            layers.Dense(10, activation="gelu"),
            layers.Dense(3, activation="sigmoid"),
        ]
    )
    return model, [normal(rng, 8)], [binary(rng, 3)]


@parity_case(
    lambda: losses.CategoricalCrossentropy(),
    lambda: optimizers.AdamW(0.01, weight_decay=0.05, use_ema=True, ema_momentum=0.9, ema_overwrite_frequency=7),
    metrics=lambda: [
        "categorical_accuracy",
        "top_k_categorical_accuracy",
        metrics.Precision(top_k=2),
        metrics.Recall(top_k=1, class_id=2),
        metrics.F1Score(),
        metrics.F1Score(average="weighted", name="weighted"),
        metrics.FBetaScore(beta=2.0, average="micro", name="beta"),
        metrics.OneHotMeanIoU(num_classes=6),
    ],
)
def categorical_metrics(rng):
    model = keras.Sequential(
        [
            keras.Input((8,)),
            layers.Dense(10, activation="swish"),
            layers.Dense(6, activation="softmax"),
        ]
    )
    return model, [normal(rng, 8)], [one_hot(rng, 6)]


@parity_case("mse", lambda: optimizers.Adam(0.01, gradient_accumulation_steps=3), metrics=["mean_absolute_error"])
def accumulated_gradients(rng):
    """The 20 steps end within an accumulation."""
    model = keras.Sequential(
        [keras.Input((6,)), layers.Dense(9, activation="tanh"), layers.BatchNormalization(), layers.Dense(2)]
    )
    return model, [normal(rng, 6)], [normal(rng, 2)]


@parity_case("mse", lambda: optimizers.Adam(0.01), policy="mixed_float16")
def mixed_precision(rng):
    """Saved under mixed_float16: read as float32."""
    model = keras.Sequential(
        [
            keras.Input((6,)),
            layers.Dense(9, activation="relu"),
            layers.LayerNormalization(),
            layers.Dense(4, activation="tanh"),
            layers.Dense(2, dtype="float32"),
        ]
    )
    return model, [normal(rng, 6)], [normal(rng, 2)]
