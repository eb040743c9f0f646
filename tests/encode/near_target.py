"""near_target.py TABLE PREDICTIONS: ends with 0 if nine in ten predictions are nearer to their turnover than to the other."""

import csv
import struct
import sys

with open(sys.argv[1]) as file:
    targets = [float(row["umsatz"].replace(".", "").replace(",", ".")) for row in csv.DictReader(file, delimiter=";")]
with open(sys.argv[2], "rb") as file:
    data = file.read()
predictions = struct.unpack(f"<{len(targets)}f", data[-4 * len(targets):])
right = sum(abs(p - t) < 500 for p, t in zip(predictions, targets))
sys.exit(right < 0.9 * len(targets))
