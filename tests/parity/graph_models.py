"""How layers are put together: shared, nested, frozen, with many inputs and outputs, with keras.ops between."""

import keras
from keras import layers, losses, metrics, ops, optimizers
from keras.optimizers import schedules

from case import binary, labels, normal, parity_case

OPERATIONS = "Keras does not find the classes of keras.ops when it reads an .h5 file"


@parity_case(
    "mse",
    lambda: optimizers.Adam(schedules.CosineDecay(0.002, decay_steps=12, alpha=0.1, warmup_target=0.02, warmup_steps=5)),
)
def every_merge(rng):
    a, b, c = (keras.Input((4, 5), name=name) for name in "abc")
    merged = [
        layers.Add()([a, b, c]),
        layers.Subtract()([a, b]),
        layers.Multiply()([a, b, c]),
        layers.Average()([a, b, c]),
        layers.Maximum()([a, b]),
        layers.Minimum()([b, c]),
        layers.Add()([a, layers.Dense(5)(b)]),
    ]
    stacked = layers.Concatenate(axis=1)([layers.Dense(5)(m) for m in merged])
    similarity = layers.Dot(axes=(1, 1))([layers.Dense(3)(a), b])
    cosine = layers.Dot(axes=2, normalize=True)([a, layers.Dense(5)(c)])
    y = layers.Concatenate()([layers.Flatten()(t) for t in (stacked, similarity, cosine)])
    return keras.Model([a, b, c], layers.Dense(2)(y)), [normal(rng, 4, 5) for _ in range(3)], [normal(rng, 2)]


@parity_case("binary_crossentropy", lambda: optimizers.Adam(0.01), metrics=["accuracy", "AUC"], no_legacy=OPERATIONS)
def siamese(rng):
    left, right = keras.Input((6,), name="left"), keras.Input((6,), name="right")
    tower = keras.Sequential([layers.Dense(8, activation="relu"), layers.Dense(5)], name="tower")
    apart = ops.abs(tower(left) - tower(right))
    y = layers.Dense(1, activation="sigmoid")(apart)
    return keras.Model([left, right], y), [normal(rng, 6), normal(rng, 6)], [binary(rng, 1)]


@parity_case("binary_crossentropy", lambda: optimizers.Lion(0.002, beta_1=0.85), metrics=["accuracy"])
def wide_and_deep(rng):
    user, item = keras.Input((1,), dtype="int32", name="user"), keras.Input((1,), dtype="int32", name="item")
    numbers = keras.Input((7,), name="numbers")
    u = layers.Flatten()(layers.Embedding(9, 4, embeddings_initializer="he_normal")(user))
    i = layers.Flatten()(layers.Embedding(11, 4, name="items")(item))
    deep = layers.Dense(12, activation="relu")(layers.Concatenate()([u, i, numbers]))
    wide = layers.Dot(axes=1)([u, i])
    y = layers.Dense(1, activation="sigmoid")(layers.Concatenate()([wide, deep, numbers]))
    inputs = [labels(rng, 9, 1), labels(rng, 11, 1), normal(rng, 7)]
    return keras.Model([user, item, numbers], y), inputs, [binary(rng, 1)]


@parity_case(
    {"price": "mae", "kind": "sparse_categorical_crossentropy", "rebuilt": "mse"},
    lambda: optimizers.RMSprop(0.005),
    metrics={"price": ["mse"], "kind": ["accuracy"]},
    loss_weights={"price": 0.5, "kind": 2.0, "rebuilt": 1.0},
)
def many_outputs(rng):
    picture, facts = keras.Input((6, 6, 2), name="picture"), keras.Input((5,), name="facts")
    seen = layers.GlobalAveragePooling2D()(layers.Conv2D(6, 3, activation="relu")(picture))
    both = layers.Concatenate()([seen, facts])
    hidden = layers.Dense(10, activation="tanh")(both)
    outputs = [
        layers.Dense(1, name="price")(hidden),
        layers.Dense(3, activation="softmax", name="kind")(hidden),
        layers.Dense(5, name="rebuilt")(hidden),
    ]
    facts_data = normal(rng, 5)
    targets = [normal(rng, 1), labels(rng, 3), facts_data]
    return keras.Model([picture, facts], outputs), [normal(rng, 6, 6, 2), facts_data], targets


@parity_case(
    lambda: {"score": losses.BinaryCrossentropy(), "size": losses.Huber()},
    lambda: optimizers.Adam(0.01, weight_decay=0.01),
    metrics=lambda: {"score": [metrics.BinaryAccuracy()], "size": ["mae"]},
)
def named_structures(rng):
    """Inputs and outputs are dictionaries."""
    first, second = keras.Input((4,), name="first"), keras.Input((3,), name="second")
    hidden = layers.Dense(6, activation="relu")(layers.Concatenate()([second, first]))
    outputs = {"score": layers.Dense(1, activation="sigmoid", name="score")(hidden), "size": layers.Dense(2, name="size")(hidden)}
    model = keras.Model({"first": first, "second": second}, outputs)
    return model, [normal(rng, 4), normal(rng, 3)], [binary(rng, 1), normal(rng, 2)]


