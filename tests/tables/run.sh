#!/usr/bin/env bash
# Tables are never wrong without a word: columns are matched by their names, a bad cell is named, classes keep their
# numbers, bad records keep their places, and train, evaluate, predict and check say the same.
# Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$(realpath "${1:-build}/bin/plimsoll")
# shellcheck source=tests/cli/commands.sh
source tests/cli/commands.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# model FILE UNITS ACTIVATION: one layer on two numbers.
model() {
  python3 - "$@" <<'PY'
import json, sys
name, units, activation = sys.argv[1], int(sys.argv[2]), sys.argv[3]
layers = [
    {"class_name": "InputLayer", "config": {"batch_shape": [None, 2], "dtype": "float32", "name": "features"}},
    {"class_name": "Dense", "config": {"name": "kind", "units": units, "activation": activation, "use_bias": True}},
]
json.dump({"class_name": "Sequential", "config": {"name": "table", "layers": layers}}, open(name, "w"))
PY
}

# Three flowers that two numbers tell apart.
flowers() {
  python3 - <<'PY'
kinds = ["setosa", "versicolor", "virginica"]
rows = [(round(k * 2 + i % 7 / 10, 3), round(4 - k * 2 + i % 5 / 10, 3), kinds[k]) for k in range(3) for i in range(50)]
with open("iris.csv", "w") as file:
    file.write("length,width,kind\n" + "".join(f"{a},{b},{kind}\n" for a, b, kind in rows))
with open("turned.csv", "w") as file:
    file.write("kind,width,length\n" + "".join(f"{kind},{b},{a}\n" for a, b, kind in rows))
with open("bare.csv", "w") as file:
    file.write("".join(f"{a},{b},{kind}\n" for a, b, kind in rows))
PY
}

# metric NAME: of what evaluate --json has printed.
metric() { python3 -c "import json; print(json.load(open('out'))['$1'])"; }

sparse=(--loss sparse_categorical_crossentropy --metrics accuracy)
mse=(--loss mse)

# A column is found by its name, in whatever order, and a run needs the name of its target once.
column_cases() {
  runs train soft.json iris.csv --target kind "${sparse[@]}" --optimizer adam --learning-rate 0.1 --epochs 30 --out flowers
  keeps '"format": "plimsoll-table"' flowers/data.json
  keeps '"columns": \["length", "width"\]' flowers/data.json
  runs evaluate flowers/model.keras iris.csv --json
  straight=$(metric accuracy)
  runs evaluate flowers/model.keras turned.csv --json
  [[ $(metric accuracy) == "$straight" && $straight != 0.0 ]] || fail "another order of columns: $(cat out), not $straight"
  runs train soft.json iris.csv --target kind "${sparse[@]}" --validation turned.csv --epochs 3 --out validated
  runs evaluate validated/model.keras iris.csv --json
  python3 - "$(metric accuracy)" <<'PY' || fail "--validation takes columns by their places"
import json, sys
sys.exit(abs(json.load(open("validated/run.json"))["result"]["metrics"]["val_accuracy"] - float(sys.argv[1])) > 1e-6)
PY
  runs train flowers/model.keras turned.csv --out further
  keeps '"columns": \["length", "width"\]' further/data.json
  runs predict flowers/model.keras turned.csv --out turned-p.npy
  runs predict flowers/model.keras iris.csv --out iris-p.npy
  cmp turned-p.npy iris-p.npy || fail "another order of columns predicts something else"
  sed '1s/width/depth/' iris.csv >foreign.csv
  refuses 3 "foreign.csv: has no column 'width', which the model was trained on; it has 'depth', which the model does not know" \
    evaluate flowers/model.keras foreign.csv
  refuses 3 "has no column 'width'" check foreign.csv --model flowers/model.keras --loss sparse_categorical_crossentropy
  awk -F, 'NR == 1 { print $0 ",id" } NR > 1 { print $0 "," NR }' iris.csv >more.csv
  runs evaluate flowers/model.keras more.csv --json
  says "note: more.csv: the model was not trained on column 'id', which is left out" error
  [[ $(metric accuracy) == "$straight" ]] || fail "a column that is left out changes the result"
  refuses 3 "--ignore names the column 'width', which is an input of the model" \
    evaluate flowers/model.keras iris.csv --ignore width
  cp -r flowers damaged
  echo '{"format": "plimsoll-table", "version": 1, "inputs": 3}' >damaged/data.json
  refuses 3 "damaged/data.json: 'inputs' must be a list" evaluate damaged/model.keras iris.csv
  echo '{"mine": true}' >damaged/data.json
  runs evaluate damaged/model.keras iris.csv --target kind
}

