"""A small Transformer written by hand: attention, masks, a warm-up schedule, a masked loss."""

import numpy as np
import tensorflow as tf

from _same import report, same_weights


def positional_encoding(length, depth):
    depth = depth / 2
    positions = np.arange(length)[:, np.newaxis]
    depths = np.arange(depth)[np.newaxis, :] / depth
    angle_rads = positions * (1 / (10000**depths))
    return tf.cast(np.concatenate([np.sin(angle_rads), np.cos(angle_rads)], axis=-1), tf.float32)


def create_padding_mask(seq):
    seq = tf.cast(tf.math.equal(seq, 0), tf.float32)
    return seq[:, tf.newaxis, tf.newaxis, :]


def create_look_ahead_mask(size):
    return 1 - tf.linalg.band_part(tf.ones((size, size)), -1, 0)


def scaled_dot_product_attention(q, k, v, mask):
    matmul_qk = tf.matmul(q, k, transpose_b=True)
    dk = tf.cast(tf.shape(k)[-1], tf.float32)
    logits = matmul_qk / tf.math.sqrt(dk)
    if mask is not None:
        logits += mask * -1e9
    weights = tf.nn.softmax(logits, axis=-1)
    return tf.matmul(weights, v), weights


class MultiHead(tf.keras.layers.Layer):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_model = num_heads, d_model
        self.depth = d_model // num_heads
        self.wq, self.wk, self.wv, self.dense = (tf.keras.layers.Dense(d_model) for _ in range(4))

    def split_heads(self, x, batch_size):
        x = tf.reshape(x, (batch_size, -1, self.num_heads, self.depth))
        return tf.transpose(x, perm=[0, 2, 1, 3])

    def call(self, v, k, q, mask=None):
        batch_size = tf.shape(q)[0]
        q = self.split_heads(self.wq(q), batch_size)
        k = self.split_heads(self.wk(k), batch_size)
        v = self.split_heads(self.wv(v), batch_size)
        attention, _ = scaled_dot_product_attention(q, k, v, mask)
        attention = tf.transpose(attention, perm=[0, 2, 1, 3])
        return self.dense(tf.reshape(attention, (batch_size, -1, self.d_model)))


class Block(tf.keras.layers.Layer):
    def __init__(self, d_model, num_heads, dff, rate=0.0):
        super().__init__()
        self.mha = MultiHead(d_model, num_heads)
        self.ffn = tf.keras.Sequential([tf.keras.layers.Dense(dff, activation="relu"),
                                        tf.keras.layers.Dense(d_model)])
        self.norm1 = tf.keras.layers.LayerNormalization(epsilon=1e-6)
        self.norm2 = tf.keras.layers.LayerNormalization(epsilon=1e-6)
        self.dropout = tf.keras.layers.Dropout(rate)

    def call(self, x, training=False, mask=None):
        attention = self.dropout(self.mha(x, x, x, mask), training=training)
        out = self.norm1(x + attention)
        return self.norm2(out + self.dropout(self.ffn(out), training=training))


class Translator(tf.keras.Model):
    def __init__(self, vocabulary, d_model=8, heads=2, dff=16, blocks=2):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(vocabulary, d_model)
        self.positions = positional_encoding(32, d_model)
        self.d_model = d_model
        self.blocks = [Block(d_model, heads, dff) for _ in range(blocks)]
        self.final = tf.keras.layers.Dense(vocabulary)

    def call(self, tokens, training=False):
        length = tf.shape(tokens)[1]
        mask = tf.maximum(create_padding_mask(tokens), create_look_ahead_mask(length))
        x = self.embedding(tokens) * tf.math.sqrt(tf.cast(self.d_model, tf.float32))
        x = x + self.positions[tf.newaxis, :length, :]
        for block in self.blocks:
            x = block(x, training=training, mask=mask)
        return self.final(x)


class CustomSchedule(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps=4):
        super().__init__()
        self.d_model, self.warmup_steps = tf.cast(d_model, tf.float32), warmup_steps

    def __call__(self, step):
        step = tf.cast(step, dtype=tf.float32)
        return tf.math.rsqrt(self.d_model) * tf.math.minimum(
            tf.math.rsqrt(step), step * (self.warmup_steps**-1.5))


loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")


def masked_loss(label, pred):
    mask = label != 0
    loss = loss_object(label, pred)
    mask = tf.cast(mask, dtype=loss.dtype)
    return tf.reduce_sum(loss * mask) / tf.reduce_sum(mask)


def masked_accuracy(label, pred):
    pred = tf.cast(tf.argmax(pred, axis=2), label.dtype)
    mask = label != 0
    match = (label == pred) & mask
    return tf.reduce_sum(tf.cast(match, tf.float32)) / tf.reduce_sum(tf.cast(mask, tf.float32))


random = np.random.default_rng(0)
tokens = random.integers(1, 11, (24, 9))
tokens[:, 7:] = np.where(np.arange(24)[:, None] % 3 == 0, 0, tokens[:, 7:])
inputs, targets = tokens[:, :-1], tokens[:, 1:]

report("encoding", positional_encoding(6, 8))
report("look_ahead", create_look_ahead_mask(3))
report("padding", create_padding_mask(tf.constant([[7, 0, 6], [1, 2, 0]])))
schedule = CustomSchedule(8)
report("rates", schedule(tf.range(1, 9, dtype=tf.float32)))

model = Translator(11)
model(tf.constant(inputs[:2]))
same_weights(model)
report("parameters", model.count_params())
# SGD, for TensorFlow's Adam takes the occurrences of a word in a batch one by one.
model.compile(loss=masked_loss, optimizer=tf.keras.optimizers.SGD(schedule),
              metrics=[masked_accuracy])
history = model.fit(inputs, targets, epochs=3, batch_size=8, shuffle=False, verbose=0)
report("history", history.history)

train_loss = tf.keras.metrics.Mean(name="train_loss")
optimizer = tf.keras.optimizers.SGD(0.05)


@tf.function(input_signature=[tf.TensorSpec(shape=(None, None), dtype=tf.int64),
                              tf.TensorSpec(shape=(None, None), dtype=tf.int64)])
def train_step(inp, tar):
    with tf.GradientTape() as tape:
        predictions = model(inp, training=True)
        loss = masked_loss(tar, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    clipped, _ = tf.clip_by_global_norm(gradients, 5.0)
    optimizer.apply_gradients(zip(clipped, model.trainable_variables))
    train_loss(loss)
    return tf.linalg.global_norm(gradients[1:])  # without the words, whose occurrences TensorFlow counts


norms = []
for (inp, tar) in tf.data.Dataset.from_tensor_slices((inputs, targets)).batch(8):
    norms.append(float(train_step(tf.cast(inp, tf.int64), tf.cast(tar, tf.int64))))
report("norms", norms)
report("train_loss", train_loss.result())

output = tf.constant([[1]], tf.int64)
for _ in range(5):
    predictions = model(output, training=False)[:, -1:, :]
    predicted_id = tf.argmax(predictions, axis=-1)
    output = tf.concat([output, predicted_id], axis=-1)
report("generated", output)
report("weights", model.get_weights())
