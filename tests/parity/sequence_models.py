"""Models of sequences: convolutions in time, recurrent layers, attention, masks."""

import keras
import numpy as np
from keras import layers, losses, ops, optimizers
from keras.optimizers import schedules

from case import BATCH, binary, labels, normal, parity_case, tokens


@parity_case("sparse_categorical_crossentropy", lambda: optimizers.Adam(0.005), metrics=["accuracy"], jit_compile=True)
def text_convolution(rng):
    model = keras.Sequential(
        [
            keras.Input((16,), dtype="int32"),
            layers.Embedding(20, 6, embeddings_regularizer="l2"),
            layers.SpatialDropout1D(0.0),
            layers.Conv1D(8, 3, padding="causal", dilation_rate=2, activation="relu"),
            layers.MaxPooling1D(2),
            layers.Conv1D(8, 3, padding="same", groups=2),
            layers.AveragePooling1D(3, strides=1, padding="same"),
            layers.Conv1D(6, 3, strides=2, activation="relu"),
            layers.GlobalMaxPooling1D(),
            layers.Dense(3, activation="softmax"),
        ]
    )
    return model, [tokens(rng, 20, 16)], [labels(rng, 3)]


@parity_case("mse", lambda: optimizers.Adam(0.005))
def pooling_in_time(rng):
    x = keras.Input((9, 4))
    h = layers.Conv1D(5, 2)(x)
    y = [
        layers.MaxPooling1D(3, strides=2, padding="same")(h),
        layers.AveragePooling1D(2)(h),
        layers.GlobalMaxPooling1D(keepdims=True)(h),
        layers.GlobalAveragePooling1D(keepdims=True)(h),
    ]
    y = [layers.Flatten()(t) for t in y] + [layers.GlobalAveragePooling1D()(h)]
    return keras.Model(x, layers.Dense(2)(layers.Concatenate()(y))), [normal(rng, 9, 4)], [normal(rng, 2)]


@parity_case("binary_crossentropy", lambda: optimizers.Adam(0.01), metrics=["accuracy"])
def masked_lstm(rng):
    model = keras.Sequential(
        [
            keras.Input((9,), dtype="int32"),
            layers.Embedding(20, 6, mask_zero=True),
            layers.LSTM(8),
            layers.Dense(1, activation="sigmoid"),
        ]
    )
    return model, [tokens(rng, 20, 9)], [binary(rng, 1)]


@parity_case("sparse_categorical_crossentropy", lambda: optimizers.Adam(0.01), metrics=["accuracy"])
def masked_tagger(rng):
    """The mask reaches the loss and the metrics of every step."""
    x = keras.Input((7,), dtype="int32")
    y = layers.Embedding(20, 6, mask_zero=True)(x)
    y = layers.GRU(8, return_sequences=True)(y)
    y = layers.TimeDistributed(layers.Dense(6, activation="relu"))(y)
    y = layers.Dropout(0.0)(y)
    y = layers.Dense(4, activation="softmax")(y)
    return keras.Model(x, y), [tokens(rng, 20, 7)], [labels(rng, 4, 7)]


def some_steps_zero(rng, steps, features):
    x = normal(rng, steps, features)
    x[rng.uniform(size=x.shape[:2]) < 0.3] = 0
    x[:, 0] = 1
    return x


@parity_case("mse", lambda: optimizers.Adam(0.01), metrics=["mae"])
def masked_numbers(rng):
    """Steps in the middle are masked too: states stay as they are."""
    x = keras.Input((6, 3))
    masked = layers.Masking(mask_value=0.0)(x)
    y = layers.LSTM(5, return_sequences=True)(masked)
    y = layers.SimpleRNN(4, return_sequences=True)(y)
    y = layers.LayerNormalization()(y)
    y = layers.Bidirectional(layers.GRU(4, return_sequences=True))(y)
    y = layers.BatchNormalization()(y)
    y = layers.TimeDistributed(layers.Dense(2))(y)
    return keras.Model(x, y), [some_steps_zero(rng, 6, 3)], [normal(rng, 6, 2)]


@parity_case("mse", lambda: optimizers.Adam(0.01, clipnorm=1.0))
def lstm_options(rng):
    x = keras.Input((6, 4))
    y = layers.LSTM(5, return_sequences=True, activation="relu", recurrent_activation="hard_sigmoid", unit_forget_bias=False)(x)
    y = layers.LSTM(6, return_sequences=True, go_backwards=True, use_bias=False, recurrent_initializer="glorot_uniform")(y)
    y = layers.LSTM(4, unroll=True, kernel_regularizer="l2", recurrent_regularizer="l1", bias_regularizer="l2")(y)
    return keras.Model(x, layers.Dense(2)(y)), [normal(rng, 6, 4)], [normal(rng, 2)]