# The table is sorted by class.
split_cases() {
  runs train soft.json iris.csv --target kind "${sparse[@]}" --validation-split 0.2 --out last
  says "warning: iris.csv: the validation is the last part of the data, and 100% of it is of class 'virginica', against 17% of the training part: the records come sorted by class, so the model is measured on what it has hardly seen \(--split-by hash takes records from all places\)$" error
  runs train soft.json iris.csv --target kind "${sparse[@]}" --validation-split 0.2 --split-by hash --out hashed
  says_not "sorted by class" error
  { head -1 iris.csv && sed 1d iris.csv | sort -t, -k2; } >mixed.csv
  runs train soft.json mixed.csv --target kind "${sparse[@]}" --validation-split 0.2 --out mixed
}

# What lies beside a model belongs to it, wherever it goes.
convert_cases() {
  mkdir -p copies others
  runs convert flowers/model.keras copies/model.h5
  says '^copies/model.h5: model written; copies/data.json and copies/classes.json beside it, too$' out
  for file in data classes; do
    python3 -c "import json, sys; sys.exit(json.load(open('flowers/$file.json')) != json.load(open('copies/$file.json')))" ||
      fail "convert changes $file.json"
  done
  runs evaluate copies/model.h5 turned.csv --metrics accuracy --loss sparse_categorical_crossentropy --json
  [[ $(metric accuracy) == "$straight" ]] || fail "a copy takes columns by their places: $(cat out), not $straight"
  runs convert flowers/model.keras copies/again.keras --json
  has_carried='["copies/data.json", "copies/classes.json"]'
  [[ $(python3 -c "import json; print(json.dumps(json.load(open('out'))['carried']))") == "$has_carried" ]] || fail "$(cat out)"
  # Weights alone are no model that data is given to.
  mkdir weights
  runs convert flowers/model.keras weights/model.safetensors
  [[ ! -e weights/data.json ]] || fail "weights have a data.json"
  sed 's/width/depth/' flowers/data.json >others/data.json
  refuses 2 "convert: others/data.json is of another model than flowers/model.keras; write to another folder" \
    convert flowers/model.keras others/model.keras
  [[ ! -e others/model.keras ]] || fail "a model is written beside the columns of another"
  runs convert soft.json others/soft.keras
  says "warning: others/data.json: is not of soft.json, but data for others/soft.keras will be read as it says" error
  runs convert soft.json weights/soft.keras
  says_not "is not of" error
  # Where nothing is known of the columns, their places decide, and that is said.
  runs evaluate weights/soft.keras iris.csv --target kind "${sparse[@]}"
  says "note: iris.csv: there is no data.json beside the model that says which columns it was trained on, so they are its numbers in the order of the table: length, width$" error
  runs predict weights/soft.keras turned.csv --target kind --out places.npy
  says "in the order of the table: width, length$" error
  runs evaluate flowers/model.keras iris.csv
  says_not "no data.json" error
}

header_cases() {
  refuses 3 "bare.csv: the first line is like a record, expected the names of columns: 0.0, 4.0, setosa (--no-header takes it as a record, and the columns are c0, c1, …; --header says that these are names)" \
    train soft.json bare.csv --target c2 "${sparse[@]}" --out bare
  refuses 3 "the first line is like a record" check bare.csv --target kind
  runs train soft.json bare.csv --no-header --target c2 "${sparse[@]}" --out bare
  runs evaluate bare/model.keras bare.csv --json
  [[ $(metric records) == 150 ]] || fail "a record is lost: $(cat out)"
  refuses 2 "--no-header is for .csv files" check iris-p.npy --no-header
  { echo "2020,2021,2022" && echo "1,2,3" && echo "2,3,4"; } >years.csv
  refuses 3 "the first line is like a record" train one.json years.csv --target 2022 "${mse[@]}" --out years
  runs train one.json years.csv --header --target 2022 "${mse[@]}" --out years
}

