#!/usr/bin/env python3
"""The architectures of keras.applications with random weights: what real Keras makes of them.

applications.py make FOLDER                saves the models, data, predictions and one training step of each (in float64)
applications.py judge FOLDER --ours OURS   compares; exit code 1 where something is wrong
applications.py plan FOLDER --ours PROGRAM what it takes to plan ResNet50 at a batch of 32; exit code 1 where it takes
                                           the memory of training
"""

import argparse
import json
import logging
import os
import pathlib
import resource
import subprocess
import sys
import zlib

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "parity"))
import comparison  # noqa: E402

# The input's height and width: as small as the architecture allows without losing a layer. ResNet50 is the one whose
# plan at its full size is asked for.
SIZES = {
    "ResNet50": 224,
    "ResNet50V2": 64,
    "MobileNetV2": 96,
    "MobileNetV3Small": 96,
    "EfficientNetB0": 96,
    "DenseNet121": 64,
    "VGG16": 32,
    "Xception": 96,
    "InceptionV3": 96,
    "ConvNeXtTiny": 32,
}
CLASSES = 10
BATCH = 4
LEARNING_RATE = 0.01
ROUNDINGS = 5  # steps of Keras in float32
SAMPLES = 256  # values of each weight that are kept after the step
PREDICTION = LOSS = WEIGHT = 1e-3  # of the largest value


