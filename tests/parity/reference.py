"""What real Keras makes of a case: files to read, and the numbers that training on them must give."""

import contextlib
import json

import keras
import numpy as np
import tensorflow

from case import BATCH, FURTHER, STEPS


def compile_model(case, model, optimizer):
    made = lambda argument: argument() if callable(argument) else argument
    model.compile(
        optimizer,
        made(case.loss),
        metrics=made(case.metrics),
        loss_weights=case.loss_weights,
        jit_compile=case.jit_compile,
    )


def own_optimizer(case):
    return case.optimizer() if callable(case.optimizer) else keras.optimizers.get(case.optimizer)


@contextlib.contextmanager
def policy(name):
    before = keras.config.dtype_policy()
    keras.config.set_dtype_policy(name)
    try:
        yield
    finally:
        keras.config.set_dtype_policy(before)


def build(case, under="float32"):
    """The model, its inputs and its targets: the same at each call."""
    keras.utils.clear_session()
    keras.utils.set_random_seed(case.seed())
    with policy(under):
        return case.build(case.numbers())


def stir(model, rng):
    """Moves what starts at 0 or 1, so that nothing is right by chance."""
    for weight in model.weights:
        if weight.name in ("bias", "beta", "moving_mean"):
            weight.assign(weight + 0.2 * rng.standard_normal(weight.shape))
        elif weight.name in ("gamma", "moving_variance"):
            weight.assign(weight * rng.uniform(0.6, 1.5, weight.shape))


def rows(arrays, step):
    return [array[step * BATCH : (step + 1) * BATCH] for array in arrays]


def as_arguments(model, inputs):
    """Arrays in the structure that the model takes."""
    if any(x.dtype.kind == "U" for x in inputs):  # Keras takes tensors beside texts
        inputs = [tensorflow.constant(x) for x in inputs]
    structure = getattr(model, "_inputs_struct", None)
    if isinstance(structure, dict):
        return dict(zip(structure, inputs))
    return inputs if len(inputs) > 1 else inputs[0]


def as_targets(model, targets):
    structure = getattr(model, "_outputs_struct", None)
    if isinstance(structure, dict):
        return dict(zip(structure, targets))
    return targets if len(targets) > 1 else targets[0]


def predict(model, inputs):
    """Each output on the first batch."""
    outputs = model(as_arguments(model, rows(inputs, 0)), training=False)
    return [np.asarray(output, np.float32) for output in keras.tree.flatten(outputs)]


def train(model, inputs, targets, first, count):
    """Fits these steps in their order. The logs: loss and metrics over all of them."""
    chosen = slice(first * BATCH, (first + count) * BATCH)
    x, y = as_arguments(model, [a[chosen] for a in inputs]), as_targets(model, [a[chosen] for a in targets])
    prepare(model, rows(inputs, first), rows(targets, first))
    history = model.fit(x, y, batch_size=BATCH, epochs=1, shuffle=False, verbose=0)
    return {name: np.asarray(values[-1]).tolist() for name, values in history.history.items()}


def prepare(model, x, y):
    # With all variables there, TensorFlow traces the step once instead of twice.
    model._symbolic_build(data_batch=(as_arguments(model, x), as_targets(model, y)))
    # TensorFlow gives the gradient of an embedding as rows, one for each time that a word occurs. Keras squares them
    # before it adds up those of one word, but only on this backend: elsewhere gradients are dense.
    apply = model.optimizer.apply
    model.optimizer.apply = lambda gradients, *rest: apply([tensorflow.convert_to_tensor(g) for g in gradients], *rest)


def reset_states(model):
    for layer in model._flatten_layers():
        if getattr(layer, "stateful", False):
            layer.reset_states()


def make(case, folder):
    """Writes what the other side reads into `folder`, and what it must come to."""
    folder.mkdir(parents=True, exist_ok=True)
    model, inputs, targets = build(case)
    stir(model, case.numbers())
    start = model.get_weights()
    predictions = predict(model, inputs)
    reset_states(model)
    write_data(folder, inputs, targets)
    write_files(case, folder, start)

    compile_model(case, model, keras.optimizers.SGD(case.learning_rate))
    logs = {"sgd": train(model, inputs, targets, 0, STEPS)}
    assert np.isfinite(logs["sgd"]["loss"]), f"{case.name}: the learning rate is too high"
    model.save_weights(folder / "sgd_20.weights.h5")

    model.set_weights(start)
    reset_states(model)
    compile_model(case, model, own_optimizer(case))
    logs["compiled"] = train(model, inputs, targets, 0, STEPS)
    model.save(folder / "compiled_20.keras")
    reset_states(model)  # a file does not hold them
    train(model, inputs, targets, STEPS, FURTHER)
    model.save(folder / "compiled_25.keras")

    np.savez(folder / "keras.npz", **{f"prediction_{i}": p for i, p in enumerate(predictions)})
    (folder / "keras_logs.json").write_text(json.dumps(logs))


def write_data(folder, inputs, targets):
    arrays = {f"x{i}": x for i, x in enumerate(inputs)} | {f"y{i}": y for i, y in enumerate(targets)}
    np.savez(folder / "train.npz", **{name: array[: STEPS * BATCH] for name, array in arrays.items()})
    np.savez(folder / "further.npz", **{name: array[STEPS * BATCH :] for name, array in arrays.items()})


def write_files(case, folder, start):
    """The model as users save it, in every format, compiled with SGD and with its own optimizer."""
    model, _, _ = build(case, case.policy)
    model.set_weights(start)
    if not case.no_config:
        (folder / "model.json").write_text(model.to_json())
    model.save_weights(folder / "model.weights.h5")
    compile_model(case, model, keras.optimizers.SGD(case.learning_rate))
    model.save(folder / "sgd.keras")
    compile_model(case, model, own_optimizer(case))
    model.save(folder / "compiled.keras")
    if not case.no_legacy:
        model.save(folder / "compiled.h5")