# One bad cell is a bad cell; text is classes only where the model takes classes.
cell_cases() {
  local cell
  # shellcheck disable=SC2016 # it is a price
  for cell in 12x '$76.4' '"1.100,5"'; do
    { echo "a,b,price" && echo "1,2,3" && echo "2,3,$cell" && echo "4,5,6.5"; } >cell.csv
    refuses 3 "cell.csv:3:3: column 'price' expected a number, found '$(tr -d '"' <<<"$cell")'" \
      train one.json cell.csv --target price "${mse[@]}" --out cell
    refuses 3 "column 'price' expected a number" train soft.json cell.csv --target price "${sparse[@]}" --out cell
    "$program" check cell.csv --target price --model one.json "${mse[@]}" >out 2>error && fail "check does not see $cell"
    says "cell.csv:3.*column 'price' expected a number" out
  done
  { echo "a,b,kind" && echo "1,2,ash" && echo "2,3,oak" && echo "4,5,oak"; } >trees.csv
  refuses 3 "column 'kind' holds text, expected numbers" train one.json trees.csv --target kind "${mse[@]}" --out trees
  runs train bit.json trees.csv --target kind --loss binary_crossentropy --out trees
  says 'oak' trees/classes.json
  echo "3,4,elm" >>trees.csv
  refuses 3 "column 'kind' has 3 classes, the model's output 'kind' has one number, which separates 2; 'elm' occurs once (line 5)" \
    train bit.json trees.csv --target kind --loss binary_crossentropy --out three
}

# A misspelt class does not move the others.
class_cases() {
  sed '17s/setosa/setosb/' iris.csv >misspelt.csv
  refuses 3 "column 'kind' has 4 classes, the model's output 'kind' has 3; 'setosb' occurs once (line 17)" \
    train soft.json misspelt.csv --target kind "${sparse[@]}" --out misspelt
  "$program" check misspelt.csv --target kind --model soft.json --loss sparse_categorical_crossentropy --json >out && fail "check is content"
  python3 - <<'PY' || fail "check blames others: $(cat out)"
import json, sys
bad = json.load(open("out"))["bad"]
sys.exit([entry["path"] for entry in bad] != ["misspelt.csv", "misspelt.csv:17"] or
         "4 classes, the model's output 'kind' has 3; 'setosb' occurs once" not in bad[0]["detail"])
PY
  # The classes of a run are those that it was trained with.
  grep -v setosa iris.csv >two.csv
  runs evaluate flowers/model.keras two.csv --json
  python3 -c "import sys; sys.exit(float('$(metric accuracy)') < 0.9)" || fail "the order of the run's classes is lost: $(cat out)"
  "$program" check misspelt.csv --model flowers/model.keras --json >out && fail "check is content"
  python3 -c "import json, sys; sys.exit([e['path'] for e in json.load(open('out'))['bad']] != ['misspelt.csv:17'])" ||
    fail "check does not use the classes of the run: $(cat out)"
}

# Bytes of Latin-1 in the names of columns and classes: shown and kept as \xe9, the same in all commands.
latin_cases() {
  sed -e '1s/length/l\xe9ngth/' -e 's/setosa/s\xe9tosa/' iris.csv >latin.csv
  runs train soft.json latin.csv --target kind "${sparse[@]}" --optimizer adam --learning-rate 0.1 --epochs 30 --out latin
  runs evaluate latin/model.keras latin.csv --json
  python3 -c "import sys; sys.exit(float('$(metric accuracy)') < 0.9)" || fail "Latin-1: $(cat out)"
  runs check latin.csv --model latin/model.keras --loss sparse_categorical_crossentropy
  runs predict latin/model.keras latin.csv --out latin.p.csv
  says '^latin.csv:2,s\\xe9tosa,' latin.p.csv
}

# as_lines FILE.csv: the same records as JSON, every cell in quotes but the inputs.
as_lines() {
  python3 - "$1" "${1%.csv}.jsonl" <<'PY'
import csv, json, sys
with open(sys.argv[1]) as table, open(sys.argv[2], "w") as lines:
    for row in csv.DictReader(table):
        lines.write(json.dumps({key: float(cell) if key in "ab" or key in ("length", "width") else cell
                                for key, cell in row.items()}) + "\n")
PY
}

