#!/usr/bin/env python3
"""Every class of keras.layers: what real Keras makes of it, and whether it is read or refused as the document says.

layers.py make FOLDER                                      saves a model, its inputs and outputs for each class
layers.py judge FOLDER --ours PROGRAM --document KERAS.md  runs PROGRAM on them; exit code 1 where something is wrong
"""

import argparse
import inspect
import logging
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

import recipes

TOLERANCE = 1e-5  # of the largest value
# Preprocessing of text and categories; tests of their own compare them.
ELSEWHERE = set(
    "CategoryEncoding Discretization HashedCrossing Hashing IntegerLookup Normalization StringLookup TextVectorization".split()
)
NO_LAYERS = {"Input", "InputSpec"}  # a function, and a description of inputs


def prepare_keras():
    os.environ.update(KERAS_BACKEND="tensorflow", TF_ENABLE_ONEDNN_OPTS="0", TF_CPP_MIN_LOG_LEVEL="3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    import keras

    logging.getLogger("tensorflow").setLevel(logging.ERROR)
    return keras


def class_names(keras):
    """The classes, each by one name: that which files have."""
    names = {}
    for name in dir(keras.layers):
        cls = getattr(keras.layers, name)
        if inspect.isclass(cls) and name not in NO_LAYERS:
            names.setdefault(cls, []).append(name)
    public = lambda cls: keras.src.api_export.get_name_from_symbol(cls).split(".")[-1]
    return sorted(public(cls) for cls in names)


def refused_classes(document):
    """The table of reasons."""
    table = document.split("| class | a layer of this class … |")[1].split("\n\n")[0]
    return dict(re.findall(r"^\| (\w+) \| (.*) \|$", table, re.MULTILINE))


def make(folder):
    keras = prepare_keras()
    names = class_names(keras)
    (folder / "names.txt").write_text("\n".join(names) + "\n")
    for name in names:
        if name in ELSEWHERE:
            continue
        keras.utils.clear_session()
        keras.utils.set_random_seed(1)
        try:
            make_model(keras, folder, name)
        except Exception as error:  # a class that cannot be made so must be among the refused ones
            (folder / f"{name}.error").write_text(repr(error))


def make_model(keras, folder, name):
    model, inputs = recipes.model_of(keras, name)
    rng = np.random.default_rng(2)
    for weight in model.weights:
        if keras.backend.is_float_dtype(weight.dtype):
            weight.assign(np.abs(weight) + 0.1 * rng.uniform(size=weight.shape))
    model.save(folder / f"{name}.keras")
    fields = {layer.name: value for layer, value in zip(model.layers, inputs)}  # the inputs come first
    np.savez(folder / f"{name}.npz", **fields)
    np.save(folder / f"{name}.npy", model.predict(inputs if len(inputs) > 1 else inputs[0], verbose=0))


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def fault_of_read(program, folder, name, scratch):
    ours = scratch / f"{name}.npy"
    code, said = run(program, "predict", folder / f"{name}.keras", folder / f"{name}.npz", "--out", ours)
    if code != 0:
        return f"is not read: {said.strip()[:300]}"
    expected, found = np.load(folder / f"{name}.npy"), np.load(ours)
    if expected.shape != found.shape:
        return f"makes {found.shape}, Keras makes {expected.shape}"
    worst = np.max(np.abs(expected - found), initial=0) / max(np.max(np.abs(expected), initial=0), 1e-30)
    return None if worst <= TOLERANCE else f"differs from Keras by {worst:.2g} of the largest value"


def fault_of_refused(program, folder, name, reason):
    """Of a class that Keras can save; the others have their reason in the document and in the program."""
    if not (folder / f"{name}.keras").exists():
        return None
    code, said = run(program, "summary", folder / f"{name}.keras")
    if code == 0:
        return "is read, but the document refuses it"
    return None if f"a {name} {reason}" in said else f"is refused for another reason: {said.strip()[:200]}"


def judge(folder, program, document):
    refused = refused_classes(document)
    names = (folder / "names.txt").read_text().split()
    faults = [f"{name}: is in the document, but Keras has no such layer" for name in refused if name not in names]
    with tempfile.TemporaryDirectory() as scratch:
        for name in names:
            if name in ELSEWHERE:
                fault = None if re.search(rf"^\| layers, .*\b{name}\b", document, re.MULTILINE) else "is not in the document"
            elif name in refused:
                fault = fault_of_refused(program, folder, name, refused[name])
            elif not (folder / f"{name}.npy").exists():
                why = (folder / f"{name}.error").read_text()
                fault = f"is neither refused in docs/keras.md nor made by tests/keras_layers/recipes.py ({why})"
            else:
                fault = fault_of_read(program, folder, name, pathlib.Path(scratch))
            if fault:
                faults.append(f"{name}: {fault}")
    print("\n".join(faults) if faults else f"{len(names)} classes of keras.layers are read or refused, as documented")
    return 1 if faults else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["make", "judge"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--ours", type=pathlib.Path)
    parser.add_argument("--document", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.command == "make":
        make(arguments.folder)
    else:
        sys.exit(judge(arguments.folder, arguments.ours, arguments.document.read_text()))


if __name__ == "__main__":
    main()
