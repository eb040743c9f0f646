#!/usr/bin/env bash
# The doctor names the cause of runs that learn badly, before and after training, and leaves a sound run in peace.
# Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$(realpath "${1:-build}/bin/plimsoll")
# shellcheck source=tests/cli/commands.sh
source tests/cli/commands.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# model FILE HIDDEN_ACTIVATION LAST_ACTIVATION: two classes from two columns.
model() {
  cat >"$1" <<JSON
{"class_name": "Sequential", "config": {"name": "classes", "layers": [
  {"class_name": "InputLayer", "config": {"batch_input_shape": [null, 2], "name": "input"}},
  {"class_name": "Dense", "config": {"name": "first", "units": 16, "activation": "$2"}},
  {"class_name": "Dense", "config": {"name": "second", "units": 16, "activation": "$2"}},
  {"class_name": "Dense", "config": {"name": "head", "units": 1, "activation": "$3"}}]}}
JSON
}

# A ring around the middle, which no linear model tells from the rest.
awk 'BEGIN { print "a,b,inside"; for (i = 0; i < 600; ++i) { a = (i * 37 % 101) / 50 - 1; b = (i * 53 % 97) / 48 - 1
       print a "," b "," (a * a + b * b < 0.6) } }' >ring.csv
awk -F, 'NR == 1 { print; next } { print $1 * 300 + 900 "," $2 * 300 + 900 "," $3 }' ring.csv >large.csv

model sound.json relu sigmoid
model linear.json linear sigmoid
model open.json relu linear
objective=(--target inside --loss binary_crossentropy --metrics accuracy --optimizer adam)

# trained NAME MODEL DATA OPTION…: may fail.
trained() {
  "$program" train "$2" "$3" "${objective[@]}" --out "$1" --seed 1 "${@:4}" >out 2>error || true
  [[ -f $1/run.json ]] || fail "$1 was not trained: $(cat error)"
}

# names CAUSE ARGUMENT…: the first cause of the diagnosis.
names() {
  runs doctor "${@:2}" --json
  python3 - "$1" <<'PY' || fail "doctor ${*:2} does not name $1: $(cat out)"
import json, sys
found = json.load(open("out"))
above = [it for it in found["findings"] if it["severity"] != "note"]
assert set(found) <= {"verdict", "findings", "skill"}, found.keys()
for it in found["findings"]:
    assert set(it) == {"cause", "severity", "confidence", "where", "what", "evidence", "remedy", "option"}, it
sys.exit((above[0]["cause"] if above else "nothing") != sys.argv[1])
PY
}

trained healthy sound.json ring.csv --epochs 60 --learning-rate 0.01
names nothing healthy
runs doctor healthy
says '^healthy: [0-9]+% of the way' out
# The last activation is a layer of its own: the layer before it is no hidden layer of one unit.
separate='"units": 1}}, {"class_name": "Activation", "config": {"name": "squash", "activation": "sigmoid"}}'
sed "s/\"units\": 1, \"activation\": \"sigmoid\"}}/$separate/" sound.json >separate.json
names nothing separate.json ring.csv "${objective[@]}"
trained separate separate.json ring.csv --epochs 10 --learning-rate 1e-7
names learning_rate_low separate

trained fast sound.json ring.csv --epochs 10 --learning-rate 5
names learning_rate_high fast
trained slow sound.json ring.csv --epochs 10 --learning-rate 1e-7
names learning_rate_low slow
trained straight linear.json ring.csv --epochs 30 --learning-rate 0.01
names missing_nonlinearity straight
trained unscaled sound.json large.csv --epochs 10 --learning-rate 0.01
names inputs_not_normalised unscaled
trained short sound.json ring.csv --epochs 1
names too_few_epochs short

