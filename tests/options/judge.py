"""The real Keras reads the models of runs and trains them; with --same-as, it trains the same model with the same
settings on the same batches, and the weights must be equal."""

import os
import subprocess
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import keras
import numpy as np


def read(run):
    model = keras.saving.load_model(os.path.join(run, "model.keras"))
    shape = [2 if size is None else size for size in model.input_shape]
    x = np.random.default_rng(0).normal(size=(8, *shape[1:])).astype("float32")
    y = np.zeros((8, *model.output_shape[1:]), "float32")
    if model.output_shape[-1] > 1:
        y[:, 0] = 1
    model.fit(x, y, verbose=0)


CASES = {
    "--lr 0.02 --clipnorm 0.05": lambda: keras.optimizers.SGD(0.02, clipnorm=0.05),
    "--lr 0.02 --clipvalue 0.05": lambda: keras.optimizers.SGD(0.02, clipvalue=0.05),
    "--lr 0.02 --global-clipnorm 0.05": lambda: keras.optimizers.SGD(0.02, global_clipnorm=0.05),
    "--lr 0.02 --weight-decay 0.3": lambda: keras.optimizers.SGD(0.02, weight_decay=0.3),
    "--lr 0.02 --accumulate 4": lambda: keras.optimizers.SGD(0.02, gradient_accumulation_steps=4),
    "--lr 0.1 --schedule cosine,warmup=1": lambda: keras.optimizers.SGD(
        keras.optimizers.schedules.CosineDecay(0.0, 20, warmup_target=0.1, warmup_steps=10)),
    "--lr 0.1 --schedule polynomial": lambda: keras.optimizers.SGD(
        keras.optimizers.schedules.PolynomialDecay(0.1, 30, end_learning_rate=0.0)),
    "--lr 0.1 --schedule exponential,factor=0.5": lambda: keras.optimizers.SGD(
        keras.optimizers.schedules.ExponentialDecay(0.1, 10, 0.5)),
    "--lr 0.1 --schedule step,every=2": lambda: keras.optimizers.SGD(
        keras.optimizers.schedules.ExponentialDecay(0.1, 20, 0.1, staircase=True)),
    "--lr 0.1 --schedule piecewise,at=1:2": lambda: keras.optimizers.SGD(
        keras.optimizers.schedules.PiecewiseConstantDecay([9, 19], [0.1, 0.01, 0.001])),
}


def plain_model(path):
    """Nothing in it is random."""
    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(3, "tanh"), keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.save(path)


def same_as(program, table):
    path = "plain.keras"
    plain_model(path)
    rows = np.loadtxt(table, delimiter=",", skiprows=1, dtype="float32")
    for i, (options, optimizer) in enumerate(CASES.items()):
        run = f"judged_{i}"
        subprocess.run([program, "train", path, table, "--target", "price", "--out", run, "--no-shuffle", "--epochs", "3",
                        "--optimizer", "sgd", *options.split()], check=True, capture_output=True)
        model = keras.saving.load_model(path)
        model.compile(optimizer=optimizer(), loss=model.loss)
        model.fit(rows[:, :2], rows[:, 2:], epochs=3, batch_size=32, shuffle=False, verbose=0)
        ours = keras.saving.load_model(os.path.join(run, "model.keras"))
        for expected, found in zip(model.get_weights(), ours.get_weights()):
            if not np.allclose(expected, found, rtol=1e-4, atol=1e-6):
                sys.exit(f"{options}: Keras has {expected}, found {found}")
    print(f"{len(CASES)} settings train as in Keras")


if sys.argv[1] == "--same-as":
    same_as(*sys.argv[2:])
else:
    for run in sys.argv[1:]:
        read(run)
    print(f"Keras goes on training {len(sys.argv) - 1} models")
