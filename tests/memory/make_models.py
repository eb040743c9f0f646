"""make_models.py FOLDER: small models of several kinds, as model.to_json() writes them, and records of zeros for each.

A line for each: its name and the batch size at which its memory is worth saving.
"""
import json
import pathlib
import struct
import sys
import zipfile


def layer(kind, **config):
    return {"module": "keras.layers", "class_name": kind, "config": config, "registered_name": None}


def dense(units, activation="relu"):
    return layer("Dense", units=units, activation=activation)


def convolution(filters, kind="Conv2D", **config):
    return layer(kind, filters=filters, kernel_size=[3, 3], padding="same", **config)


# name: the shapes of an input and of a target, the batch size, the layers
MODELS = {
    "deep": ([512], [512], 4096, [dense(512) for _ in range(24)]),
    "dense": ([512], [512], 256, [dense(512) for _ in range(12)]),
    "wide": ([64], [64], 32, [dense(4096), dense(1024), dense(64, "linear")]),
    "convolution": ([64, 64, 3], [1], 64, [
        convolution(32, activation="relu"), convolution(32, activation="relu"),
        layer("MaxPooling2D", pool_size=[2, 2]), convolution(64, activation="relu"),
        layer("GlobalAveragePooling2D"), dense(1, "linear")]),
    "normalized": ([32, 32, 3], [1], 64, [
        part for _ in range(6) for part in
        (convolution(32), layer("BatchNormalization"), layer("Activation", activation="relu"))
    ] + [layer("GlobalAveragePooling2D"), dense(1, "linear")]),
    "recurrent": ([100, 8], [1], 128, [
        layer("LSTM", units=256, return_sequences=True), layer("GRU", units=256), dense(1, "linear")]),
    "upsampling": ([64, 64, 3], [64, 64, 3], 16, [
        convolution(32, strides=[2, 2], activation="relu"), convolution(64, strides=[2, 2], activation="relu"),
        convolution(32, "Conv2DTranspose", strides=[2, 2], activation="relu"),
        convolution(3, "Conv2DTranspose", strides=[2, 2])]),
}


def model_json(name, shape, layers):
    first = layer("InputLayer", batch_shape=[None, *shape], dtype="float32", name="input")
    for number, each in enumerate(layers):
        each["config"]["name"] = f"{each['class_name'].lower()}_{number}"
    return json.dumps({"module": "keras", "class_name": "Sequential", "registered_name": "Sequential",
                       "config": {"name": name, "layers": [first, *layers]},
                       "build_config": {"input_shape": [None, *shape]}})


def write_zeros(archive, name, shape):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    count = 1
    for side in shape:
        count *= side
    with archive.open(f"{name}.npy", "w") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for _ in range(shape[0]):
            file.write(bytes(4 * count // shape[0]))


def main(folder):
    for name, (inputs, targets, batch, layers) in MODELS.items():
        (folder / f"{name}.json").write_text(model_json(name, inputs, layers))
        with zipfile.ZipFile(folder / f"{name}.npz", "w") as records:
            write_zeros(records, "x", [batch, *inputs])
            write_zeros(records, "y", [batch, *targets])
        print(name, batch)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