@parity_case("mse", lambda: optimizers.Nadam(0.005))
def gru_options(rng):
    x = keras.Input((6, 4))
    y = layers.GRU(5, return_sequences=True, reset_after=False)(x)
    y = layers.GRU(6, return_sequences=True, go_backwards=True, activation="elu", recurrent_activation="hard_sigmoid")(y)
    y = layers.GRU(4, use_bias=False, reset_after=False, unroll=True)(y)
    return keras.Model(x, layers.Dense(2)(y)), [normal(rng, 6, 4)], [normal(rng, 2)]


@parity_case("mse", lambda: optimizers.RMSprop(0.005, momentum=0.3))
def simple_rnn_options(rng):
    x = keras.Input((None, 4))
    y = layers.SimpleRNN(5, return_sequences=True, activation="relu")(x)
    y = layers.SimpleRNN(5, return_sequences=True, go_backwards=True, use_bias=False)(y)
    y, state = layers.SimpleRNN(4, return_state=True, recurrent_initializer="identity")(y)
    return keras.Model(x, layers.Dense(2)(layers.Add()([y, state]))), [normal(rng, 6, 4)], [normal(rng, 2)]


@parity_case("mse", lambda: optimizers.Adam(0.005))
def bidirectional(rng):
    x = keras.Input((5, 4))
    y = layers.Bidirectional(layers.LSTM(4, return_sequences=True))(x)
    y = layers.Bidirectional(layers.GRU(5, return_sequences=True), merge_mode="sum")(y)
    y = layers.Bidirectional(layers.SimpleRNN(4, return_sequences=True), merge_mode="mul")(y)
    y = layers.Bidirectional(layers.LSTM(3, return_sequences=True), merge_mode="ave")(y)
    there = layers.GRU(3, name="there")
    back = layers.LSTM(3, go_backwards=True, name="back")
    one, two = layers.Bidirectional(there, backward_layer=back, merge_mode=None)(y)
    *states, last = layers.Bidirectional(layers.LSTM(2, return_state=True))(y)[::-1]
    y = layers.Concatenate()([one, two, last, *states])
    return keras.Model(x, layers.Dense(2)(y)), [normal(rng, 5, 4)], [normal(rng, 2)]


@parity_case(
    lambda: losses.SparseCategoricalCrossentropy(from_logits=True), lambda: optimizers.Adam(0.01), metrics=["accuracy"]
)
def sequence_to_sequence(rng):
    """An encoder's states are where the decoder begins; both mask their padding."""
    source, target = keras.Input((7,), dtype="int32", name="source"), keras.Input((6,), dtype="int32", name="target")
    embedding = layers.Embedding(18, 5, mask_zero=True)
    _, h, c = layers.LSTM(6, return_state=True, name="encoder")(embedding(source))
    y = layers.LSTM(6, return_sequences=True, name="decoder")(embedding(target), initial_state=[h, c])
    _, state = layers.GRU(6, return_state=True, name="second_encoder")(embedding(source))
    z = layers.GRU(6, return_sequences=True, name="second_decoder")(embedding(target), initial_state=state)
    y = layers.Dense(8)(layers.Concatenate()([y, z]))
    return keras.Model([source, target], y), [tokens(rng, 18, 7), tokens(rng, 18, 6)], [labels(rng, 8, 6)]


@parity_case("mse", lambda: optimizers.Adam(0.01))
def stateful(rng):
    """A batch begins with the states that the one before it left."""
    x = keras.Input(batch_shape=(BATCH, 5, 3))
    y = layers.LSTM(4, return_sequences=True, stateful=True)(x)
    y = layers.GRU(4, stateful=True)(y)
    return keras.Model(x, layers.Dense(2)(y)), [normal(rng, 5, 3)], [normal(rng, 2)]


@parity_case("sparse_categorical_crossentropy", lambda: optimizers.Adam(0.01))
def video(rng):
    model = keras.Sequential(
        [
            keras.Input((4, 6, 6, 2)),
            layers.TimeDistributed(layers.Conv2D(4, 3, activation="relu")),
            layers.TimeDistributed(layers.BatchNormalization()),
            layers.TimeDistributed(layers.MaxPooling2D()),
            layers.TimeDistributed(layers.Flatten()),
            layers.LSTM(6),
            layers.Dense(3, activation="softmax"),
        ]
    )
    return model, [normal(rng, 4, 6, 6, 2)], [labels(rng, 3)]


SHIFT = "the softmax over keys does not see what is added to all of them"


