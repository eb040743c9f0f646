#!/usr/bin/env python3
"""tf.data on a folder of pictures, in turns with others (bench/peers/step_protocol.py): a step is a batch.

    tensorflow_images.py FOLDER [--variant A+B]

Variants: fixed (2 parallel calls rather than AUTOTUNE), batch_flip (flips a whole batch at once), wide (a thread more than
cores), malloc (glibc keeps freed memory mapped).
"""

import pathlib
import time

import protocol

FOLDER, VARIANT = protocol.start({"fixed", "batch_flip", "wide"})

begin = time.perf_counter()
import tensorflow as tf

IMPORT_SECONDS = time.perf_counter() - begin


def load(path, label):
    picture = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    picture = tf.image.resize(picture, protocol.SIZE)
    return picture if "batch_flip" in VARIANT else tf.image.random_flip_left_right(picture), label


def dataset():
    files = sorted(pathlib.Path(FOLDER).glob("*/*.jpg"))
    classes = sorted({file.parent.name for file in files})
    labels = [classes.index(file.parent.name) for file in files]
    data = tf.data.Dataset.from_tensor_slices(([str(file) for file in files], labels))
    data = data.shuffle(len(files), seed=0).repeat()
    data = data.map(load, num_parallel_calls=protocol.WORKERS if "fixed" in VARIANT else tf.data.AUTOTUNE)
    data = data.batch(protocol.BATCH)
    if "batch_flip" in VARIANT:
        data = data.map(lambda x, y: (tf.image.random_flip_left_right(x), y), num_parallel_calls=tf.data.AUTOTUNE)
    options = tf.data.Options()
    options.deterministic = False
    options.threading.private_threadpool_size = protocol.WORKERS + ("wide" in VARIANT)
    options.threading.max_intra_op_parallelism = 1
    return data.prefetch(tf.data.AUTOTUNE).with_options(options)


def build_step():
    tf.config.threading.set_intra_op_parallelism_threads(protocol.WORKERS)
    tf.config.threading.set_inter_op_parallelism_threads(protocol.WORKERS)
    batches = iter(dataset())

    def step():
        x, _ = next(batches)
        assert x.shape == (protocol.BATCH, *protocol.SIZE, 3), x.shape

    return step


protocol.serve(build_step, IMPORT_SECONDS)
