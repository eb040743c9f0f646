"""A small transformer classifier with positional embeddings and own attention, tokenised with StringLookup."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers, ops

from _same import report, same_weights


class TransformerBlock(layers.Layer):
    def __init__(self, embed_dim, num_heads, ff_dim, rate=0.0):
        super().__init__()
        self.att = layers.MultiHeadAttention(num_heads=num_heads, key_dim=embed_dim)
        self.ffn = keras.Sequential([layers.Dense(ff_dim, activation="gelu"), layers.Dense(embed_dim)])
        self.layernorm1 = layers.LayerNormalization(epsilon=1e-6)
        self.layernorm2 = layers.LayerNormalization(epsilon=1e-6)
        self.dropout1 = layers.Dropout(rate)
        self.dropout2 = layers.Dropout(rate)

    def call(self, inputs, training=None, mask=None):
        attn_output = self.att(inputs, inputs)
        attn_output = self.dropout1(attn_output, training=training)
        out1 = self.layernorm1(inputs + attn_output)
        ffn_output = self.ffn(out1)
        ffn_output = self.dropout2(ffn_output, training=training)
        return self.layernorm2(out1 + ffn_output)


class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, maxlen, vocab_size, embed_dim):
        super().__init__()
        self.token_emb = layers.Embedding(input_dim=vocab_size, output_dim=embed_dim)
        self.pos_emb = layers.Embedding(input_dim=maxlen, output_dim=embed_dim)

    def call(self, x):
        maxlen = ops.shape(x)[-1]
        positions = ops.arange(start=0, stop=maxlen, step=1)
        positions = self.pos_emb(positions)
        x = self.token_emb(x)
        return x + positions


rng = np.random.default_rng(0)
words = ["the", "cat", "sat", "on", "mat", "dog", "ran", "far", "away", "home"]
sentences = [" ".join(rng.choice(words, rng.integers(3, 8))) for _ in range(40)]
labels = np.array([int("cat" in s) for s in sentences])
lookup = layers.StringLookup(vocabulary=words[:8], num_oov_indices=1, mask_token="")
tokens = [lookup(np.array(s.split())).numpy() for s in sentences]
report("tokens", tokens[0])
padded = keras.utils.pad_sequences(tokens, maxlen=10, padding="post", truncating="post")
report("padded", padded[:2])
inverse = layers.StringLookup(vocabulary=lookup.get_vocabulary(), invert=True, mask_token="")
report("words", [w.decode() for w in inverse(tokens[1][:3]).numpy()])

inputs = layers.Input(shape=(10,))
x = TokenAndPositionEmbedding(10, 12, 8)(inputs)
x = TransformerBlock(8, 2, 16)(x)
x = layers.GlobalAveragePooling1D()(x)
x = layers.Dense(8, activation="relu")(x)
outputs = layers.Dense(2, activation="softmax")(x)
model = same_weights(keras.Model(inputs=inputs, outputs=outputs))
model.compile(optimizer=keras.optimizers.SGD(0.1), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
history = model.fit(padded, labels, batch_size=10, epochs=3, shuffle=False, validation_split=0.25, verbose=0)
report("history", history.history, atol=1e-3)
report("parameters", model.count_params())


class Attention(layers.Layer):
    """Bahdanau's attention, as in forum answers."""

    def __init__(self, **kwargs):
        super(Attention, self).__init__(**kwargs)

    def build(self, input_shape):
        self.W = self.add_weight(name="att_weight", shape=(input_shape[-1], 1), initializer="normal")
        self.b = self.add_weight(name="att_bias", shape=(input_shape[1], 1), initializer="zeros")
        super(Attention, self).build(input_shape)

    def call(self, x):
        et = keras.backend.squeeze(keras.backend.tanh(keras.backend.dot(x, self.W) + self.b), axis=-1)
        at = keras.backend.softmax(et)
        at = keras.backend.expand_dims(at, axis=-1)
        return keras.backend.sum(x * at, axis=1)


inputs = layers.Input((10,))
x = layers.Embedding(12, 6)(inputs)
x = layers.Bidirectional(layers.GRU(4, return_sequences=True), merge_mode="concat")(x)
x = Attention()(x)
model = same_weights(keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x)))
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
report("bahdanau", model.fit(padded, labels, batch_size=10, epochs=2, shuffle=False, verbose=0).history, atol=1e-3)


def scaled_dot_product_attention(q, k, v, mask):
    matmul_qk = tf.matmul(q, k, transpose_b=True)
    dk = tf.cast(tf.shape(k)[-1], tf.float32)
    scaled_attention_logits = matmul_qk / tf.math.sqrt(dk)
    if mask is not None:
        scaled_attention_logits += (mask * -1e9)
    attention_weights = tf.nn.softmax(scaled_attention_logits, axis=-1)
    return tf.matmul(attention_weights, v), attention_weights


def create_padding_mask(seq):
    seq = tf.cast(tf.math.equal(seq, 0), tf.float32)
    return seq[:, tf.newaxis, tf.newaxis, :]


def create_look_ahead_mask(size):
    return 1 - tf.linalg.band_part(tf.ones((size, size)), -1, 0)


def positional_encoding(position, d_model):
    angle_rates = 1 / np.power(10000, (2 * (np.arange(d_model)[np.newaxis, :] // 2)) / np.float32(d_model))
    angle_rads = np.arange(position)[:, np.newaxis] * angle_rates
    angle_rads[:, 0::2] = np.sin(angle_rads[:, 0::2])
    angle_rads[:, 1::2] = np.cos(angle_rads[:, 1::2])
    return tf.cast(angle_rads[np.newaxis, ...], dtype=tf.float32)


report("padding_mask", create_padding_mask(padded[:2])[:, 0, 0])
report("look_ahead", create_look_ahead_mask(4))
report("encoding", positional_encoding(6, 4))
q = tf.constant(rng.normal(size=(2, 3, 4)), tf.float32)
out, attention = scaled_dot_product_attention(q, q, q, create_look_ahead_mask(3))
report("out", out)
report("attention", tf.reduce_sum(attention, axis=-1))
mha = layers.MultiHeadAttention(num_heads=2, key_dim=4)
out, scores = mha(q, q, return_attention_scores=True, use_causal_mask=True)
report("scores", np.array(scores.shape))
report("causal", float(tf.reduce_sum(scores[:, :, 0, 1:])))
dot = layers.Attention(use_scale=False)
report("dot", dot([q, q]))
additive = layers.AdditiveAttention(use_scale=False)
report("additive", additive([q, q], mask=[None, tf.constant([[True, True, False], [True, True, True]])]))
text = " ".join("%s:%d" % pair for pair in zip(words[:2], tokens[0][:2]))
report("text", len(text) > 0)
