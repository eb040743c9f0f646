"""Runs of fit() whose planned peak is compared with what the process held: planned_runs.py NAME.

Prints one line of JSON with the planned peak and the kernel's VmHWM, in MiB; of a run of evaluate() or predict()
by how much the process grew.
"""

import json
import os
import re
import sys
import tempfile

import numpy as np
import plimsoll.tensorflow as tf
from plimsoll.tensorflow import keras

layers = keras.layers
LOSS = "sparse_categorical_crossentropy"
random = np.random.default_rng(0)


def compiled(model, loss=LOSS):
    model.compile("adam", loss)
    return model


def rows(count, *shape):
    return random.random((count, *shape), np.float32)


def labels(count, classes=10):
    return random.integers(0, classes, count).astype("int32")


def dense_layers():
    parts = [keras.Input((784,))] + [layers.Dense(1024, activation="relu") for _ in range(3)]
    return compiled(keras.Sequential([*parts, layers.Dense(10, activation="softmax")]))


def mlp():
    return dense_layers().fit(rows(2048, 784), labels(2048), batch_size=256, verbose=0)


def images():
    convolutions = [layers.Conv2D(32, 3, activation="relu"), layers.MaxPooling2D()]
    return compiled(
        keras.Sequential(
            [keras.Input((96, 96, 3)), *convolutions, layers.Flatten(), layers.Dense(10, activation="softmax")]
        )
    )


def cnn():
    return images().fit(rows(256, 96, 96, 3), labels(256), batch_size=64, verbose=0)


def bytes_of_images():
    pixels = random.integers(0, 256, (512, 96, 96, 3), np.uint8)
    return images().fit(pixels, labels(512), batch_size=64, verbose=0)


def lstm():
    model = keras.Sequential(
        [keras.Input((60, 16)), layers.LSTM(128), layers.Dense(10, activation="softmax")]
    )
    return compiled(model).fit(rows(512, 60, 16), labels(512), batch_size=128, verbose=0)


def two_inputs():
    a, b = keras.Input((300,), name="a"), keras.Input((200,), name="b")
    tower = [layers.Dense(2048, activation="relu")(x) for x in (a, b)]
    out = layers.Dense(10, activation="softmax")(layers.concatenate(tower))
    model = compiled(keras.Model([a, b], out))
    data = {"a": rows(4000, 300), "b": rows(4000, 200)}
    return model.fit(data, labels(4000), batch_size=512, verbose=0)


def pipeline():
    data = tf.data.Dataset.from_tensor_slices((rows(4096, 784), labels(4096)))
    data = data.shuffle(4096).map(lambda x, y: (x * 2.0 - 1.0, y)).batch(256).prefetch(tf.data.AUTOTUNE)
    return dense_layers().fit(data, verbose=0)


def generator():
    def batches():
        for _ in range(20):
            yield rows(128, 784), labels(128)

    return dense_layers().fit(batches(), verbose=0)


def sequence():
    class Batches(keras.utils.Sequence):
        def __len__(self):
            return 20

        def __getitem__(self, number):
            return rows(64, 96, 96, 3), labels(64)

    return images().fit(Batches(), verbose=0)


def validation():
    held_out = rows(1024, 784).astype("float64"), labels(1024)
    return dense_layers().fit(
        rows(2048, 784), labels(2048), batch_size=128, epochs=2, verbose=0, validation_data=held_out
    )


class Gate(layers.Layer):
    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1], shape[-1]), name="kernel")

    def call(self, x):
        return x * tf.sigmoid(tf.matmul(x, self.kernel))


class OwnModel(keras.Model):
    def __init__(self):
        super().__init__()
        self.wide, self.gate, self.last = layers.Dense(1500), Gate(), layers.Dense(10)

    def call(self, x):
        return tf.nn.softmax(self.last(self.gate(self.wide(x))))


def own_classes():
    return compiled(OwnModel()).fit(rows(2048, 500), labels(2048), batch_size=512, verbose=0)


def deep(count):
    parts = [keras.Input((512,))] + [layers.Dense(512, activation="relu") for _ in range(count)]
    return compiled(keras.Sequential([*parts, layers.Dense(10, activation="softmax")]))


def in_parts():
    """The batch as a whole does not fit."""
    x, y = rows(8192, 512), labels(8192)
    return deep(8).fit(x, y, batch_size=8192, memory="200MiB", verbose=0)


