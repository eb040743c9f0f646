"""Makes the files beside it, which train/model_file_test.cc reads: tiny models by Keras 3 and Keras 2.

    PYTHON make_files.py             with Keras 3 (./dev peers)
    PYTHON make_files.py keras2      where tf_keras is installed too

Each model NAME comes with NAME.txt: inputs, and what Keras predicts for them.
"""

import os
import pathlib
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
import numpy as np

if sys.argv[1:] == ["keras2"]:
    import tf_keras as keras
else:
    import keras

folder = pathlib.Path(__file__).parent
layers = keras.layers


def sequence():
    """Dropout and batch normalisation; trained a little, so that there is optimizer state."""
    model = keras.Sequential(
        [layers.Dense(3, activation="relu", input_shape=(2,)), layers.Dropout(0.1), layers.BatchNormalization(), layers.Dense(1)],
        name="sequence",
    )
    model.compile(keras.optimizers.Adam(0.01), "mse", metrics=["mae"])
    return model


def graph():
    """A shared layer, a frozen one, a model inside, two inputs and two outputs."""
    one, two = keras.Input((2,), name="one"), keras.Input((2,), name="two")
    inner_input = keras.Input((3,))
    inner = keras.Model(inner_input, layers.Dense(2, name="inside")(inner_input), name="inner")
    shared = layers.Dense(3, activation="tanh", name="shared")
    frozen = layers.BatchNormalization(name="frozen", trainable=False)
    both = layers.Concatenate(name="both")([inner(shared(one)), frozen(shared(two))])
    outputs = [layers.Dense(1, name="left")(both), layers.Dense(2, name="right")(both)]
    model = keras.Model([one, two], outputs, name="graph")
    model.compile(
        keras.optimizers.SGD(0.1, momentum=0.9),
        ["mse", "mae"],
        loss_weights=[1.0, 0.5],
        metrics=[["mae"], ["mse"]],
    )
    return model


def inputs_of(model, rng):
    return [rng.standard_normal((4, 2)).astype("float32") for _ in model.inputs]


def train(model, rng):
    inputs = inputs_of(model, rng)
    targets = [rng.standard_normal((4, *output.shape[1:])).astype("float32") for output in model.outputs]
    model.fit(inputs if len(inputs) > 1 else inputs[0], targets if len(targets) > 1 else targets[0], epochs=2, verbose=0)


def write_numbers(name, model, rng):
    inputs = inputs_of(model, rng)
    outputs = model.predict(inputs if len(inputs) > 1 else inputs[0], verbose=0)
    arrays = inputs + (outputs if isinstance(outputs, list) else [outputs])
    with open(folder / f"{name}.txt", "w") as file:
        for array in arrays:
            print(*array.shape, *(f"{value:.9g}" for value in np.ravel(array)), file=file)


prefix = "keras2_" if sys.argv[1:] else "keras3_"
for make in (sequence, graph):
    keras.utils.set_random_seed(7)
    rng = np.random.default_rng(7)
    model = make()
    train(model, rng)
    name = prefix + make.__name__
    model.save(folder / f"{name}.keras")
    if make is sequence:
        model.save_weights(folder / (f"{name}_weights.h5" if sys.argv[1:] else f"{name}.weights.h5"))
        (folder / f"{name}.json").write_text(model.to_json())
    model.save(folder / f"{name}.h5")  # last, for it takes the optimizer out of the model's compile settings
    write_numbers(name, model, rng)
