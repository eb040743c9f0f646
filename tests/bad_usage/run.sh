#!/usr/bin/env bash
# Command lines that cannot work: each ends with one sentence and an exit code that says whose fault it is, never with an
# internal error or a signal. First a table of cases that people meet, then random ones.
# Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$(realpath "${1:-build}/bin/plimsoll")
files=$PWD/tests/data/keras_files
random_test=$PWD/tests/bad_usage/random_test.py
# shellcheck source=tests/cli/commands.sh
source tests/cli/commands.sh
scratch=$(mktemp -d)
trap 'chmod -R u+rwx "$scratch"; rm -rf "$scratch"' EXIT
cd "$scratch"

# one_sentence CODE SENTENCE ARGUMENT…: as refuses, and that is the only line of standard error that is no note.
one_sentence() {
  refuses "$@"
  (($(grep -cv '^plimsoll: \(note\|warning\): ' error) == 1)) || fail "'plimsoll ${*:3}' said more than one sentence: $(cat error)"
  tail -n 1 error | grep '^plimsoll: ' >/dev/null || fail "'plimsoll ${*:3}' said: $(cat error)"
  ! grep -i 'internal error' error >/dev/null || fail "'plimsoll ${*:3}' said: $(cat error)"
}

model=$files/keras3_sequence.keras
printf 'a,b,price\n1,2,5\n2,1,4\n3,1,5\n' >table.csv
"$program" convert table.csv table.npz --target price >/dev/null
loop=loop
ln -s loop loop
long=$(printf 'x%.0s' {1..300})
mkdir empty unpacked saved run_folder
cp "$model" run_folder/model.keras
(cd unpacked && python3 -m zipfile -e "$model" .)
touch saved/saved_model.pb nothing.keras

# The model and the data in each other's place.
for command in evaluate predict train; do
  case $command in evaluate) out=() ;; predict) out=(--out p.npy) ;; train) out=(--out run) ;; esac
  one_sentence 2 "MODEL comes first, then DATA: $model looks like the model, and table.csv does not" \
    "$command" table.csv "$model" "${out[@]}" --target price
done

# Something else than a model.
for command in plan summary; do
  one_sentence 3 "table.npz: is not a Keras model but arrays of NumPy (.npz)" "$command" table.npz
  one_sentence 3 "table.csv: is not a Keras model but data" "$command" table.csv
  one_sentence 3 "nothing.keras: is not a Keras model but empty" "$command" nothing.keras
  one_sentence 3 "empty: is a folder, expected a Keras model" "$command" empty
  one_sentence 3 "saved: is a TensorFlow SavedModel, which holds a program instead of layers; in the Python that made it, \
call model.save(\"model.keras\") and give that file" "$command" saved
  one_sentence 3 "run_folder: is the folder of a run; its model is run_folder/model.keras" "$command" run_folder
  one_sentence 3 "missing.keras: cannot be opened: No such file or directory" "$command" missing.keras
  one_sentence 3 "$loop: cannot be opened: Too many levels of symbolic links" "$command" "$loop"
  one_sentence 3 "cannot be opened: File name too long" "$command" "$long"
done

# An unpacked .keras file is the same model.
"$program" summary unpacked >unpacked.txt
"$program" summary "$model" >packed.txt
cmp unpacked.txt packed.txt || fail "an unpacked model has another summary"
"$program" evaluate unpacked table.csv --target price >unpacked.txt
"$program" evaluate "$model" table.csv --target price >packed.txt 2>error
cmp unpacked.txt packed.txt || fail "an unpacked model evaluates otherwise"
runs train unpacked table.csv --target price --out from_folder
rm unpacked/model.weights.h5
one_sentence 3 "unpacked: holds the config.json of a model but not its model.weights.h5" plan unpacked

# Data that cannot be read.
one_sentence 3 "missing.csv: cannot be opened: No such file or directory" evaluate "$model" missing.csv --target price
one_sentence 3 "$loop: cannot be opened: Too many levels of symbolic links" evaluate "$model" "$loop"
one_sentence 3 "cannot be opened: File name too long" evaluate "$model" "$long.csv" --target price
one_sentence 3 "cannot be opened: File name too long" check "$long.csv"
one_sentence 3 "cannot be opened: File name too long" check table.csv --target price --model "$long.keras"
one_sentence 3 "File name too long" convert table.csv "$long.npz" --target price
one_sentence 3 "File name too long" train "$model" table.csv --target price --out "$long"
one_sentence 3 "empty: " evaluate "$model" empty
one_sentence 3 "" check "$loop" --model "$model"
one_sentence 3 "" train "$model" table.csv --target price --out "$loop/run"
one_sentence 3 "" predict "$model" table.csv --target price --out empty/none/p.npy

# Permissions, which root does not feel: then another user tries.
if (($(id -u) == 0)); then
  chmod 711 .
  printf '#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups %q "$@"\n' "$program" >as_nobody
  chmod 755 as_nobody
  as_root=$program program=$PWD/as_nobody
fi
if "$program" --version >/dev/null 2>&1; then
  cp "$model" secret.keras
  cp table.csv secret.csv
  mkdir locked
  chmod 0 secret.keras secret.csv locked
  one_sentence 3 "secret.keras: cannot be opened: Permission denied" plan secret.keras
  one_sentence 3 "secret.csv: cannot be opened: Permission denied" check secret.csv
  one_sentence 3 "cannot be listed: Permission denied" check locked
  one_sentence 3 "locked/table.csv: cannot be opened: Permission denied" check locked/table.csv
  one_sentence 3 "locked/model.keras: cannot be opened: Permission denied" plan locked/model.keras
  one_sentence 3 "Permission denied" convert table.csv locked/table.npz --target price
else
  echo "permissions are not tried: the program cannot be run by another user"
fi
program=${as_root:-$program}

# TMPDIR is not there, or is not a folder.
python3 - <<'PYTHON'
import zipfile
with zipfile.ZipFile("table.npz") as source, zipfile.ZipFile("packed.npz", "w", zipfile.ZIP_DEFLATED) as to:
    for name in source.namelist():
        to.writestr(name, source.read(name))
PYTHON
TMPDIR=$PWD/not_there one_sentence 3 "$PWD/not_there: is not a folder for temporary files; set TMPDIR to one" check packed.npz
TMPDIR=$PWD/table.csv one_sentence 3 "$PWD/table.csv: is not a folder for temporary files; set TMPDIR to one" evaluate "$model" packed.npz

# A name that is nearly right.
one_sentence 2 "unknown command 'tran' (did you mean train?); 'plimsoll help' lists the commands" tran
one_sentence 2 "unknown option '--epoch' (did you mean --epochs?)" train a b --out run --epoch 3
one_sentence 2 "unknown option '--batch_size' (did you mean --batch-size?)" train a b --out run --batch_size 3
one_sentence 2 "unknown option '--learnin-rate' (did you mean --learning-rate?)" train a b --out run --learnin-rate 3
one_sentence 2 "--optimizer: 'adan' is not known (did you mean adam?; known: sgd" \
  train "$model" table.csv --target price --out run --optimizer adan
one_sentence 2 "--loss: 'mean_squared_eror' is not known (did you mean mean_squared_error?; known:" \
  train "$model" table.csv --target price --out run --loss mean_squared_eror
one_sentence 2 "no layer is called 'dens' (did you mean dense?)" train "$model" table.csv --target price --out run --freeze dens

python3 "$random_test" "$program" "$files" "${PLIMSOLL_SEED:-1}"
echo "wrong command lines end with one sentence"
