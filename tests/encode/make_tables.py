"""Writes tables as people have them, and models for them, into the current folder."""

import datetime
import json
import random
import struct
import zipfile


def write(name, header, rows, delimiter=","):
    with open(name, "w") as file:
        for row in [header, *rows]:
            file.write(delimiter.join(f'"{cell}"' if delimiter in cell else cell for cell in row) + "\n")


def passengers():
    numbers = random.Random(1)
    rows = []
    for i in range(200):
        sex = numbers.choice(["male", "female"])
        fare = numbers.uniform(5, 90) + (1500 if i % 40 == 7 else 0)
        age = "" if i % 9 == 4 else str(numbers.randint(1, 80))
        port = "" if i % 50 == 3 else numbers.choice("CQS")
        day = datetime.date(2024, 1, 1) + datetime.timedelta(days=numbers.randint(0, 300))
        survived = "yes" if sex == "female" or fare > 1000 else "no"
        rows.append([f"Mx. {i}", sex, age, f"${fare:,.2f}", port, day.strftime("%d.%m.%Y"), survived])
    return ["name", "sex", "age", "fare", "embarked", "boarded", "survived"], rows


def titanic():
    header, rows = passengers()
    write("titanic.csv", header, rows)
    write("turned.csv", header[::-1], [row[::-1] for row in rows])
    write("passengers.csv", header[:-1], [["A", "female", "20", "$10.00", "S", "01.02.2024"],
                                          ["B", "male", "", "$8.00", "X", "31.03.2024"],
                                          ["C", "", "33", "$1,500.00", "Q", "01.04.2024"]])
    write("bare_fare.csv", header[:-1], [["A", "female", "20", "12", "S", "01.02.2024"]])
    bad = [list(row) for row in rows]
    bad[10][2] = "12x"
    write("bad.csv", header, bad)
    late = [list(row) for row in rows]
    for row in late[160:]:
        row[3], row[4] = "$9,000.00", "Z"
    write("late.csv", header, late)
    json.dump({"sex": "left_out", "embarked": {"kind": "category", "categories": ["C", "S"], "other": True},
               "fare": {"kind": "number", "scale": "none"},
               "boarded": {"kind": "date", "parts": ["days"]}, "name": "left_out"}, open("fares.json", "w"))


def german(number):
    return f"{number:,.2f}".replace(",", " ").replace(".", ",").replace(" ", ".")


def sales():
    numbers = random.Random(2)
    rows = []
    for _ in range(400):
        moment = datetime.datetime(2023, 1, 1) + datetime.timedelta(minutes=numbers.randint(0, 500000))
        amount = numbers.uniform(0.5, 2000)
        turnover = 1100.5 if moment.weekday() >= 5 else 3.25
        rows.append([moment.strftime("%d.%m.%Y %H:%M"), german(amount), german(turnover)])
    write("sales.csv", ["datum", "menge", "umsatz"], rows, ";")
    write("unclear.csv", ["when", "y"], [[f"0{i}/0{i + 1}/2024", str(i)] for i in range(1, 9)])


def dense(name, units, activation, inputs=None):
    layer = {"module": "keras.layers", "class_name": "Dense", "name": name,
             "config": {"name": name, "units": units, "activation": activation, "use_bias": True}}
    return layer | ({"inbound_nodes": [{"args": inputs, "kwargs": {}}]} if inputs else {})


def tensor(layer, width):
    config = {"shape": [None, width], "dtype": "float32", "keras_history": [layer, 0, 0]}
    return {"class_name": "__keras_tensor__", "config": config}


def given(name, width):
    return {"module": "keras.layers", "class_name": "InputLayer", "name": name, "inbound_nodes": [],
            "config": {"batch_shape": [None, width], "dtype": "float32", "name": name}}


def sequence(name, width, layers):
    config = {"name": "table", "layers": [given("features", width), *layers]}
    json.dump({"class_name": "Sequential", "config": config}, open(name, "w"))


def two_inputs(name, sex):
    layers = [given("sex", sex), given("fare", 1),
              {"module": "keras.layers", "class_name": "Concatenate", "name": "all", "config": {"name": "all", "axis": -1},
               "inbound_nodes": [{"args": [[tensor("sex", sex), tensor("fare", 1)]], "kwargs": {}}]},
              dense("hidden", 8, "relu", [tensor("all", sex + 1)]),
              dense("kind", 1, "sigmoid", [tensor("hidden", 8)])]
    config = {"name": "two", "layers": layers, "input_layers": [["sex", 0, 0], ["fare", 0, 0]],
              "output_layers": [["kind", 0, 0]]}
    json.dump({"class_name": "Functional", "config": config}, open(name, "w"))


def npz(name):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 14), }".ljust(117) + "\n"
    array = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + bytes(2 * 14 * 4)
    with zipfile.ZipFile(name, "w") as archive:
        archive.writestr("x.npy", array)


titanic()
sales()
npz("data.npz")
sequence("wide.json", 14, [dense("hidden", 8, "relu"), dense("kind", 1, "sigmoid")])
sequence("narrow.json", 5, [dense("kind", 1, "sigmoid")])
sequence("sales.json", 8, [dense("hidden", 16, "tanh"), dense("turnover", 1, "linear")])
two_inputs("two.json", 2)
two_inputs("two_narrow.json", 1)