# Before any training.
names output_activation open.json ring.csv "${objective[@]}"
names missing_nonlinearity linear.json ring.csv "${objective[@]}"
names nothing sound.json ring.csv "${objective[@]}"
sed '5s/,[01]$/,7/' ring.csv >labels.csv
sed 's/"sigmoid"/"softmax"/; s/"units": 1,/"units": 2,/' sound.json >two.json
names labels_out_of_range two.json labels.csv --target inside --loss sparse_categorical_crossentropy
says '"record": "labels.csv:5"' out
# A command that is advised can be given as it stands.
says '"option": "plimsoll check labels.csv --target inside --model two.json --loss sparse_categorical_crossentropy"' out
option=$(python3 -c "import json; print(json.load(open('out'))['findings'][0]['option'])")
# shellcheck disable=SC2086 # the words of a command
! "$program" ${option#plimsoll } >out 2>error || fail "'$option' finds nothing: $(cat out)"
says 'labels.csv' out

# The advice is tried: with the option that it names, the run learns.
runs doctor slow --json
option=$(python3 -c "import json; print(json.load(open('out'))['findings'][0]['option'])")
# shellcheck disable=SC2086 # an option and its value
runs train sound.json ring.csv "${objective[@]}" --out cured --seed 1 --epochs 60 $option
names nothing cured

# The same, by the doctor: the run that is too slow, and the one whose inputs are not scaled.
runs doctor slow --repair --out repaired --json
python3 - <<'PY' || fail "the repair: $(cat out)"
import json
found = json.load(open("out"))
assert set(found) == {"run", "options", "before", "after"}, found.keys()
assert any(it.startswith("--learning-rate ") for it in found["options"]), found["options"]
assert found["after"]["skill"] > found["before"]["skill"] + 0.3, found
PY
runs doctor unscaled --repair --out scaled
says '^with: .*--normalise' out
says '^after: +healthy' out
[[ -f scaled/model.keras ]] || fail "the repaired run has no model"
# The rate is looked for when the inputs are scaled, because that changes it.
trained both sound.json large.csv --epochs 10 --learning-rate 1e-7
runs doctor both --repair --out both-repaired --json
python3 - <<'PY' || fail "the rate is not applied last: $(cat out)"
import json
options = json.load(open("out"))["options"]
rates = [i for i, it in enumerate(options) if it.startswith("--learning-rate")]
assert options[0] == "--normalise" and rates and rates[0] == 1, options
PY
# Options are replaced in whatever form they were given, and nothing else is.
runs train --lr=1e-7 sound.json --no-doctor ring.csv "${objective[@]}" --out "a run" --epochs=10 --seed 1 --early-stopping
runs doctor "a run" --repair --out "another run"
python3 - <<'PY' || fail "the repaired run has another command: $(cat "another run/run.json")"
import json
given = json.load(open("another run/run.json"))["command"]["arguments"]
assert given[:3] == ["sound.json", "--no-doctor", "ring.csv"], given
assert not any(it.startswith("--lr") for it in given) and given.count("--learning-rate") == 1, given
assert given.count("--out") == 1 and given[given.index("--out") + 1].endswith("/another run"), given
assert given.count("--early-stopping") == 1 and "a run" not in given, given
PY
refuses 3 'exists already' doctor "a run" --repair --out scaled
# A repaired run that fails is a result.
python3 - <<'PY'
import struct
rows = [[float(it) for it in line.split(",")] for line in list(open("ring.csv"))[1:]]
for i in range(0, len(rows), 2): rows[i][0] = float("nan")
def write(name, columns):
    numbers = [it for row in rows for it in row[columns]]
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(rows)}, {len(numbers) // len(rows)})}}"
    header = (header + " " * (-(len(header) + 11) % 64) + "\n").encode()
    open(name, "wb").write(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + struct.pack(f"<{len(numbers)}f", *numbers))
write("half.npy", slice(0, 2))
write("inside.npy", slice(2, 3))
PY
"$program" train sound.json half.npy,inside.npy --loss binary_crossentropy --out spoilt --epochs 2 >out 2>error || true
runs doctor spoilt --repair --out still-spoilt
says '^before: failed' out
says '^with: .*--on-bad-record skip' out
says '^after: +failed' out
refuses 2 'repair expects a RUN' doctor sound.json ring.csv --repair --out again
refuses 2 'names the folder' doctor slow --repair
refuses 3 'nothing to apply' doctor healthy --repair --out again

# A learning rate that trains, where a hundred times more or less does not.
runs doctor sound.json ring.csv "${objective[@]}" --find-lr --json
rate=$(python3 -c "import json; print(json.load(open('out'))['learning_rate'])")
# reached FACTOR: the skill of a run with so many times the rate.
reached() {
  trained "rate-$1" sound.json ring.csv --epochs 30 --learning-rate "$(python3 -c "print($rate * $1)")"
  runs doctor "rate-$1" --json
  python3 -c "import json; print(json.load(open('out'))['skill'])"
}
good=$(reached 1) less=$(reached 0.01) more=$(reached 100)
python3 -c "import sys; sys.exit(not ($good > 0.6 and $less < $good - 0.3 and $more < $good - 0.3))" ||
  fail "the rate $rate reaches $good, with a hundredth $less, with a hundred times $more"
runs doctor slow --find-lr
says '^--learning-rate ' out

# Live: what spoils a run is said once, and logged; a sound run hears nothing.
if grep -q '"event":"diagnosis"' healthy/log.jsonl; then fail "a sound run has a diagnosis"; fi
trained live sound.json ring.csv --epochs 30 --learning-rate 5
[[ $(grep -c learning_rate_high error) == 1 ]] || fail "not said once: $(cat error)"
grep -q '"event":"diagnosis"' live/log.jsonl || fail "no diagnosis in log.jsonl"
trained burst sound.json ring.csv --epochs 5 --learning-rate 1e30
grep -q '"event":"not_finite"' burst/log.jsonl || fail "a rate of 1e30 is finite"
[[ $(grep -c learning_rate_high error) == 1 ]] || fail "a run that ends not finite hears no cause: $(cat error)"
names learning_rate_high burst
# exp(100) is infinite in every record: a replay is advised if there is a step to show.
bias='"bias_initializer": {"class_name": "Constant", "config": {"value": 100.0}}'
sed "s/\"activation\": \"relu\"/\"activation\": \"exponential\", $bias/" sound.json >overflow.json
trained overflow overflow.json ring.csv --epochs 2
names not_finite_op overflow
says '"option": "plimsoll replay overflow"' out
runs replay overflow
trained unkept overflow.json ring.csv --epochs 2 --no-checkpoints
names not_finite_op unkept
says '"option": "plimsoll replay unkept"' out
runs replay unkept
rm -r unkept/bad-steps
names not_finite_op unkept
if grep -F '"option": "plimsoll replay' out; then fail "the replay of a step is advised that is not kept"; fi
awk -F, 'NR == 1 { print; next } { print > ($3 ? "in" : "out-of-it") }' ring.csv >ordered.csv
cat out-of-it in >>ordered.csv
trained ordered sound.json ordered.csv --epochs 20 --no-shuffle
names not_shuffled ordered
grep -q '"cause":"not_shuffled"' ordered/log.jsonl || fail "not_shuffled is not said live: $(cat error)"
# A bad record of the validation is found; left out, it spoils nothing.
sed '7s/^[^,]*/nan/' ring.csv >hole.csv
trained hole sound.json ring.csv --epochs 60 --learning-rate 0.01 --validation hole.csv --on-bad-record skip
names nothing hole
says '"record": "hole.csv:7"' out
trained quiet sound.json ring.csv --epochs 30 --learning-rate 5 --no-doctor
if grep -q learning_rate_high error; then fail "--no-doctor says it"; fi

runs doctor --rules
says '^learning_rate_high +reads model, run' out
runs doctor slow --threshold learning_rate_low.update=1e-9
refuses 3 "there is no threshold 'learning_rate_low.updat' (did you mean learning_rate_low.update?)" doctor slow --threshold learning_rate_low.updat=1
refuses 2 "expected NAME=X, found 'nothing'" doctor slow --threshold nothing
refuses 2 'expected the folder of a run, or a model' doctor
refuses 2 'a run knows its data' doctor slow ring.csv
rm ring.csv
runs doctor slow
says 'the data of the run cannot be looked at' error
# A repair whose training is refused says so beside what it began with, and leaves nothing.
refuses 3 'ring.csv' doctor fast --repair --out gone --json
python3 - <<'PY' || fail "the repair that is refused: $(cat out)"
import json
found = json.load(open("out"))
assert set(found) == {"run", "options", "before", "after", "refused"}, found.keys()
assert found["run"] is None and found["options"] == [] and found["before"]["verdict"] != "healthy", found
assert "--learning-rate 0.001" in found["refused"]["options"] and "ring.csv" in found["refused"]["why"], found
PY
[[ ! -e gone ]] || fail "a repair that is refused leaves $(ls gone)"
echo "not json" >slow/log.jsonl
refuses 3 'log.jsonl' doctor slow
echo "the doctor names causes, and leaves a sound run in peace"
