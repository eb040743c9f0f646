"""Writes a .npz file of any size, without NumPy: pictures of 224x224x3 as floats in x, labels below ten in y."""

import array
import random
import zipfile

SHAPE = (224, 224, 3)
ELEMENTS = 224 * 224 * 3
RECORD_BYTES = 4 * ELEMENTS


def header(descr, shape):
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape!r}, }}"
    text += " " * (-(10 + len(text) + 1) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


def write(path, records):
    """A record is a part of a pool of noise, from a place of its own."""
    rng = random.Random(0)
    pool = memoryview(array.array("f", (rng.random() for _ in range(3 * ELEMENTS)))).cast("B")
    with zipfile.ZipFile(path, "w") as archive:
        with archive.open("y.npy", "w") as member:
            labels = array.array("i", (rng.randrange(10) for _ in range(records)))
            member.write(header("<i4", (records,)) + labels.tobytes())
        with archive.open("x.npy", "w", force_zip64=True) as member:
            member.write(header("<f4", (records, *SHAPE)))
            for _ in range(records):
                start = 4 * rng.randrange(2 * ELEMENTS)
                member.write(pool[start : start + RECORD_BYTES])
