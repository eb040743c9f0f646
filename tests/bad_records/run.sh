#!/usr/bin/env bash
# Training on data with bad records: fail, skip, repair; the same whatever the number of workers; no more memory than on
# good data. Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$(realpath "${1:-build}/bin/plimsoll")
root=$PWD
model=$root/tests/docs_commands/model.json
# shellcheck source=tests/cli/commands.sh
source tests/cli/commands.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

photos=(--loss sparse_categorical_crossentropy --epochs 2)

# result RUN KEY: of run.json.
result() { python3 -c "import json, sys; print(json.load(open('$1/run.json'))['result']['$2'])"; }

fail_cases() {
  refuses 3 "--on-bad-record skip" train "$model" broken "${photos[@]}" --out fails
  python3 - error broken.json <<'PY' || fail "the error names no broken file: $(cat error)"
import json, sys
said, broken = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))["broken"]
sys.exit(not any(f"plimsoll: {entry['path']}: " in said for entry in broken))
PY
  refuses 3 "more than the 1% that may be left out" train "$model" broken "${photos[@]}" --on-bad-record skip --out many
}

# Exactly the broken files are left out, each once and with its reason; the rest is trained on.
skip_cases() {
  local workers good bad
  for workers in 0 1 3; do
    runs train "$model" broken "${photos[@]}" --on-bad-record skip --max-bad 0.1 --out "skips$workers" --workers "$workers"
    says '^20 record\(s\) were left out: ' out
    [[ $(result "skips$workers" metrics) == $(result skips0 metrics) ]] || fail "$workers workers train otherwise than none"
  done
  python3 - skips3/quarantine.jsonl broken.json <<'PY' || fail "other records in quarantine: $(cat skips3/quarantine.jsonl)"
import json, sys
left_out = [json.loads(line) for line in open(sys.argv[1])]
broken = {entry["path"]: entry["reason"] for entry in json.load(open(sys.argv[2]))["broken"]}
kept = {entry["path"]: entry["reason"] for entry in left_out}
sys.exit(not (kept == broken and len(left_out) == len(broken) and all(entry["epoch"] == 1 for entry in left_out)))
PY
  # The folder without them trains to the same numbers where the order is the same.
  runs train "$model" broken "${photos[@]}" --on-bad-record skip --max-bad 0.1 --out skips --no-shuffle
  cp -r broken good
  python3 -c "import json, os
for entry in json.load(open('broken.json'))['broken']: os.remove('good' + entry['path'].removeprefix('broken'))"
  runs train "$model" good "${photos[@]}" --out clean --no-shuffle
  [[ $(result skips metrics) == $(result clean metrics) ]] || fail "a folder with bad records trains otherwise than one without"
  good=$(result clean measured_peak_bytes) bad=$(result skips measured_peak_bytes)
  ((bad < good + 4 * 1024 * 1024)) || fail "bad records take memory: $bad bytes, without them $good"
}

repair_cases() {
  local table=(--target price --no-shuffle --epochs 2)
  { echo "a,b,price" && echo "1,1,1" && echo "3,inf,2" && echo ",4,3" && echo "8,1,4"; } >holes.csv
  { echo "a,b,price" && echo "1,1,1" && echo "3,2,2" && echo "4,4,3" && echo "8,1,4"; } >means.csv
  { echo "a,b,price" && echo "1,1,1" && echo "3,1,2" && echo "3,4,3" && echo "8,1,4"; } >medians.csv
  refuses 3 "holes.csv:4:1: column 'a' has no value" train "$table_model" holes.csv "${table[@]}" --out holes
  runs train "$table_model" holes.csv "${table[@]}" --on-bad-record repair --out repaired
  runs train "$table_model" means.csv "${table[@]}" --out means
  [[ $(result repaired metrics) == $(result means metrics) ]] || fail "repair puts another number than the mean"
  runs train "$table_model" holes.csv "${table[@]}" --on-bad-record repair --repair-with median --out middle
  runs train "$table_model" medians.csv "${table[@]}" --out medians
  [[ $(result middle metrics) == $(result medians metrics) ]] || fail "repair puts another number than the median"
  runs train "$table_model" holes.csv "${table[@]}" --on-bad-record skip --max-bad 0.5 --out left
  says '"path":"holes.csv:3","reason":"not_finite"' left/quarantine.jsonl
  says '"path":"holes.csv:4","reason":"missing"' left/quarantine.jsonl
}

