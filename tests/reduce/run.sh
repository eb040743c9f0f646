#!/usr/bin/env bash
# Twelve trainings that fail or learn badly, each in its own way, are reduced to at most 3 records and 3 layers that
# fail in the same way; a sound one is refused. Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
here=$PWD/tests/reduce
program=$(realpath "${1:-build}/bin/plimsoll")
# shellcheck source=tests/cli/commands.sh
source tests/cli/commands.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$program" "$scratch/bin/plimsoll"
PATH=$scratch/bin:$PATH
python3 "$here/make_cases.py" "$scratch"
cd "$scratch"

# is_small NAME KIND CAUSE: what reduce printed (out) is a small case of this failure.
is_small() {
  python3 - "$@" <<'PY' || fail "$1 was not reduced to a small case of $3: $(cat out)"
import json, sys
name, kind, cause = sys.argv[1:]
found = json.load(open("out"))
failure, size, was = found["failure"], found["size"], found["from"]
print(f"{name}: {failure['kind']} {failure['cause']}, {was['records']} -> {size['records']} records, "
      f"{was['layers']} -> {size['layers']} layers, {was['parameters']} -> {size['parameters']} parameters, "
      f"{found['trials']} trials")
assert (failure["kind"], failure["cause"]) == (kind, cause), failure
assert size["records"] <= 3 and size["layers"] <= 3, size
assert size["records"] < was["records"] and len(found["records"]) == size["records"]
assert found["is_minimal"], "the time was over"
PY
}

# fails_alone NAME CODE: the script in the folder of the case, copied elsewhere, ends so.
fails_alone() {
  local code=0
  rm -rf elsewhere
  cp -r "$1" elsewhere
  (cd / && sh "$scratch/elsewhere/run_plimsoll.sh") >said 2>&1 || code=$?
  ((code == $2)) || fail "$1/run_plimsoll.sh ended with $code, expected $2: $(cat said)"
}

# finding RUN: the operation with which the log says that it began.
operation_of() {
  python3 - "$1/log.jsonl" <<'PY'
import json, sys
for line in open(sys.argv[1]):
    event = json.loads(line)
    if event["event"] == "not_finite":
        bad = event.get("began", event)
        print(bad["op"] + (", in the gradient of " + bad["gradient_of"] if bad["gradient_of"] else ""))
PY
}

# not_finite NAME MODEL DATA OPTION…: trains, and reduces the run and the training.
not_finite() {
  local name=$1 operation
  "$program" train "${@:2}" --out "$name-run" --seed 1 >out 2>error && fail "$name did not fail: $(cat out)"
  operation=$(operation_of "$name-run")
  runs reduce "$name-run" --out "$name-case" --json
  is_small "$name" not_finite "$operation"
  fails_alone "$name-case" 5
}

# refused NAME FLAW MODEL DATA OPTION…
refused() {
  runs reduce "${@:3}" --out "$1-case" --json
  is_small "$1" bad_record "$2"
  fails_alone "$1-case" 3
}

# judged NAME CAUSE MODEL DATA OPTION…: trains, and reduces the run.
judged() {
  local name=$1
  runs train "${@:3}" --out "$name-run" --seed 1
  runs doctor "$name-run" --json
  says "\"cause\": \"$2\"" <(grep -m 1 '"cause"' out)
  runs reduce "$name-run" --out "$name-case" --json
  is_small "$name" diagnosis "$2"
  fails_alone "$name-case" 0
  says "(error|warning) $2" said
}

mse=(--loss mse --optimizer sgd)
classes=(--loss sparse_categorical_crossentropy --optimizer adam)
ring=(--target inside --loss binary_crossentropy --metrics accuracy --optimizer adam --learning-rate 0.01)

not_finite log_of_zero log.json log.npz "${mse[@]}"
not_finite constant_column constant.json constant.npz "${mse[@]}"
not_finite exp_overflow exp.json exp.npz "${mse[@]}" --learning-rate 0.0001
not_finite exploding_rate rate.json rate.npz "${mse[@]}" --learning-rate 5 --epochs 3
"$program" convert weight.json weight.keras
python3 "$here/make_cases.py" corrupt weight.keras
not_finite corrupted_weight weight.keras weight.npz "${mse[@]}"
not_finite exploding_recurrence lstm.json lstm.npz "${mse[@]}"
refused infinite_record not_finite infinite.json infinite.npz "${mse[@]}"
refused bad_label label thirds.json label.npz "${classes[@]}"
refused labels_from_one label thirds.json from_one.npz "${classes[@]}"
judged missing_nonlinearity missing_nonlinearity linear.json ring.csv "${ring[@]}" --epochs 10
judged softmax_on_one_unit output_activation softmax.json ring.csv "${ring[@]}" --epochs 5
judged inputs_not_normalised inputs_not_normalised sound.json large.csv "${ring[@]}" --epochs 10

# What is sound is left alone.
refuses 2 'nothing fails here' reduce sound.json ring.csv "${ring[@]}" --epochs 60 --out sound-case
[[ ! -e sound-case ]] || fail "a case of nothing was written"
refuses 2 'expected the folder of a run, or a MODEL and DATA' reduce sound.json
refuses 3 'exists already' reduce log.json log.npz "${mse[@]}" --out log_of_zero-case
refuses 2 'a run knows its data' reduce log_of_zero-run log.npz
echo "twelve failures are reduced to at most 3 records and 3 layers that fail in the same way"
