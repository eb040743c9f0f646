"""Writes models and data of trainings that fail, or learn badly, each in its own way. make_cases.py FOLDER"""

import json
import math
import os
import random
import struct
import sys
import zipfile

draw = random.Random(7)


# --- models ---------------------------------------------------------------------------------------------------------


def layer(kind, name, **config):
    return {"module": "keras.layers", "class_name": kind, "config": {"name": name, **config}, "registered_name": None}


def dense(name, units, activation="linear", **config):
    return layer("Dense", name, units=units, activation=activation, **config)


def initializer(kind, **config):
    return {"class_name": kind, "config": config}


def write_json(path, value):
    with open(path, "w") as file:
        json.dump(value, file, indent=1)


def sequence(path, shape, *layers):
    first = layer("InputLayer", "input", batch_input_shape=[None, *shape])
    write_json(path, {"class_name": "Sequential", "config": {"name": "net", "layers": [first, *layers]}})


def graph(path, shape, *calls):
    """Each call is a layer or an operation and the names of what it reads; the last one is the output."""
    entries = [{**layer("InputLayer", "input", batch_shape=[None, *shape]), "name": "input", "inbound_nodes": []}]
    for called, *read in calls:
        tensors = [{"class_name": "__keras_tensor__", "config": {"keras_history": [name, 0, 0]}} for name in read]
        entries.append({**called, "name": called["config"]["name"], "inbound_nodes": [{"args": tensors, "kwargs": {}}]})
    config = {"name": "net", "layers": entries, "input_layers": ["input", 0, 0],
              "output_layers": [entries[-1]["name"], 0, 0]}
    write_json(path, {"class_name": "Functional", "config": config})


def operation(kind, name, **config):
    return {"module": "keras.src.ops.numpy", "class_name": kind, "config": {"name": name, **config}, "registered_name": kind}


# --- data -----------------------------------------------------------------------------------------------------------


def array(rows, kind="<f4"):
    """The bytes of a .npy file of nested lists."""
    shape, flat = [], rows
    while isinstance(flat, list):
        shape.append(len(flat))
        flat = flat[0]
    flat = rows
    for _ in shape[1:]:
        flat = [number for row in flat for number in row]
    head = repr({"descr": kind, "fortran_order": False, "shape": tuple(shape)})
    head += " " * (-(len(head) + 11) % 64) + "\n"
    letter = {"<f4": "f", "<i8": "q"}[kind]
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack(f"<{len(flat)}{letter}", *flat)


def write_npz(path, x, y, kind="<f4"):
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("x.npy", array(x))
        file.writestr("y.npy", array(y, kind))


def numbers(count, columns=4):
    return [[draw.gauss(0, 1) for _ in range(columns)] for _ in range(count)]


def sums(x):
    return [[sum(row)] for row in x]


def thirds(x):
    return [min(2, max(0, int(row[0] + 1.5))) for row in x]


def write_table(path, count, scale=1.0, offset=0.0):
    """A ring around the middle, which no linear model tells from the rest."""
    with open(path, "w") as file:
        file.write("a,b,inside\n")
        for i in range(count):
            a, b = (i * 37 % 101) / 50 - 1, (i * 53 % 97) / 48 - 1
            file.write(f"{a * scale + offset},{b * scale + offset},{int(a * a + b * b < 0.6)}\n")


# --- cases ----------------------------------------------------------------------------------------------------------


def log_of_zero():
    graph("log.json", [4], (dense("wide", 24, "relu"), "input"), (dense("narrow", 12, "relu"), "wide"),
          (operation("Log", "log"), "narrow"), (dense("after", 8, "tanh"), "log"), (dense("head", 1), "after"))
    x = numbers(400)
    write_npz("log.npz", x, sums(x))


