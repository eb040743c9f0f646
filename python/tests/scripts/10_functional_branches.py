"""A functional model with branches, a shared layer, a skip and a picture of the graph."""

import numpy as np
from tensorflow.keras import Input, Model
from tensorflow.keras.layers import Add, Concatenate, Dense, add, concatenate
from tensorflow.keras.utils import plot_model

from _same import report, same_weights

random = np.random.default_rng(0)
left, right = random.normal(size=(64, 6)), random.normal(size=(64, 6))
target = (left.sum(axis=1) - right.sum(axis=1))[:, np.newaxis]

input_a = Input(shape=(6,), name="left")
input_b = Input(shape=(6,), name="right")
shared = Dense(8, activation="tanh", name="tower")
a, b = shared(input_a), shared(input_b)
wide = Concatenate(axis=-1)([a, b])
skip = Add()([a, b])
deep = Dense(8, activation="relu")(wide)
mixed = concatenate([deep, skip, add([deep, skip])])
output = Dense(1, name="difference")(mixed)
model = Model(inputs=[input_a, input_b], outputs=output)
same_weights(model)
model.summary()
try:
    plot_model(model, to_file="model.png", show_shapes=True)
except ImportError:
    print("no pydot, no picture")

model.compile(optimizer="sgd", loss="mse", metrics=["mae"])
history = model.fit([left, right], target, epochs=5, batch_size=16, shuffle=False, verbose=0)
report("history", history.history)
by_name = {"left": left, "right": right}
report("by_name", model.predict(by_name, verbose=0))
report("tower_units", model.get_layer("tower").units)

tower = Model(inputs=model.inputs, outputs=[a, b])
report("tower", tower.predict([left[:3], right[:3]], verbose=0))
report("shape", model.output_shape[1:])
report("weights", model.get_weights())
