"""Runs a block of Python of a document, with the names that the text takes for granted: run_block.py BLOCK"""

import os
import sys

os.environ.update(KERAS_BACKEND="tensorflow", TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1")
import keras
import numpy as np

data = np.load("data.npz")
with open("architecture.json") as file:
    model = keras.models.model_from_json(file.read())
names = {"keras": keras, "np": np, "model": model, "x": data["x"], "y": data["y"]}
with open(sys.argv[1]) as file:
    exec(compile(file.read(), sys.argv[1], "exec"), names)
