"""Letters one after another: a GRU model as a class with a state, trained and then asked."""

import numpy as np
import tensorflow as tf

from _same import report, same_weights

text = "the quick brown fox jumps over the lazy dog and the dog sleeps. " * 6
vocab = sorted(set(text))
ids_from_chars = tf.keras.layers.StringLookup(vocabulary=list(vocab), mask_token=None)
chars_from_ids = tf.keras.layers.StringLookup(
    vocabulary=ids_from_chars.get_vocabulary(), invert=True, mask_token=None)
chars = tf.strings.unicode_split(text, input_encoding="UTF-8")
all_ids = ids_from_chars(chars)
report("ids", all_ids[:40])
joined = tf.strings.reduce_join(chars_from_ids(all_ids[:20]), axis=-1)
report("back", joined.numpy().decode("utf-8"))

seq_length = 20
sequences = tf.data.Dataset.from_tensor_slices(all_ids).batch(seq_length + 1, drop_remainder=True)


def split_input_target(sequence):
    return sequence[:-1], sequence[1:]


dataset = sequences.map(split_input_target).batch(6, drop_remainder=True)


class MyModel(tf.keras.Model):
    def __init__(self, vocab_size, embedding_dim, rnn_units):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(vocab_size, embedding_dim)
        self.gru = tf.keras.layers.GRU(rnn_units, return_sequences=True, return_state=True)
        self.dense = tf.keras.layers.Dense(vocab_size)

    def call(self, inputs, states=None, return_state=False, training=False):
        x = self.embedding(inputs, training=training)
        x, states = self.gru(x, initial_state=states, training=training)
        x = self.dense(x, training=training)
        if return_state:
            return x, states
        return x


vocab_size = len(ids_from_chars.get_vocabulary())
model = MyModel(vocab_size, 8, 16)
for input_example_batch, target_example_batch in dataset.take(1):
    example_batch_predictions = model(input_example_batch)
    report("shape", example_batch_predictions.shape)
same_weights(model)
loss = tf.losses.SparseCategoricalCrossentropy(from_logits=True)
# SGD, for TensorFlow's other optimizers take the occurrences of a word in a batch one by one.
model.compile(optimizer=tf.keras.optimizers.SGD(0.1, momentum=0.9), loss=loss)
history = model.fit(dataset, epochs=3, verbose=0)
report("loss", history.history["loss"])

states = None
next_char = tf.constant([["t"]])
logits_of_steps = []
for n in range(4):
    input_ids = ids_from_chars(next_char)
    predicted_logits, states = model(inputs=input_ids, states=states, return_state=True)
    predicted_logits = predicted_logits[:, -1, :] / 1.0
    logits_of_steps.append(predicted_logits.numpy()[0])
    best = tf.argmax(predicted_logits, axis=-1)
    next_char = tf.expand_dims(chars_from_ids(best), 0)
report("logits", np.array(logits_of_steps))
sampled = tf.random.categorical(predicted_logits, num_samples=3)
report("sampled", tf.squeeze(sampled, axis=0).shape)
report("weights", model.get_weights())
