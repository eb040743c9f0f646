"""A transformer block for text: positions, attention over itself, a residual, a head."""

import keras
import numpy as np
from keras import layers, ops

from _same import report, report_shape, same_weights


class TransformerBlock(layers.Layer):
    def __init__(self, embed_dim, num_heads, ff_dim, rate=0.1):
        super().__init__()
        self.att = layers.MultiHeadAttention(num_heads=num_heads, key_dim=embed_dim)
        self.ffn = keras.Sequential([layers.Dense(ff_dim, activation="relu"),
                                     layers.Dense(embed_dim)])
        self.layernorm1 = layers.LayerNormalization(epsilon=1e-6)
        self.layernorm2 = layers.LayerNormalization(epsilon=1e-6)
        self.dropout1 = layers.Dropout(rate)
        self.dropout2 = layers.Dropout(rate)

    def call(self, inputs):
        attn_output = self.att(inputs, inputs)
        attn_output = self.dropout1(attn_output)
        out1 = self.layernorm1(inputs + attn_output)
        ffn_output = self.ffn(out1)
        ffn_output = self.dropout2(ffn_output)
        return self.layernorm2(out1 + ffn_output)


class TokenAndPositionEmbedding(layers.Layer):
    def __init__(self, maxlen, vocab_size, embed_dim):
        super().__init__()
        self.token_emb = layers.Embedding(input_dim=vocab_size, output_dim=embed_dim)
        self.pos_emb = layers.Embedding(input_dim=maxlen, output_dim=embed_dim)

    def call(self, x):
        maxlen = ops.shape(x)[-1]
        positions = ops.arange(start=0, stop=maxlen, step=1)
        return self.token_emb(x) + self.pos_emb(positions)


maxlen, vocab_size, embed_dim = 16, 60, 8


def make_model(rate):
    inputs = layers.Input(shape=(maxlen,))
    x = TokenAndPositionEmbedding(maxlen, vocab_size, embed_dim)(inputs)
    x = TransformerBlock(embed_dim, num_heads=2, ff_dim=16, rate=rate)(x)
    x = layers.GlobalAveragePooling1D()(x)
    x = layers.Dropout(rate)(x)
    x = layers.Dense(8, activation="relu")(x)
    outputs = layers.Dense(2, activation="softmax")(x)
    model = keras.Model(inputs=inputs, outputs=outputs)
    same_weights(model)
    # SGD, for TensorFlow's other optimizers take the occurrences of a word in a batch one by one.
    model.compile(optimizer=keras.optimizers.SGD(0.05), loss="sparse_categorical_crossentropy",
                  metrics=["accuracy"])
    return model


x = np.random.default_rng(0).integers(0, vocab_size, size=(64, maxlen))
y = (x[:, 0] > 30).astype("int32")
model = make_model(rate=0.0)
report("untrained", model.predict(x[:5], verbose=0))
history = model.fit(x, y, batch_size=32, epochs=3, shuffle=False, validation_data=(x, y), verbose=0)
report("history", history.history)
report("weights", model.get_weights())
report_shape("with_dropout", make_model(0.1).fit(x, y, epochs=1, verbose=0).history["loss"])

attention = layers.MultiHeadAttention(num_heads=2, key_dim=4)
query = np.sin(np.arange(2 * 5 * 6)).reshape(2, 5, 6).astype("float32")
attention(query, query)
same_weights(attention)
output, scores = attention(query, query, use_causal_mask=True, return_attention_scores=True)
report("causal", output)
report("scores", scores)
