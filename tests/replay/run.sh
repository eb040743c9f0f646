#!/usr/bin/env bash
# A number that is not finite: train names the operation, the layer and the record, keeps the step, and replay shows it
# again; --on-bad-step says what happens instead of stopping. Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$(realpath "${1:-build}/bin/plimsoll")
# shellcheck source=tests/cli/commands.sh
source tests/cli/commands.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# The model has exp(a + b) in it; record 78, on line 79, makes that infinite.
cat >model.json <<'JSON'
{"class_name": "Sequential", "config": {"name": "grows", "layers": [
  {"class_name": "InputLayer", "config": {"batch_input_shape": [null, 2], "name": "input"}},
  {"class_name": "Dense", "config": {"name": "wide", "units": 1, "activation": "exponential",
    "kernel_initializer": {"class_name": "Ones", "config": {}}}},
  {"class_name": "Dense", "config": {"name": "head", "units": 1}}]}}
JSON
awk 'BEGIN { print "a,b,price"; for (i = 1; i <= 200; ++i) { a = (i * 7 % 20) / 20; b = (i * 3 % 17) / 20
       print (i == 78 ? 500 : a) "," b "," a + b } }' >grows.csv
training=(model.json grows.csv --target price --loss mse --optimizer sgd --seed 1)

refuses 5 "exp in layer 'wide' made infinite numbers" train "${training[@]}" --out stopped
says "for the record 'grows.csv:79'" error
says '"event":"not_finite"' stopped/log.jsonl
says '"op":"exp","gradient_of":"","layer":"wide"' stopped/log.jsonl

runs replay stopped
says "exp in layer 'wide' made infinite numbers" out
says '^! exp +wide' out
runs replay stopped --at wide --json
says '"op": "exp"' out
says '"line": ""' out
says '"infinite": 1' out
refuses 3 "no layer and no operation of the step is called 'nowhere'" replay stopped --at nowhere
refuses 3 'step 12345 is not kept (kept: ' replay stopped --step 12345

runs train "${training[@]}" --epochs 2 --out skipped --on-bad-step skip
says 'a step is skipped' error
says 'grows.csv:79' skipped/quarantine.jsonl
runs evaluate skipped/model.keras grows.csv --target price --on-bad-record skip --max-bad 1
refuses 3 'no step is kept in bad-steps' replay .
refuses 2 'found --no-checkpoints' train "${training[@]}" --out refused --on-bad-step rollback --no-checkpoints

# A learning rate with which every step overshoots is lowered until one does not.
sed -i 's/^500,/0.4,/' grows.csv
runs train "${training[@]}" --out lowered --learning-rate 200 --epochs 30 --on-bad-step rollback --checkpoint-steps 1
says 'goes back to lowered/checkpoints/.* with half the learning rate' error
# Three bad steps among 100: the first two are skipped, and all records that were left out are listed.
awk 'NR == 12 || NR == 60 || NR == 150 { sub(/^[^,]*/, "500") } { print }' grows.csv >thrice.csv
thrice=(model.json thrice.csv --target price --loss mse --optimizer sgd --no-shuffle --learning-rate 0.001)
refuses 5 'the step is not skipped, because 2 of the last 100 were' train "${thrice[@]}" --out thrice --on-bad-step skip
says "for the record 'thrice.csv:150'" error
says 'thrice.csv:12"' thrice/quarantine.jsonl
says 'thrice.csv:60"' thrice/quarantine.jsonl
[[ $(wc -l <thrice/quarantine.jsonl) == 2 ]] || fail "quarantine.jsonl has other lines: $(cat thrice/quarantine.jsonl)"
runs replay thrice --json
[[ $(find thrice/bad-steps -type f | wc -l) == 3 ]] || fail "bad-steps has other files: $(ls thrice/bad-steps)"
runs replay thrice --step 0 --at exp
says 'reads .* from .* to 500' out
says '\|.*█.*\|' out

# A batch in parts, and repair, which skips where a record is the cause.
runs train "${thrice[@]}" --out parts --micro-batch 8 --epochs 1 --batch 256 --on-bad-step repair
says "a step is skipped: .*for the records 'thrice.csv:12', 'thrice.csv:60', 'thrice.csv:150'" error
[[ $(wc -l <parts/quarantine.jsonl) == 3 ]] || fail "quarantine.jsonl has other lines: $(cat parts/quarantine.jsonl)"

# A picture that is much brighter than the others.
make_picture() {
  python3 -c 'import struct, sys, zlib
side, grey = 8, int(sys.argv[2])
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
rows = (b"\0" + bytes([grey]) * side) * side
open(sys.argv[1], "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0))
    + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))' "$@"
}
mkdir -p photos/dark photos/darker
for i in 0 1 2 3 4 5 6 7; do
  make_picture "photos/dark/$i.png" $((20 + i))
  make_picture "photos/darker/$i.png" $((2 + i))
done
make_picture photos/dark/5.png 255
cat >photos.json <<'JSON'
{"class_name": "Sequential", "config": {"name": "bright", "layers": [
  {"class_name": "InputLayer", "config": {"batch_input_shape": [null, 8, 8, 1], "name": "input"}},
  {"class_name": "Rescaling", "config": {"name": "scaled", "scale": 0.01}},
  {"class_name": "Flatten", "config": {"name": "flat"}},
  {"class_name": "Dense", "config": {"name": "wide", "units": 4, "activation": "exponential",
    "kernel_initializer": {"class_name": "Ones", "config": {}}}},
  {"class_name": "Dense", "config": {"name": "head", "units": 2, "activation": "softmax"}}]}}
JSON
pictures=(photos.json photos --loss sparse_categorical_crossentropy --optimizer sgd --learning-rate 1e-9 --batch 4)
refuses 5 "exp in layer 'wide' made infinite numbers" train "${pictures[@]}" --out pictures
says "for the record 'photos/dark/5.png'" error
runs train "${pictures[@]}" --out fewer --epochs 3 --on-bad-step skip
says 'photos/dark/5.png"' fewer/quarantine.jsonl
says '1 record\(s\) were left out' out

# A run that fits only if weights are updated early is explained from its last checkpoint.
python3 -c 'import json
dense = lambda name, units, **more: {"class_name": "Dense", "config": {"name": name, "units": units, **more}}
ones = {"class_name": "Ones", "config": {}}
layers = [{"class_name": "InputLayer", "config": {"batch_input_shape": [None, 2], "name": "input"}},
          dense("wide", 1200, activation="exponential", kernel_initializer=ones)]
layers += [dense(f"hidden_{i}", 1200, activation="relu") for i in range(6)] + [dense("head", 1)]
json.dump({"class_name": "Sequential", "config": {"name": "large", "layers": layers}}, open("large.json", "w"))'
early=(large.json thrice.csv --target price --loss mse --optimizer sgd --learning-rate 1e-9 --batch 4 --memory 80MiB --no-shuffle)
refuses 5 'weights are updated early to fit the memory, so they are put back to the checkpoint of' train "${early[@]}" --out early
says "it began with exp in layer 'wide' .* for the record 'thrice.csv:12'" error
refuses 5 'the step cannot be skipped, because weights are updated early' train "${early[@]}" --out early_skip --on-bad-step skip

echo "a step that is not finite is named, kept, shown again, skipped and gone back from"