@parity_case("mse", lambda: optimizers.AdamW(0.005, use_ema=True, ema_momentum=0.8))
def autoencoder(rng):
    """A functional encoder and a Sequential decoder inside a functional model."""
    x = keras.Input((10,), name="code_in")
    encoder = keras.Model(x, layers.Dense(3, name="code")(layers.Dense(8, activation="relu")(x)), name="encoder")
    decoder = keras.Sequential([keras.Input((3,)), layers.Dense(8, activation="relu"), layers.Dense(10)], name="decoder")
    outside = keras.Input((10,))
    data = normal(rng, 10)
    return keras.Model(outside, decoder(encoder(outside))), [data], [data]


@parity_case("mae", lambda: optimizers.Adam(0.01))
def nested_twice(rng):
    """A model with two inputs and two outputs is called twice inside another, which is inside a third."""
    a, b = keras.Input((4,), name="a"), keras.Input((4,), name="b")
    mixed = layers.Dense(4, activation="tanh")(layers.Add()([a, b]))
    pair = keras.Model([a, b], [mixed, layers.Multiply()([mixed, a])], name="pair")
    x = keras.Input((4,), name="x")
    one, two = pair([x, layers.Dense(4, activation="relu")(x)])
    three, four = pair([two, one])
    middle = keras.Model(x, layers.Concatenate()([three, four, one]), name="middle")
    outside = keras.Input((4,), name="outside")
    y = layers.Dense(2)(middle(layers.Dense(4)(outside)))
    return keras.Model(outside, y), [normal(rng, 4)], [normal(rng, 2)]


@parity_case("mse", lambda: optimizers.SGD(0.03, momentum=0.8))
def sequential_in_sequential(rng):
    """Built by its first input's shape alone; the inner one has no Input either."""
    inner = keras.Sequential([layers.Dense(7, activation="relu"), layers.BatchNormalization()])
    model = keras.Sequential([inner, layers.Reshape((7, 1)), layers.Flatten(), layers.Dense(2)])
    model.build((None, 5))
    return model, [normal(rng, 5)], [normal(rng, 2)]


@parity_case("mse", lambda: optimizers.Adam(0.01), no_legacy=OPERATIONS)
def shared_layers(rng):
    """A(B(A(B(x)))), and a layer that sees two shapes of steps."""
    x = keras.Input((6, 5))
    one, two = layers.Dense(5, activation="tanh", name="one"), layers.Dense(5, activation="elu", name="two")
    y = one(two(one(two(x))))
    head = layers.Dense(3, name="head")
    y = layers.Concatenate(axis=1)([head(y), head(x[:, 1:4])])
    return keras.Model(x, layers.Flatten()(y)), [normal(rng, 6, 5)], [normal(rng, 27)]


@parity_case("sparse_categorical_crossentropy", lambda: optimizers.Adam(schedules.ExponentialDecay(0.01, 5, 0.8)), metrics=["accuracy"])
def frozen(rng):
    """Frozen layers, a frozen BatchNormalization, a frozen model, and a frozen layer in a model that is not."""
    base = keras.Sequential([keras.Input((6,)), layers.Dense(8, activation="elu"), layers.BatchNormalization()], name="base")
    base.trainable = False
    half = keras.Sequential(
        [layers.Dense(8, activation="elu", trainable=False), layers.BatchNormalization(trainable=False), layers.Dense(7, use_bias=False)], name="half"
    )
    x = keras.Input((6,))
    y = layers.BatchNormalization()(half(base(x)))
    return keras.Model(x, layers.Dense(3, activation="softmax")(y)), [normal(rng, 6)], [labels(rng, 3)]


@parity_case("mse", lambda: optimizers.Adam(0.01))
def fine_tuning(rng):
    """A frozen base that is called with `training=False`. Keras forgets the latter while it trains: what is not frozen
    as well would be trained."""
    base = keras.Sequential(
        [keras.Input((8, 8, 2)), layers.Conv2D(4, 3, use_bias=False), layers.BatchNormalization(), layers.ReLU()], name="base"
    )
    base.trainable = False
    x = keras.Input((8, 8, 2))
    y = layers.Dropout(0.0)(base(x, training=False), training=True)
    y = layers.Dense(2)(layers.GlobalAveragePooling2D()(y))
    return keras.Model(x, y), [normal(rng, 8, 8, 2)], [normal(rng, 2)]


