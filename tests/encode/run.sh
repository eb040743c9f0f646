#!/usr/bin/env bash
# Tables as they are, from CSV to the names of classes: text, dates, gaps, currencies and decimal commas become numbers
# that are learnt from the training records alone, are kept with the model, and are the same for every other table.
# Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$(realpath "${1:-build}/bin/plimsoll")
here=$PWD/tests/encode
# shellcheck source=tests/cli/commands.sh
source tests/cli/commands.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# metric NAME: of what evaluate --json has printed.
metric() { python3 -c "import json; print(json.load(open('out'))['$1'])"; }

# encoding RUN: of its data.json, one line.
encoding() { python3 -c "import json; print(json.dumps(json.load(open('$1/data.json'))['encode']))"; }

survived=(--target survived --loss binary_crossentropy --metrics accuracy --optimizer adam --learning-rate 0.05)

# What a person sees before there is a model: the refusal names the option, the check says how wide the input must be.
check_cases() {
  refuses 3 "make numbers of it with --encode auto" train wide.json titanic.csv "${survived[@]}" --out plain
  runs check titanic.csv --target survived --encode auto
  says "^name +0  left out: has 200 different texts in 200 records, as names have$" out
  says "^sex +2  2 categories: female, male$" out
  says "^age +2  number, less [0-9.]+, divided by [0-9.]+; a gap is" out
  says '^fare +1  number in \$, less' out
  says "^embarked +4  3 categories: C, Q, S$" out
  says "^boarded +5  date, as 31.12.2024: days, month, weekday$" out
  says "^ +14  for the inputs in all$" out
  says "column 'name' has 200 different texts in 200 records, as names have; it is left out" error
  runs check titanic.csv --target survived --encode auto --json
  [[ $(python3 -c "import json; print(json.load(open('out'))['encoding']['numbers'])") == 14 ]] || fail "another width as JSON"
  refuses 3 "the model's input 'features' takes 5 numbers, the table gives 14: sex 2, age 2, fare 1, embarked 4, boarded 5" \
    train narrow.json titanic.csv "${survived[@]}" --encode auto --out narrow
  refuses 2 "is for .csv files" train wide.json data.npz "${survived[@]}" --encode auto --out npz
}

# A series with dates: each row of a window is encoded, and what the target was before is an input, in its own unit.
window_cases() {
  local series=(--target load --encode auto --window 3 --loss mse --optimizer sgd --lr 1e-30)
  python3 - <<'PY'
import datetime, json
rows = [(datetime.date(2024, 1, 1) + datetime.timedelta(days=i), 100 + i % 7 * 3) for i in range(60)]
with open("series.csv", "w") as out:
    out.write("day,load\n" + "".join(f"{day:%d.%m.%Y},${load}\n" for day, load in rows))
with open("other_order.csv", "w") as out:
    out.write("load,day\n" + "".join(f"${load},{day:%d.%m.%Y}\n" for day, load in rows))
for name, columns in ("dated", 6), ("loads", 1):
    layers = [{"class_name": "InputLayer", "config": {"batch_shape": [None, 3, columns], "name": "rows"}},
              {"class_name": "Flatten", "config": {"name": "flat"}},
              {"class_name": "Dense", "config": {"name": "load", "units": 1, "use_bias": False, "kernel_initializer": "ones"}}]
    json.dump({"class_name": "Sequential", "config": {"name": name, "layers": layers}}, open(f"{name}.json", "w"))
PY
  runs train loads.json series.csv "${series[@]}" --ignore day --out loads
  [[ $(encoding loads) == *'"load": {"kind": "number"'*'"scale": "none"'* ]] || fail "the target is scaled: $(encoding loads)"
  runs predict loads/model.keras series.csv --out loads-p.csv
  # The sums of the lines before, 100 + (0 + 3 + 6) first; and of the last three, whose days are 57, 58 and 59.
  says '^series.csv:5,309$' loads-p.csv
  says '^series.csv:61\+1,318$' loads-p.csv
  refuses 3 "a record has the shape (3, 6), the model's input 'rows' takes (3, 1); of a table, all columns are inputs" \
    train loads.json series.csv "${series[@]}" --out wider
  runs train dated.json series.csv "${series[@]}" --validation-split 0.2 --out dated
  runs predict dated/model.keras series.csv --out dated-p.npy
  runs predict dated/model.keras other_order.csv --out other-p.npy
  cmp dated-p.npy other-p.npy || fail "another order of columns is another series"
  runs evaluate dated/model.keras series.csv --json
  [[ $(metric records) == 57 ]] || fail "of 60 lines, windows of 3 have 57 targets: $(cat out)"
}

