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
echo "a step that is not finite is named, kept, shown again, skipped and gone back from"