def text_and_weights():
    """Records with weights of their own, and dropout."""
    model = keras.Sequential(
        [
            keras.Input((100,), dtype="int32"),
            layers.Embedding(20_000, 64),
            layers.Dropout(0.2),
            layers.GlobalAveragePooling1D(),
            layers.Dense(10, activation="softmax"),
        ]
    )
    words = random.integers(0, 20_000, (4096, 100)).astype("int64")
    return compiled(model).fit(
        words, labels(4096), sample_weight=np.ones(4096), batch_size=256, verbose=0
    )


def best_weights():
    """A copy of the best weights is kept."""
    stopping = keras.callbacks.EarlyStopping("loss", patience=9, restore_best_weights=True)
    return deep(24).fit(rows(2048, 512), labels(2048), batch_size=256, epochs=3, verbose=0, callbacks=[stopping])


def large_float64():
    """320 MiB, cast batch by batch."""
    return dense_layers().fit(random.random((53_500, 784)), labels(53_500), batch_size=256, verbose=0)


def large_bytes():
    """324 MiB of bytes, which would be 1.3 GiB of floats."""
    pixels = random.integers(0, 256, (12_288, 96, 96, 3), np.uint8)
    return images().fit(pixels, labels(12_288), batch_size=64, steps_per_epoch=8, verbose=0)


def wide_generator():
    """Each batch is made of arrays of float64, three times as large as what is kept of them."""

    def batches():
        for _ in range(12):
            whole = random.random((6144, 784))
            yield (whole * 2 - 1)[:2048], labels(2048)

    return dense_layers().fit(batches(), verbose=0)


def image_folder():
    """Pictures that are larger than what the model takes."""
    with tempfile.TemporaryDirectory() as folder:
        for label in "ab":
            os.mkdir(f"{folder}/{label}")
            for number in range(40):
                pixels = random.integers(0, 256, (600, 800, 3), np.uint8)
                keras.utils.save_img(f"{folder}/{label}/{number}.png", pixels)
        data = keras.utils.image_dataset_from_directory(folder, image_size=(96, 96), verbose=False)
        return images().fit(data, verbose=0)


RUNS = {
    run.__name__: run
    for run in (
        mlp,
        cnn,
        bytes_of_images,
        lstm,
        two_inputs,
        pipeline,
        generator,
        sequence,
        validation,
        own_classes,
        in_parts,
        text_and_weights,
        best_weights,
        large_float64,
        large_bytes,
        wide_generator,
        image_folder,
    )
}

FLOATS, BYTES = (53_500, 784), (12_288, 96, 96, 3)  # 320 MiB of float64, 324 MiB of uint8


def evaluate_floats():
    x, y, model = random.random(FLOATS), labels(FLOATS[0]), dense_layers()
    return lambda: model.evaluate(x, y, batch_size=256, verbose=0)


def evaluate_bytes():
    x, y, model = random.integers(0, 256, BYTES, np.uint8), labels(BYTES[0]), images()
    return lambda: model.evaluate(x, y, batch_size=64, steps=8, verbose=0)


def predict_floats():
    x, model = random.random(FLOATS), dense_layers()
    return lambda: model.predict(x, batch_size=256, verbose=0)


def predict_bytes():
    x, model = random.integers(0, 256, BYTES, np.uint8), images()
    return lambda: model.predict(x, batch_size=64, steps=8, verbose=0)


# Each gives a run that has no plan to compare with; its data is in memory before.
UNPLANNED = {run.__name__: run for run in (evaluate_floats, evaluate_bytes, predict_floats, predict_bytes)}


def kib(field: str) -> int:
    return int(re.search(field + r":\s+(\d+) kB", open("/proc/self/status").read())[1])


def grown_by(run) -> float:
    """By how much the process grows at most meanwhile, in MiB."""
    before = kib("VmRSS")
    with open("/proc/self/clear_refs", "w") as refs:
        refs.write("5")  # the peak begins anew
    run()
    return (kib("VmHWM") - before) / 1024


def main() -> None:
    name = sys.argv[1]
    if name in UNPLANNED:
        print(json.dumps({"grown_mib": grown_by(UNPLANNED[name]())}))
        return
    planned = RUNS[name]().plan.peak_bytes
    print(json.dumps({"planned_mib": planned / 2**20, "peak_mib": kib("VmHWM") / 1024}))


if __name__ == "__main__":
    main()
