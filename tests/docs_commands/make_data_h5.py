"""Makes data.h5: arrays for model.json as h5py writes them, x in compressed chunks.

    $(./dev peers) tests/docs_commands/make_data_h5.py
"""

import pathlib

import h5py
import numpy as np

y = np.arange(12, dtype="i4") % 2
x = np.zeros((12, 24, 24, 3), "u1")
x[y == 1, ::4] = 255
with h5py.File(pathlib.Path(__file__).parent / "data.h5", "w") as file:
    file.create_dataset("x", data=x, compression="gzip", shuffle=True)
    file["y"] = y