def constant_column():
    graph("constant.json", [4], (operation("Mean", "mean", axis=0, keepdims=True), "input"),
          (operation("Std", "deviation", axis=0, keepdims=True), "input"), (operation("Subtract", "centred"), "input", "mean"),
          (operation("Divide", "scaled"), "centred", "deviation"), (dense("hidden", 16, "relu"), "scaled"),
          (dense("head", 1), "hidden"))
    x = [[*row[:3], 5.0] for row in numbers(600)]
    write_npz("constant.npz", x, sums(x))


def exp_overflow():
    sequence("exp.json", [4], dense("wide", 32, "relu"), dense("rates", 8, "exponential"), dense("head", 1))
    x = numbers(2000)
    x[1234] = [900.0, -700.0, 800.0, 950.0]
    write_npz("exp.npz", x, [[min(9.0, s[0])] for s in sums(x)])


def infinite_record():
    sequence("infinite.json", [4], dense("wide", 32, "relu"), dense("deep", 16, "relu"), dense("head", 1))
    x = numbers(10000)
    y = sums(x)
    x[7123][2] = math.inf
    write_npz("infinite.npz", x, y)


def bad_labels():
    sequence("thirds.json", [4], dense("wide", 32, "relu"), dense("deep", 16, "relu"), dense("head", 3, "softmax"))
    x = numbers(3000)
    y = thirds(x)
    write_npz("from_one.npz", x, [label + 1 for label in y], "<i8")
    y[2500] = 11
    write_npz("label.npz", x, y, "<i8")


def exploding_rate():
    sequence("rate.json", [4], dense("wide", 32, "relu"), dense("deep", 32, "relu"), dense("head", 1))
    x = numbers(1000)
    write_npz("rate.npz", x, sums(x))


def corrupted_weight():
    """The kernel of 'deep' is all 0.03125 until one number of the file is not a number."""
    same = initializer("Constant", value=0.03125)
    sequence("weight.json", [4], dense("wide", 16, "relu"), dense("deep", 16, "relu", kernel_initializer=same),
             dense("last", 8, "relu"), dense("head", 1))
    x = numbers(500)
    write_npz("weight.npz", x, sums(x))


def corrupt(path):
    whole, pattern = zipfile.ZipFile(path), struct.pack("<f", 0.03125)
    parts = {name: whole.read(name) for name in whole.namelist()}
    weights = parts["model.weights.h5"]
    place = weights.index(pattern * 16) + 4 * 5
    parts["model.weights.h5"] = weights[:place] + struct.pack("<f", math.nan) + weights[place + 4 :]
    with zipfile.ZipFile(path, "w") as file:
        for name, contents in parts.items():
            file.writestr(name, contents)


def exploding_recurrence():
    sequence("lstm.json", [120, 2], layer("LSTM", "first", units=12, return_sequences=True),
             layer("LSTM", "second", units=8, activation="linear", recurrent_initializer=initializer("Constant", value=2.0)),
             dense("hidden", 8, "relu"), dense("head", 1))
    x = [numbers(120, 2) for _ in range(64)]
    write_npz("lstm.npz", x, [[row[-1][0]] for row in x])


def learning_badly():
    write_table("ring.csv", 600)
    write_table("large.csv", 600, 300, 900)
    sequence("sound.json", [2], dense("first", 16, "relu"), dense("second", 16, "relu"), dense("head", 1, "sigmoid"))
    sequence("linear.json", [2], dense("first", 16), dense("second", 16), dense("third", 8), dense("head", 1, "sigmoid"))
    sequence("softmax.json", [2], dense("first", 16, "relu"), dense("second", 16, "relu"), dense("head", 1, "softmax"))


def main():
    if sys.argv[1] == "corrupt":
        return corrupt(sys.argv[2])
    os.chdir(sys.argv[1])
    for make in (log_of_zero, constant_column, exp_overflow, infinite_record, bad_labels, exploding_rate, corrupted_weight,
                 exploding_recurrence, learning_badly):
        make()


main()
