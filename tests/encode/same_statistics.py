"""same_statistics.py TABLE DATA_JSON COUNT: ends with 0 if the encoding of the fares is that of the first COUNT rows."""

import csv
import json
import statistics
import sys

table, data, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open(table) as file:
    rows = list(csv.DictReader(file))[:count]
encode = json.load(open(data))["encode"]
if isinstance(encode, str):
    encode = json.loads(encode)
fares = [float(row["fare"].replace("$", "").replace(",", "")) for row in rows]
known = encode["fare"]
near = lambda a, b: abs(a - b) <= 1e-9 * abs(b)
ports = sorted({row["embarked"] for row in rows} - {""})
sys.exit(not (near(known["mean"], statistics.fmean(fares)) and near(known["deviation"], statistics.pstdev(fares))
              and near(known["median"], statistics.median(fares)) and encode["embarked"]["categories"] == ports))