# Rows of a table that cannot be used: in train, evaluate and predict alike.
table_cases() {
  local line skip=(--on-bad-record skip --max-bad 0.5) more=(--on-bad-record skip --max-bad 0.7)
  { echo "a,b,price" && echo "1,1,1" && echo "2,3,N/A" && echo "3,1," && echo "4,x,4" && echo "5,1,5" && echo "6,1" &&
    echo "7,,7" && echo "8,1,8"; } >rows.csv
  refuses 3 "rows.csv:7:3: expected 3 fields as in the header, found 2; see all bad records with" train "$table_model" rows.csv --target price --out rows
  runs train "$table_model" rows.csv --target price "${more[@]}" --out rows
  says '^5 record\(s\) were left out' out
  python3 - <<'PY' || fail "other rows in quarantine: $(cat rows/quarantine.jsonl)"
import json, sys
found = sorted((entry["path"], entry["reason"]) for entry in map(json.loads, open("rows/quarantine.jsonl")))
sys.exit(found != [("rows.csv:3", "missing"), ("rows.csv:4", "missing"), ("rows.csv:5", "not_a_number"),
                   ("rows.csv:7", "shape"), ("rows.csv:8", "missing")])
PY
  refuses 3 "--on-bad-record skip" evaluate rows/model.keras rows.csv
  runs evaluate rows/model.keras rows.csv --json "${more[@]}"
  says '"records": 3' out
  says '"left_out": 5' out
  says "warning: rows.csv: 5 record\(s\) are left out: rows.csv:3 \(missing\)" error
  refuses 3 "more than the 50% that may be left out" evaluate rows/model.keras rows.csv "${skip[@]}"
  # A row without a target is predicted; one without an input keeps its place.
  refuses 3 "--on-bad-record skip" predict rows/model.keras rows.csv --out rows-p.csv
  runs predict rows/model.keras rows.csv --out rows-p.csv "${skip[@]}"
  says "warning: rows.csv: 3 record\(s\) have no prediction, and empty cells in the output: rows.csv:5 \(not_a_number\)" error
  [[ $(wc -l <rows-p.csv) == 9 ]] || fail "rows have lost their places: $(cat rows-p.csv)"
  for line in 5 7 8; do says "^rows.csv:$line,$" rows-p.csv; done
  for line in 2 3 4 6 9; do says "^rows.csv:$line,-?[0-9]" rows-p.csv; done
  runs predict rows/model.keras rows.csv --out rows-p.npy "${skip[@]}" --json
  says '"left_out": 3' out
  python3 - <<'PY' || fail "rows-p.npy has no NaN in the places of bad rows"
import math, struct, sys
numbers = struct.unpack("<8f", open("rows-p.npy", "rb").read()[-32:])
sys.exit([math.isnan(number) for number in numbers] != [False, False, False, True, False, True, True, False])
PY
}