# Train, measure, predict with names; another order of columns, texts that are new, a gap where there was none.
titanic_cases() {
  runs train wide.json titanic.csv "${survived[@]}" --encode auto --epochs 30 --out run
  runs evaluate run/model.keras titanic.csv --loss binary_crossentropy --metrics accuracy --json
  python3 -c "import sys; sys.exit(not $(metric accuracy) > 0.95)" || fail "learnt too little: $(cat out)"
  local accuracy
  accuracy=$(metric accuracy)
  runs evaluate run/model.keras turned.csv --loss binary_crossentropy --metrics accuracy --json
  [[ $(metric accuracy) == "$accuracy" ]] || fail "another order of columns: $(cat out), not $accuracy"
  runs check titanic.csv --model run/model.keras --loss binary_crossentropy
  says "^titanic.csv: 200 records, 0 bad" out
  says "^sex +2  2 categories: female, male$" out
  runs predict run/model.keras passengers.csv --out p.csv
  says "passengers.csv: column 'embarked' has a text that training did not have, as 'X'" error
  says "passengers.csv: column 'sex' has a gap, of which training had none" error
  [[ $(cut -d, -f2 p.csv | paste -sd' ') == "class yes no yes" ]] || fail "other classes: $(cat p.csv)"
  # Goes on with the same numbers.
  runs train run/model.keras titanic.csv --epochs 2 --out more
  [[ $(encoding more) == "$(encoding run)" ]] || fail "training that goes on has learnt another encoding"
  runs train run/model.keras titanic.csv --encode auto --epochs 1 --out again
  refuses 3 "the model was trained with an encoding" train run/model.keras titanic.csv --encode fares.json --out other
  refuses 3 "--missing is for tables without --encode" train wide.json titanic.csv "${survived[@]}" --encode auto --missing 0 --out filled
}

# The last fifth has a port and fares that the training records do not have.
split_cases() {
  local by
  for by in "--split-by order" "--split-by hash"; do
    # shellcheck disable=SC2086 # two words
    runs train wide.json titanic.csv "${survived[@]}" --encode auto --validation-split 0.2 $by --epochs 1 --out "by${by##* }"
  done
  runs train wide.json late.csv "${survived[@]}" --encode auto --validation-split 0.2 --epochs 1 --out late
  python3 "$here/same_statistics.py" late.csv late/data.json 160 || fail "learnt from other records than those to train on"
  says "column 'embarked' has 40 texts that training did not have, as 'Z'" error
  python3 "$here/same_statistics.py" titanic.csv byhash/data.json 200 && fail "a split by hash learns from all records"
  runs train wide.json titanic.csv "${survived[@]}" --encode auto --validation late.csv --epochs 1 --out valid
  python3 "$here/same_statistics.py" titanic.csv valid/data.json 200 || fail "--validation takes part in what is learnt"
}

# A bad cell does not make a column something else; it is named, or left out.
bad_cases() {
  refuses 3 "bad.csv:12:3: column 'age' expected a number such as 1234.5, found '12x'" \
    train wide.json bad.csv "${survived[@]}" --encode auto --out bad
  runs train wide.json bad.csv "${survived[@]}" --encode auto --on-bad-record skip --epochs 1 --out skipped
  says '^1 record\(s\) were left out' out
  "$program" check bad.csv --target survived --encode auto >out 2>error && fail "check finds no bad record: $(cat out)"
  says "^not_a_number +1  bad.csv:12:3: column 'age' expected a number such as 1234.5, found '12x'" out
  refuses 3 "column 'fare' expected a number such as \$1,234.5, found '12'" predict run/model.keras bare_fare.csv --out p.csv
}

