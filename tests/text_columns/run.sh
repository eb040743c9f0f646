#!/usr/bin/env bash
# Models with inputs of text on tables: columns by name, in CSV, JSON-lines and NumPy files. The first part needs no
# Keras; in the second, real Keras adapts the layers, and predicts the same from what was trained here.
# Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$(realpath "${1:-build}/bin/plimsoll")
here=$PWD/tests/text_columns
# shellcheck source=tests/cli/commands.sh
source tests/cli/commands.sh
# shellcheck source=tests/peers/references.sh
source tests/peers/references.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

small_table() {
  {
    echo "note,survived,sex,age,class"
    for i in 1 2 3 4 5 6 7 8; do
      echo "\"in the, boat\",1,female,3$i,100000001"
      echo "on deck,0,male,2$i,100000002"
    done
  } >small.csv
}

# run.json of a run: the accuracy at its end.
accuracy() { python3 -c "import json; print(json.load(open('$1/run.json'))['result']['metrics']['accuracy'])"; }

without_keras() {
  small_table
  runs summary "$here/model.json"
  says 'sex \(InputLayer\) +\(None, 1\)' out
  runs train "$here/model.json" small.csv --target survived --out run --epochs 20 --batch-size 4 --seed 1
  [[ $(accuracy run) == 1.0 ]] || fail "text columns are not learnt: $(cat out)"
  runs evaluate run/model.keras small.csv --target survived
  says 'accuracy +1' out
  runs check small.csv --model run/model.keras --target survived
  runs predict run/model.keras small.csv --ignore survived --out p.npy
  # A column that is not there is named; numbers where text belongs are taken as they are written.
  cut -d, -f1-3 small.csv | sed 's/"in the, boat/"in the/' >few.csv
  refuses 3 "few.csv: has no column 'class', 'age', which the model was trained on" predict run/model.keras few.csv --out q.npy
  # Parts of a batch give the same weights' predictions as the whole batch.
  runs train "$here/model.json" small.csv --target survived --out parts --epochs 20 --batch-size 4 --micro-batch 2 --seed 1
  [[ $(accuracy parts) == 1.0 ]] || fail "text columns are not learnt in parts: $(cat out)"
  # .h5 has no place for adapted vocabularies, but these are in the config.
  runs convert run/model.keras run/model.h5
  runs predict run/model.h5 small.csv --ignore survived --out h5.npy
  cmp p.npy h5.npy || fail "predictions from .h5 differ"
}

judge() { "$python" "$here/files.py" --judge "$@" || fail "files.py --judge $*"; }

with_keras() {
  find_keras
  local data table
  data=$(references text_columns tests/text_columns/files.py)
  if [[ ! -f $data/complete ]]; then
    "$python" "$here/files.py" "$data"
    touch "$data/complete"
  fi
  cd "$scratch"
  for table in passengers.csv other_order.csv passengers.jsonl; do
    runs predict "$data/passengers.keras" "$data/$table" --ignore survived --out "$table.npy"
    judge "$data/passengers.keras" "$data/passengers.csv" "$table.npy"
  done
  runs predict "$data/passengers.keras" "$data/passengers.npz" --out npz.npy
  judge "$data/passengers.keras" "$data/passengers.csv" npz.npy
  runs train "$data/passengers.keras" "$data/other_order.csv" --target survived --out trained --epochs 15 --seed 1
  python3 -c "exit($(accuracy trained) < 0.95)" || fail "passengers are not learnt: $(cat out)"
  runs predict trained/model.keras "$data/passengers.csv" --ignore survived --out trained.npy
  judge trained/model.keras "$data/passengers.csv" trained.npy
  # Texts and labels from one table.
  runs train "$data/texts.keras" "$data/texts.csv" --target label --out texts --epochs 8 --seed 1
  python3 -c "exit($(accuracy texts) < 0.95)" || fail "texts are not learnt: $(cat out)"
  runs predict texts/model.keras "$data/texts.csv" --ignore label --out texts.npy
  judge texts/model.keras "$data/texts.csv" texts.npy
  refuses 3 "save it as .keras" convert texts/model.keras texts.h5
}

# FeatureSpaces as Keras saves them: alone, and in a model.
feature_spaces() {
  find_keras
  local data name out
  data=$(references feature_spaces tests/text_columns/feature_spaces.py)
  if [[ ! -f $data/complete ]]; then
    "$python" "$here/feature_spaces.py" "$data"
    touch "$data/complete"
  fi
  cd "$scratch"
  local -a pairs=()
  for name in concat dict numbers one model; do
    out=$name.npy
    [[ $name != dict && $name != numbers ]] || out=$name.npz
    runs predict "$data/$name.keras" "$data/rows.csv" --out "$out"
    runs convert "$data/$name.keras" "$name.keras" # which is the same for Keras
    pairs+=("$data/$name.keras" "$out" "$name.keras" "$out")
  done
  runs train "$data/model.keras" "$data/rows.csv" --target saved --out spaced --epochs 15 --seed 1
  python3 -c "exit($(accuracy spaced) < 0.95)" || fail "a model of encoded features learns nothing: $(cat out)"
  runs predict spaced/model.keras "$data/rows.csv" --ignore saved --out spaced.npy
  "$python" "$here/feature_spaces.py" --judge "$data/rows.csv" "${pairs[@]}" spaced/model.keras spaced.npy ||
    fail "Keras makes other numbers of the features"
}

(cd "$scratch" && without_keras)
(with_keras)
(feature_spaces)
echo "text columns: all as expected"