# A table of over 64 MiB of numbers is not loaded: its rows are read, and are bad, one by one.
large_table_cases() {
  local line
  python3 - <<'PY'
import json
columns, records = 200, 90_000
bad = {10: "x" + ",1" * columns, 20: "1," * columns, 30: "1,1", records - 2: "," * (columns - 1) + "inf,1"}
with open("large.csv", "w") as file:
    file.write(",".join(f"c{i}" for i in range(columns)) + ",price\n")
    file.write("".join(bad.get(row, f"{row % 2}" + ",1" * columns) + "\n" for row in range(records)))
layers = [{"class_name": "InputLayer", "config": {"batch_shape": [None, columns], "name": "in"}},
          {"class_name": "Dense", "config": {"name": "out", "units": 1, "kernel_initializer": "zeros"}}]
json.dump({"class_name": "Sequential", "config": {"name": "large", "layers": layers},
           "compile_config": {"loss": "mse", "optimizer": "sgd"}}, open("large.json", "w"))
PY
  local options=(--target price --batch-size 1000 --learning-rate 0.0001)
  refuses 3 "--on-bad-record skip" train large.json large.csv "${options[@]}" --out large
  runs train large.json large.csv "${options[@]}" --on-bad-record skip --out large
  says_not "large.csv: .*records take .* of memory" error
  python3 - <<'PY' || fail "other rows in quarantine: $(cat large/quarantine.jsonl)"
import json, sys
found = sorted((int(entry["path"].split(":")[1]), entry["reason"]) for entry in map(json.loads, open("large/quarantine.jsonl")))
sys.exit(found != [(12, "not_a_number"), (22, "missing"), (32, "shape"), (90_000, "missing")])
PY
  runs evaluate large/model.keras large.csv --batch-size 1000 --on-bad-record skip --json
  says '"records": 89996' out
  says '"left_out": 4' out
  refuses 3 "--on-bad-record skip" evaluate large/model.keras large.csv --batch-size 1000
  # The row without a target is predicted.
  runs predict large/model.keras large.csv --batch-size 1000 --on-bad-record skip --out large-p.csv
  [[ $(wc -l <large-p.csv) == 90001 ]] || fail "rows have lost their places"
  for line in 12 32 90000; do says "^large.csv:$line,$" large-p.csv; done
  for line in 11 22 90001; do says "^large.csv:$line,-?[0-9]" large-p.csv; done
  rm large.csv large-p.csv
}

# What repair has learnt is kept with the model.
kept_repair_cases() {
  local file
  { echo "a,b,price" && echo ",2,1" && echo "3,inf,2"; } >new-holes.csv
  { echo "a,b,price" && echo "4,2,1" && echo "3,2,2"; } >new-means.csv
  keeps '"repair": \[4.0, 2.0\]' repaired/data.json
  keeps '"repair": \[3.0, 1.0\]' middle/data.json
  for file in new-holes new-means; do
    runs evaluate repaired/model.keras $file.csv --json
    cp out $file.json
    runs predict repaired/model.keras $file.csv --out $file.npy
  done
  cmp new-holes.json new-means.json || fail "evaluate repairs with other numbers than training"
  cmp new-holes.npy new-means.npy || fail "predict repairs with other numbers than training"
  refuses 3 "new-holes.csv:2:1: column 'a' has no value" evaluate repaired/model.keras new-holes.csv --on-bad-record fail
  refuses 2 "the model was not trained with it" evaluate means/model.keras new-holes.csv --on-bad-record repair
  sed 's/^,/nan,/' new-holes.csv | sed 's/inf/-inf/' >new-nan.csv
  refuses 3 "new-nan.csv:3: column 'b' is infinite" predict means/model.keras new-nan.csv --out x.npy --missing 0
  runs predict means/model.keras new-nan.csv --out x.npy --allow-nan --missing 0 --json
  says "warning: new-nan.csv: the outputs of 1 record\(s\) are not finite: new-nan.csv:3 " error
  says '"not_finite": 1' out
}