@parity_case("mse", lambda: optimizers.Adam(0.005), learning_rate=0.002, no_legacy=OPERATIONS)
def operators(rng):
    x = keras.Input((4, 6), name="x")
    h = layers.Dense(6)(x)
    y = (h + 3.0) * 0.5 - x / 2.0
    y = 1.0 - y
    y = -y + h**2 + abs(x)
    y = y @ ops.transpose(h, (0, 2, 1))
    y = layers.Concatenate()([y, h[:, ::-1, 1:4], y[:, :, -1:], h[..., :2]])
    return keras.Model(x, layers.Dense(2)(layers.Flatten()(y))), [normal(rng, 4, 6)], [normal(rng, 2)]


@parity_case("mse", lambda: optimizers.Adam(0.005), learning_rate=0.002, no_legacy=OPERATIONS)
def keras_ops(rng):
    x = keras.Input((4, 6), name="x")
    h = layers.Dense(6, activation="tanh")(x)
    parts = ops.split(h, 3, axis=-1)
    pieces = [
        ops.mean(h, axis=1),
        ops.sum(h, axis=(1,), keepdims=False),
        ops.max(h, axis=-1),
        ops.min(h, axis=1),
        ops.prod(h[:, :2], axis=1),
        ops.std(h, axis=1),
        ops.var(h, axis=-1),
        ops.reshape(h, (-1, 24)),
        ops.squeeze(ops.expand_dims(ops.mean(h, axis=-1), 1), 1),
        ops.reshape(ops.concatenate([parts[0], parts[2]], axis=-1), (-1, 16)),
        ops.reshape(ops.stack([parts[0], parts[1]], axis=1), (-1, 16)),
        ops.mean(ops.exp(h), axis=1),
        ops.mean(ops.log(ops.square(h) + 1.0), axis=1),
        ops.mean(ops.sqrt(ops.abs(h) + 0.1), axis=1),
        ops.mean(ops.rsqrt(ops.abs(h) + 0.5), axis=1),
        ops.mean(ops.maximum(h, 0.1) + ops.minimum(h, x), axis=1),
        ops.mean(ops.clip(h, -0.5, 0.4), axis=1),
        ops.mean(ops.where(h > 0, h, 0.2 * x), axis=1),
        ops.mean(ops.matmul(h, ops.swapaxes(h, 1, 2)), axis=1),
        ops.mean(ops.einsum("bij,bkj->bik", h, x), axis=1),
        ops.mean(ops.softmax(h), axis=1),
        ops.mean(ops.relu(h) + ops.sigmoid(h) + ops.gelu(h) + ops.silu(h) + ops.tanh(h), axis=1),
        ops.mean(ops.sin(h) * ops.cos(h), axis=1),
        ops.mean(ops.power(ops.abs(h) + 0.5, 1.5), axis=1),
        ops.mean(ops.pad(h, ((0, 0), (1, 0), (0, 0))), axis=1),
        ops.mean(ops.tile(h, (1, 2, 1)) + ops.repeat(h, 2, axis=1), axis=1),
        ops.mean(ops.flip(h, axis=1) + ops.roll(h, 1, axis=1), axis=2),
        ops.mean(ops.take(h, [0, 2, 2], axis=1), axis=1),
        ops.cast(ops.argmax(h, axis=1), "float32"),
        ops.norm(h, axis=1),
        ops.normalize(ops.mean(h, axis=1)),
        ops.logsumexp(h, axis=1),
        ops.mean(ops.cumsum(h, axis=1), axis=2),
        ops.mean(ops.one_hot(ops.argmax(h, axis=-1), 6), axis=1),
        ops.mean(ops.moveaxis(h, 1, 2), axis=1),
        ops.zeros_like(ops.mean(x, axis=1)) + ops.ones_like(ops.mean(x, axis=1)),
    ]
    y = layers.Dense(2)(layers.Concatenate()(pieces))
    return keras.Model(x, y), [normal(rng, 4, 6)], [normal(rng, 2)]


@parity_case("mse", lambda: optimizers.Adam(0.01))
def reshaping(rng):
    x = keras.Input((12,))
    h = layers.Dense(12, activation="relu")(x)
    grid = layers.Reshape((3, -1))(h)
    turned = layers.Permute((2, 1))(grid)
    repeated = layers.RepeatVector(4)(layers.Flatten()(turned))
    mixed = layers.Concatenate(axis=-1)([turned, repeated])
    return keras.Model(x, layers.Dense(2)(layers.Flatten()(mixed))), [normal(rng, 12)], [normal(rng, 2)]


@parity_case("mse", lambda: optimizers.Adam(0.01))
def batch_normalizations(rng):
    x = keras.Input((4, 6))
    y = layers.BatchNormalization(axis=1, momentum=0.7, epsilon=0.01)(x)
    y = layers.Dense(6, activation="tanh")(y)
    y = layers.BatchNormalization(center=False)(y)
    y = layers.BatchNormalization(scale=False, moving_mean_initializer="ones")(y)
    return keras.Model(x, layers.Dense(2)(layers.Flatten()(y))), [normal(rng, 4, 6)], [normal(rng, 2)]