# A file decides; what it leaves open is learnt.
file_cases() {
  runs check titanic.csv --target survived --encode fares.json
  says "^fare +1  number in \\$; a gap is" out
  says "^boarded +1  date, as 31.12.2024: days$" out
  says "^ +8  for the inputs in all$" out
  says "^sex +0  left out: the settings say so$" out
  echo '{"age": "numbr"}' >wrong.json
  refuses 3 "wrong.json: column 'age': expected a kind among number, category, date, boolean, left_out" \
    train wide.json titanic.csv "${survived[@]}" --encode wrong.json --out wrong
  echo '{"aeg": "number"}' >wrong.json
  refuses 3 "wrong.json: column 'aeg' is not one" train wide.json titanic.csv "${survived[@]}" --encode wrong.json --out wrong
  refuses 3 "nowhere.json" train wide.json titanic.csv "${survived[@]}" --encode nowhere.json --out wrong
}

# A table of another country: semicolons, decimal commas in the input and in the target, days first, times.
sales_cases() {
  runs check sales.csv --target umsatz --encode auto
  says "^datum +7  date, as 31.12.2024 18:00:00: days, month, weekday, time$" out
  says "^menge +1  number with a decimal comma" out
  says "^umsatz +1  target: number with a decimal comma" out
  runs train sales.json sales.csv --target umsatz --encode auto --loss mse --optimizer adam --learning-rate 0.1 --epochs 60 --out sales
  runs predict sales/model.keras sales.csv --out sales.npy
  python3 "$here/near_target.py" sales.csv sales.npy || fail "the weekday was not learnt from the dates"
  refuses 3 "no column is left for the input" train sales.json unclear.csv --target y --encode auto --loss mse --out unclear
  says "no other shows whether the day or the month comes first" error
}

# A model with an input for each column takes them by name.
inputs_cases() {
  runs train two.json titanic.csv "${survived[@]}" --encode auto --epochs 30 --out two
  runs evaluate two/model.keras turned.csv --loss binary_crossentropy --metrics accuracy --json
  python3 -c "import sys; sys.exit(not $(metric accuracy) > 0.95)" || fail "two inputs learnt too little: $(cat out)"
  refuses 3 "the model's input 'sex' takes 1 number, the table gives 2: sex 2" \
    train two_narrow.json titanic.csv "${survived[@]}" --encode auto --out two_narrow
}

# The same table as JSON-lines: learnt from, and read by what was learnt from the CSV file.
json_lines_cases() {
  python3 - <<'EOF'
import csv, json

def value(column, cell):
    return None if cell == "" else float(cell) if column == "age" else cell

with open("titanic.csv", newline="") as table, open("titanic.jsonl", "w") as lines:
    for row in csv.DictReader(table):
        print(json.dumps({column: value(column, row[column]) for column in reversed(row)}), file=lines)
EOF
  runs predict run/model.keras titanic.csv --out csv.npy
  runs predict run/model.keras titanic.jsonl --out lines.npy
  cmp csv.npy lines.npy || fail "JSON-lines become other numbers than CSV"
  runs check titanic.jsonl --target survived --encode auto
  says "^age +2  number, less [0-9.]+, divided by [0-9.]+; a gap is" out
  says "^ +14  for the inputs in all$" out
  runs train wide.json titanic.jsonl "${survived[@]}" --encode auto --epochs 30 --out lines
  runs evaluate lines/model.keras titanic.csv --loss binary_crossentropy --metrics accuracy --json
  python3 -c "import sys; sys.exit(not $(metric accuracy) > 0.95)" || fail "learnt too little from JSON-lines: $(cat out)"
  refuses 3 "make numbers of it with --target COLUMN --encode auto" train wide.json titanic.jsonl "${survived[@]}" --out plain_lines
}

python3 "$here/make_tables.py"
check_cases
titanic_cases
window_cases
split_cases
bad_cases
file_cases
sales_cases
inputs_cases
json_lines_cases