# A class is not made up of outputs that are none. Records that are left out have been named already.
not_finite_cases() {
  { echo "a,b,kind" && echo "1,2,oak" && echo "5,1,ash" && echo "1,3,oak" && echo "6,1,ash"; } >trees.csv
  runs train "$table_model" trees.csv --target kind --loss binary_crossentropy --out trees
  { echo "a,b" && echo "1,2" && echo "inf,1" && echo "x,1" && echo "-inf,inf" && echo "2,2"; } >odd.csv
  runs predict trees/model.keras odd.csv --out odd-p.csv --allow-nan --on-bad-record skip --max-bad 0.5
  says "warning: odd.csv: the outputs of [12] record\(s\) are not finite: odd.csv:[35]" error
  says '^odd.csv:[35],,$' odd-p.csv
  says '^odd.csv:4,,$' odd-p.csv
  says '^odd.csv:2,(oak|ash),' odd-p.csv
  ! grep -E 'nan|inf' odd-p.csv || fail "a class of no number: $(cat odd-p.csv)"
  runs predict trees/model.keras trees.csv --out odd-p.csv
  ! grep -F "not finite" error || fail "a warning for nothing: $(cat error)"
}

# Ten images of noise, the third with a label that is no class.
label_cases() {
  { printf '\0\0\010\004\0\0\0\012\0\0\0\030\0\0\0\030\0\0\0\003' && head -c $((10 * 24 * 24 * 3)) /dev/urandom; } >x-idx4-ubyte
  printf '\0\0\010\001\0\0\0\012\0\1\011\1\0\1\0\1\0\1' >y-idx1-ubyte
  refuses 3 "[2]: the label is 9, expected a whole number from 0 to 1" train "$model" x-idx4-ubyte,y-idx1-ubyte "${photos[@]}" --out wrong
  runs train "$model" x-idx4-ubyte,y-idx1-ubyte "${photos[@]}" --out labels --on-bad-record skip --max-bad 0.2
  says '"reason":"label"' labels/quarantine.jsonl
  refuses 3 "[2]: the label is 9, expected a whole number from 0 to 1" evaluate labels/model.keras x-idx4-ubyte,y-idx1-ubyte
  refuses 3 "[2]: the label is 9, expected a whole number from 0 to 1" train "$model" good "${photos[@]}" --out validated \
    --validation x-idx4-ubyte,y-idx1-ubyte
}

usage_cases() {
  refuses 2 "--on-bad-record" train "$model" broken --out x --on-bad-record maybe
  refuses 2 "--max-bad" train "$model" broken --out x --max-bad 2
  refuses 2 "--workers" train "$model" broken --out x --workers -1
  refuses 2 "'turn' is not known" train "$model" broken "${photos[@]}" --out x --augment turn=3
  refuses 2 "rotation expects a number" train "$model" broken "${photos[@]}" --out x --augment rotation
}

# The numbers of an augmented run do not depend on who reads.
augment_cases() {
  local workers
  for workers in 0 2; do
    runs train "$model" good "${photos[@]}" --out "changed$workers" --workers "$workers" \
      --augment flip,rotation=20,zoom=0.2,brightness=0.1
  done
  [[ $(result changed0 metrics) == $(result changed2 metrics) ]] || fail "augmentation depends on the workers"
  [[ $(result changed0 metrics) != $(result clean metrics) ]] || fail "augmentation changes nothing"
}

bench_cases() {
  runs bench-data good --seconds 0.1 --augment flip
  says "^the slowest stage is '" out
  runs bench-data good --seconds 0.1 --json
  python3 -c "import json, sys
report = json.load(open('out'))
names = [stage['stage'] for stage in report['stages']]
sys.exit(names != ['files', 'decode', 'resize', 'check'] or report['batches'][0]['records_per_second'] <= 0)" ||
    fail "bench-data prints something else: $(cat out)"
  runs bench-data means.csv --target price --seconds 0.1
}

table_model=$root/tests/data/keras_files/keras3_sequence.keras
python3 "$root/tests/support/broken_images.py" broken 400 0.05 >broken.json
fail_cases
skip_cases
repair_cases
table_cases
large_table_cases
kept_repair_cases
not_finite_cases
label_cases
usage_cases
augment_cases
bench_cases
echo "ok: bad records are named, left out or repaired, and training is the same without them"