# A table of JSON-lines is what the same table of CSV is: quoted numbers are numbers, one line does not make classes, and
# classes are compared with the model's.
line_cases() {
  local cell
  { echo "a,b,price" && echo "1,2,3.5" && echo "2,3,10.25" && echo "4,5,2"; } >quoted.csv
  as_lines quoted.csv
  runs train one.json quoted.csv --target price "${mse[@]}" --out quoted-csv --no-shuffle
  runs train one.json quoted.jsonl --target price "${mse[@]}" --out quoted-lines --no-shuffle
  cmp <(runs predict quoted-csv/model.keras quoted.csv --out a.npy && cat a.npy) \
    <(runs predict quoted-lines/model.keras quoted.jsonl --out b.npy && cat b.npy) || fail "numbers in quotes are others"
  for cell in 12x N/A; do
    sed "1s#3.5#$cell#" quoted.jsonl >first.jsonl
    refuses 3 "first.jsonl:1: 'price' " train one.json first.jsonl --target price "${mse[@]}" --out first
    runs train one.json first.jsonl --target price "${mse[@]}" --on-bad-record skip --max-bad 0.5 --out "first-${cell//\//-}"
    says '"quarantined": 1' "first-${cell//\//-}/run.json"
  done
  as_lines iris.csv
  sed '1s/"setosa"/null/' iris.jsonl >gap.jsonl
  refuses 3 "gap.jsonl:1: 'kind' has no value" train soft.json gap.jsonl --target kind "${sparse[@]}" --out gap
  refuses 3 "'kind' holds text, expected numbers" train one.json iris.jsonl --target kind "${mse[@]}" --out text
  as_lines misspelt.csv
  refuses 3 "column 'kind' has 4 classes, the model's output 'kind' has 3; 'setosb' occurs once (misspelt.jsonl:16)" \
    train soft.json misspelt.jsonl --target kind "${sparse[@]}" --out misspelt
  refuses 3 "column 'kind' has 3 classes, the model's output 'kind' has one number, which separates 2" \
    train bit.json iris.jsonl --target kind --loss binary_crossentropy --out three
  # A key that the first line lacks is a gap there.
  { echo '{"a": 1, "price": 2}' && echo '{"a": 2, "b": 3, "price": 4}'; } >late.jsonl
  refuses 3 "late.jsonl:1: 'b' has no value" train one.json late.jsonl --target price "${mse[@]}" --out late
  runs train one.json late.jsonl --target price "${mse[@]}" --missing 0 --out late
}

# A first line of texts that is a record is not lost in silence.
silent_header_cases() {
  { echo "red,oak" && echo "blue,elm" && echo "red,ash"; } >words.csv
  runs check words.csv --encode auto
  says "warning: words.csv: the first line, which names the columns, has a text that comes again below it \(--no-header" error
}

# No record is left: an error, and no model of it.
all_bad_cases() {
  awk -F, 'NR == 1 { print } NR > 1 { print $1 "," $2 ",0.5" }' iris.csv >fractions.csv
  refuses 3 "fit: all 150 records are bad, so none is left" \
    train soft.json fractions.csv --target kind "${sparse[@]}" --on-bad-record skip --max-bad 1 --out fractions
  [[ ! -e fractions/model.keras ]] || fail "a model of no record"
  runs convert soft.json soft.keras
  refuses 3 "evaluate: all 150 records are bad, so none is left" \
    evaluate soft.keras fractions.csv --target kind "${sparse[@]}" --on-bad-record skip --max-bad 1
}

# What check advises is what helps: train --on-bad-record skip takes no table with too many classes.
advice_cases() {
  "$program" check misspelt.csv --target kind --model soft.json --loss sparse_categorical_crossentropy >out && fail "check is content"
  ! grep -F -- '--on-bad-record skip' out || fail "check advises what train refuses: $(cat out)"
  says '-> correct the labels, or name the model.s classes with --classes FILE' out
  echo '["setosa", "versicolor", "virginica"]' >names.json
  runs train soft.json misspelt.csv --target kind "${sparse[@]}" --classes names.json --on-bad-record skip --out named
  says '"quarantined": 1' named/run.json
}

prediction_cases() {
  runs predict flowers/model.keras iris.csv --out kinds.csv
  [[ $(head -n 1 kinds.csv) == record,class,probability ]] || fail "kinds.csv begins with $(head -n 1 kinds.csv)"
  says '^iris.csv:2,setosa,0\.[0-9]+$' kinds.csv
  says '^iris.csv:151,virginica,0\.[0-9]+$' kinds.csv
  runs predict trees/model.keras trees.csv --out trees-p.csv
  says '^trees.csv:2,(ash|oak),' trees-p.csv
  runs predict years/model.keras years.csv --out years-p.csv --header
  [[ $(head -n 1 years-p.csv) == record,kind ]] || fail "years-p.csv begins with $(head -n 1 years-p.csv)"
}

model soft.json 3 softmax
model bit.json 1 sigmoid
model one.json 1 linear
flowers
column_cases
split_cases
convert_cases
header_cases
cell_cases
class_cases
line_cases
silent_header_cases
latin_cases
all_bad_cases
advice_cases
prediction_cases
echo "ok: columns by name, bad cells by name, classes in their order"