def prepare_keras():
    os.environ.update(KERAS_BACKEND="tensorflow", TF_ENABLE_ONEDNN_OPTS="0", TF_CPP_MIN_LOG_LEVEL="3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    import keras

    logging.getLogger("tensorflow").setLevel(logging.ERROR)
    return keras


def stir(model, rng):
    """Moves what starts at 0 or 1, so that nothing is right by chance."""
    for weight in model.weights:
        if weight.name in ("bias", "beta", "moving_mean"):
            weight.assign(weight + 0.1 * rng.standard_normal(weight.shape))
        elif weight.name in ("gamma", "moving_variance"):
            weight.assign(weight * rng.uniform(0.7, 1.3, weight.shape))


def compiled(keras, name, dtype):
    keras.utils.clear_session()
    keras.config.set_floatx(dtype)
    keras.config.set_dtype_policy(dtype)
    model = getattr(keras.applications, name)(
        weights=None, classes=CLASSES, input_shape=(SIZES[name], SIZES[name], 3)
    )
    for layer in model.layers:
        if isinstance(layer, keras.layers.Dropout):
            layer.rate = 0.0
    # A single step is done sooner than its graph is traced.
    model.compile(keras.optimizers.SGD(LEARNING_RATE), "sparse_categorical_crossentropy", run_eagerly=True, jit_compile=False)
    return model


def build(keras, name):
    seed = zlib.crc32(name.encode()) % 2**31
    keras.utils.set_random_seed(seed)
    rng = np.random.default_rng(seed)
    model = compiled(keras, name, "float32")
    stir(model, rng)
    return model, rng


def in_double(keras, name, model):
    """The same model in float64: at these depths and small batches the rounding of float32 alone moves the gradients
    of some architectures by 1e-2."""
    exact = compiled(keras, name, "float64")
    for weight, value in zip(exact.weights, model.weights, strict=True):
        weight.assign(np.asarray(value, np.float64))
    return exact


def calibrate(keras, model, x):
    """Moving statistics that fit, so that random layers neither die nor explode on the way to the output."""
    layers = [layer for layer in model.layers if isinstance(layer, keras.layers.BatchNormalization)]
    momenta = [layer.momentum for layer in layers]
    for layer in layers:
        layer.momentum = 0.3
    for _ in range(2):
        model(x, training=True)
    for layer, momentum in zip(layers, momenta):
        layer.momentum = momentum


def samples(value):
    """Some of its values, and the largest."""
    flat = np.asarray(value, np.float32).ravel()
    return np.append(flat[:: max(1, flat.size // SAMPLES)][:SAMPLES], np.max(np.abs(flat), initial=0))


def stored_samples(path):
    """Samples of each weight of a file, by its name there."""
    datasets = comparison.datasets(path).items()
    return {f"after:{name}": samples(value) for name, value in datasets if comparison.is_weight(name)}


def weights_after(model, folder):
    path = folder / "after.weights.h5"
    model.save_weights(path)
    stored = stored_samples(path)
    path.unlink()
    return stored


def step_error(expected, found):
    """The largest over all weights, relative to a weight's largest value."""
    names = [name for name in expected if name.startswith("after:")]
    if set(names) != set(found):
        return float("inf")
    return max(float(np.max(np.abs(found[n] - expected[n])) / (np.abs(expected[n][-1]) or 1.0)) for n in names)


def rounding_of(model, x, y, expected, folder):
    """How far float32 alone moves the weights in a step: the largest error of Keras's own step on inputs that differ in
    their last bits. One step is one draw; how it falls depends on the processor."""
    start = model.get_weights()
    rng = np.random.default_rng(0)
    errors = []
    for draw in range(ROUNDINGS):
        model.set_weights(start)
        last_bits = rng.uniform(-1, 1, x.shape) * 2.0**-23 if draw else 0
        model.train_on_batch((x * (1 + last_bits)).astype(np.float32), y)
        errors.append(step_error(expected, weights_after(model, folder)))
    return max(errors)


def make(folder):
    keras = prepare_keras()
    for name, size in SIZES.items():
        made = folder / name
        if (made / "expected.npz").exists():
            continue
        made.mkdir(parents=True, exist_ok=True)
        model, rng = build(keras, name)
        x = rng.uniform(0, 255, (BATCH, size, size, 3)).astype(np.float32)
        y = rng.integers(0, CLASSES, (BATCH,)).astype(np.int32)
        calibrate(keras, model, x)
        np.savez(made / "data.npz", x0=x, y0=y)
        model.save(made / "model.keras")
        prediction = np.asarray(model(x, training=False))
        exact = in_double(keras, name, model)
        loss = exact.train_on_batch(x.astype(np.float64), y)
        weights = weights_after(exact, made)
        rounding = rounding_of(model, x, y, weights, made)
        np.savez(made / "expected.npz", prediction=prediction, loss=loss, rounding=rounding, **weights)
        print(f"{name}: made", flush=True)


def judge(folder, ours):
    complaints = []
    print(f"{'model':18} {'predict':>9} {'loss':>9} {'step':>9} {'Keras':>9} {'arena MiB':>10} {'head only':>10}")
    for name in SIZES:
        expected = np.load(folder / name / "expected.npz")
        facts = json.loads((ours / name / "facts.json").read_text())
        predicted = comparison.error(np.load(ours / name / "prediction_00.npy"), expected["prediction"])
        loss = comparison.error(facts["loss"], expected["loss"])
        step, rounding = step_error(expected, stored_samples(ours / name / "after.keras")), float(expected["rounding"])
        print(
            f"{name:18} {predicted:9.1e} {loss:9.1e} {step:9.1e} {rounding:9.1e} {facts['arena_bytes'] / 2**20:10.1f}"
            f" {facts['head_arena_bytes'] / 2**20:10.1f}"
        )
        spread = float(np.std(expected["prediction"]))
        checks = {
            f"predictions are off by {predicted:.2g} of the largest": predicted <= PREDICTION,
            f"the reference predicts the same for everything (spread {spread:.2g})": spread > 1e-3,
            f"the loss of a step is {facts['loss']}, Keras has {float(expected['loss'])}": loss <= LOSS,
            f"weights after a step are off by {step:.2g} of the largest, Keras's in float32 by {rounding:.2g}": step
            <= max(WEIGHT, 1.5 * rounding),
        }
        arena, head = facts["arena_bytes"], facts["head_arena_bytes"]
        checks[f"the plan was {facts['planned_arena_bytes']:.0f} bytes, the run {arena:.0f}"] = (
            facts["planned_arena_bytes"] == arena
        )
        checks[f"training the head alone takes {head:.0f} bytes of {arena:.0f}"] = head < 0.2 * arena
        complaints += [f"{name}: {what}" for what, holds in checks.items() if not holds]
    print("\n".join(complaints) if complaints else f"{len(SIZES)} architectures agree with Keras")
    return 1 if complaints else 0


def plan(folder, program):
    command = [str(program), "plan", str(folder / "ResNet50" / "model.keras"), "--batch-size", "32", "--json"]
    planned = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    resident, seconds = used.ru_maxrss * 1024, used.ru_utime + used.ru_stime
    print(
        f"plan of ResNet50 at a batch of 32: {seconds:.2f} s of one core, {resident / 2**20:.0f} MiB for a peak of"
        f" {planned['peak_bytes'] / 2**20:.0f} MiB"
    )
    return 0 if resident < planned["weight_bytes"] < planned["peak_bytes"] / 10 else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["make", "judge", "plan"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--ours", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.command == "make":
        make(arguments.folder)
    else:
        sys.exit({"judge": judge, "plan": plan}[arguments.command](arguments.folder, arguments.ours))


if __name__ == "__main__":
    main()