def encoder_block(x, heads, width):
    attended = layers.MultiHeadAttention(heads, width // heads, dropout=0.0)(x, x)
    x = layers.LayerNormalization(epsilon=1e-6)(layers.Add()([x, layers.Dropout(0.0)(attended)]))
    forward = layers.Dense(width)(layers.Dense(2 * width, activation="gelu")(x))
    return layers.LayerNormalization(epsilon=1e-6)(layers.Add()([x, forward]))


@parity_case(
    "sparse_categorical_crossentropy",
    lambda: optimizers.AdamW(schedules.CosineDecay(0.005, 30, warmup_target=0.01, warmup_steps=4), weight_decay=0.01),
    metrics=["accuracy"],
    zero_gradients={"key_dense/vars/1": SHIFT},
)
def transformer_encoder(rng):
    """A sum keeps a mask where all its parts have one. Keras takes it off what was attended to, so it ends there."""
    words, places = keras.Input((8,), dtype="int32", name="words"), keras.Input((8,), dtype="int32", name="places")
    x = layers.Add()([layers.Embedding(20, 8, mask_zero=True)(words), layers.Embedding(9, 8, mask_zero=True)(places)])
    x = encoder_block(x, 2, 8)
    x = encoder_block(x, 4, 8)
    y = layers.Dense(3, activation="softmax")(layers.GlobalAveragePooling1D()(x))
    sentences = tokens(rng, 20, 8)
    positions = np.where(sentences > 0, np.arange(1, 9), 0).astype(np.int32)
    return keras.Model([words, places], y), [sentences, positions], [labels(rng, 3)]


@parity_case("sparse_categorical_crossentropy", lambda: optimizers.Adam(0.01), metrics=["accuracy"], zero_gradients={"key_dense/vars/1": SHIFT})
def masked_pooling(rng):
    """The mask goes through attention, layers that keep it, a sum and a concatenation to the mean over what counts."""
    words = keras.Input((8,), dtype="int32")
    x = layers.Embedding(20, 6, mask_zero=True)(words)
    attended = layers.MultiHeadAttention(2, 3)(layers.LayerNormalization()(x), layers.Activation("tanh")(x))
    y = layers.Dense(6, activation="elu")(attended)
    y = layers.Concatenate()([layers.Add()([y, x]), layers.Multiply()([x, y])])
    y = layers.GlobalAveragePooling1D()(layers.SpatialDropout1D(0.0)(y))
    return keras.Model(words, layers.Dense(3, activation="softmax")(y)), [tokens(rng, 20, 8)], [labels(rng, 3)]


@parity_case(
    lambda: losses.SparseCategoricalCrossentropy(from_logits=True),
    lambda: optimizers.Adam(0.005),
    metrics=["sparse_categorical_accuracy"],
    zero_gradients={"key_dense/vars/1": SHIFT},
)
def transformer_decoder(rng):
    """Causal self-attention and attention to another sequence, whose padding is masked."""
    source, target = keras.Input((6,), dtype="int32", name="source"), keras.Input((7,), dtype="int32", name="target")
    memory = layers.Embedding(20, 8, mask_zero=True)(source)
    x = layers.Embedding(20, 8, mask_zero=True)(target)
    x = layers.LayerNormalization()(layers.Add()([x, layers.MultiHeadAttention(2, 4)(x, x, use_causal_mask=True)]))
    x = layers.LayerNormalization()(layers.Add()([x, layers.MultiHeadAttention(2, 3, value_dim=5)(x, memory, memory)]))
    y = layers.Dense(9)(x)
    return keras.Model([source, target], y), [tokens(rng, 20, 6), tokens(rng, 20, 7)], [labels(rng, 9, 7)]


@parity_case("mse", lambda: optimizers.Adam(0.005), zero_gradients={"key_dense/vars/1": SHIFT})
def attention_options(rng):
    query, value, mask = keras.Input((5, 6), name="query"), keras.Input((4, 3), name="value"), keras.Input((5, 4), dtype="bool", name="allowed")
    y = layers.MultiHeadAttention(2, 4, output_shape=7)(query, value, attention_mask=mask)
    z, scores = layers.MultiHeadAttention(3, 2, use_bias=False)(query, query, return_attention_scores=True)
    grid = layers.Reshape((5, 2, 3))(query)
    w = layers.MultiHeadAttention(2, 3, attention_axes=(1, 2))(grid, grid)
    y = layers.Concatenate()([layers.Flatten()(t) for t in (y, z, scores, w)])
    allowed = rng.uniform(size=(len(normal(rng, 1)), 5, 4)) < 0.7
    allowed[:, :, 0] = True
    return keras.Model([query, value, mask], layers.Dense(2)(y)), [normal(rng, 5, 6), normal(rng, 4, 3), allowed], [normal(rng, 2)]


@parity_case("sparse_categorical_crossentropy", lambda: optimizers.Adam(0.003), zero_gradients={"key_dense/vars/1": SHIFT})
def vision_transformer(rng):
    picture = keras.Input((8, 8, 3))
    x = layers.Rescaling(1 / 255)(picture)
    x = layers.Conv2D(8, 2, strides=2, padding="valid")(x)
    x = layers.Reshape((16, 8))(x)
    x = encoder_block(x, 2, 8)
    y = layers.Dense(3, activation="softmax")(ops.mean(x, axis=1))
    return keras.Model(picture, y), [255 * np.abs(normal(rng, 8, 8, 3, scale=0.4))], [labels(rng, 3)]
