"""Encoder and decoder LSTMs that pass their states on, with teacher forcing and then without."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.layers import LSTM, Dense, Input
from tensorflow.keras.models import Model

from _same import report, same_weights

pairs = [("go", "va"), ("run", "cours"), ("stop", "arrete"), ("hello", "salut"), ("win", "gagne"),
         ("yes", "oui"), ("no", "non"), ("sit", "assis")] * 4
input_texts = [source for source, _ in pairs]
target_texts = ["\t" + target + "\n" for _, target in pairs]
input_characters = sorted(set("".join(input_texts) + " "))
target_characters = sorted(set("".join(target_texts) + " "))
max_encoder = max(len(text) for text in input_texts)
max_decoder = max(len(text) for text in target_texts)
input_token_index = {char: i for i, char in enumerate(input_characters)}
target_token_index = {char: i for i, char in enumerate(target_characters)}

encoder_input_data = np.zeros((len(pairs), max_encoder, len(input_characters)), dtype="float32")
decoder_input_data = np.zeros((len(pairs), max_decoder, len(target_characters)), dtype="float32")
decoder_target_data = np.zeros_like(decoder_input_data)
for i, (input_text, target_text) in enumerate(zip(input_texts, target_texts)):
    for t, char in enumerate(input_text):
        encoder_input_data[i, t, input_token_index[char]] = 1.0
    encoder_input_data[i, t + 1:, input_token_index[" "]] = 1.0
    for t, char in enumerate(target_text):
        decoder_input_data[i, t, target_token_index[char]] = 1.0
        if t > 0:
            decoder_target_data[i, t - 1, target_token_index[char]] = 1.0
    decoder_input_data[i, t + 1:, target_token_index[" "]] = 1.0
    decoder_target_data[i, t:, target_token_index[" "]] = 1.0

encoder_inputs = Input(shape=(None, len(input_characters)))
encoder = LSTM(16, return_state=True)
encoder_outputs, state_h, state_c = encoder(encoder_inputs)
encoder_states = [state_h, state_c]
decoder_inputs = Input(shape=(None, len(target_characters)))
decoder_lstm = LSTM(16, return_sequences=True, return_state=True)
decoder_outputs, _, _ = decoder_lstm(decoder_inputs, initial_state=encoder_states)
decoder_dense = Dense(len(target_characters), activation="softmax")
decoder_outputs = decoder_dense(decoder_outputs)
model = Model([encoder_inputs, decoder_inputs], decoder_outputs)
same_weights(model)
model.compile(optimizer=keras.optimizers.RMSprop(0.01), loss="categorical_crossentropy",
              metrics=["accuracy"])
history = model.fit([encoder_input_data, decoder_input_data], decoder_target_data, batch_size=16,
                    epochs=4, shuffle=False, verbose=0)
report("history", history.history)

encoder_model = Model(encoder_inputs, encoder_states)
decoder_state_inputs = [Input(shape=(16,)), Input(shape=(16,))]
outputs, state_h_dec, state_c_dec = decoder_lstm(decoder_inputs, initial_state=decoder_state_inputs)
decoder_model = Model([decoder_inputs] + decoder_state_inputs,
                      [decoder_dense(outputs), state_h_dec, state_c_dec])


def decode_sequence(input_seq):
    states_value = encoder_model.predict(input_seq, verbose=0)
    target_seq = np.zeros((1, 1, len(target_characters)))
    target_seq[0, 0, target_token_index["\t"]] = 1.0
    probabilities = []
    for _ in range(4):
        output_tokens, h, c = decoder_model.predict([target_seq] + states_value, verbose=0)
        probabilities.append(output_tokens[0, -1])
        sampled = np.argmax(output_tokens[0, -1, :])
        target_seq = np.zeros((1, 1, len(target_characters)))
        target_seq[0, 0, sampled] = 1.0
        states_value = [h, c]
    return np.array(probabilities)


report("decoded", decode_sequence(encoder_input_data[2:3]))
report("weights", model.get_weights())
