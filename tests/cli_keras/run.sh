#!/usr/bin/env bash
# The commands on models and data that real Keras and NumPy made: predictions are Keras's, a trained model has learnt
# and Keras goes on training it. Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$(realpath "${1:-build}/bin/plimsoll")
# shellcheck source=tests/peers/references.sh
source tests/peers/references.sh
# shellcheck source=tests/cli/commands.sh
source tests/cli/commands.sh
find_keras
here=$PWD/tests/cli_keras
files=$(references cli tests/cli_keras/files.py)
if [[ ! -f $files/complete ]]; then
  "$python" tests/cli_keras/files.py "$files"
  touch "$files/complete"
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

judge() { "$python" "$here/judge.py" "$@" || fail "judge.py $*"; }

# learns ACCURACY MODEL DATA ARGUMENT…: after the last epoch the accuracy is at least so many percent.
learns() {
  local least=$1 found
  shift
  runs train "$@" --seed 1
  found=$(grep -oE 'accuracy [0-9.]+' out | tail -n 1 | awk '{ print int(100 * $2) }')
  ((found >= least)) || fail "'plimsoll train $*' reached $found%: $(cat out)"
}

predictions_are_those_of_keras() {
  local data
  for data in digits.npz digits_compressed.npz digits_fortran.npz digits.npy; do
    runs predict "$files/digits.keras" "$files/$data" --out p.npy
    judge predictions p.npy "$files/digits_expected.npz"
  done
  runs predict "$files/sides.keras" "$files/sides.npz" --out p.npz
  judge predictions p.npz "$files/sides_expected.npz"
  refuses 3 "a .npy file holds one output, but the model has 2" predict "$files/sides.keras" "$files/sides.npz" --out p.npy
  for data in photos photos_vectors photos_binary; do
    runs predict "$files/$data.keras" "$files/photos" --out p.npy
    judge predictions p.npy "$files/${data}_expected.npz"
  done
}

arrays_are_read_as_they_stand() {
  runs predict "$files/digits.keras" "$files/digits.npz" --out p.npy
  [[ ! -s error ]] || fail "something was said about stored arrays: $(cat error)"
  runs predict "$files/digits.keras" "$files/digits_compressed.npz" --out p.npy
  says 'x.npy: is compressed; it is written out once, [0-9.]+ KiB in ' error
  runs predict "$files/digits.keras" "$files/digits_fortran.npz" --out p.npy
  says 'x.npy: is stored column by column' error
}

models_learn() {
  learns 90 "$files/digits.keras" "$files/digits.npz" --out digits --epochs 6 --validation-split 0.2
  judge goes-on digits/model.keras "$files/digits.npz"
  learns 85 "$files/digits.keras" "$files/digits_compressed.npz" --out compressed --epochs 5 --memory 500MiB
  says '"what":"is compressed; it is written out once' compressed/log.jsonl
  [[ $(ls compressed) == $'checkpoints\nlog.jsonl\nmodel.keras\nplan.json\nrun.json' ]] || fail "the run left $(ls compressed)"
  local name
  for name in photos photos_vectors photos_binary; do
    learns 90 "$files/$name.keras" "$files/photos" --out "$name" --epochs 25 --batch-size 10
    [[ $(tr -d ' \n' <"$name/classes.json") == '["blue","red"]' ]] || fail "classes.json is $(cat "$name/classes.json")"
    runs predict "$name/model.keras" "$files/photos" --out "$name.csv"
    says '^file,class,probability$' "$name.csv"
    says "/photos/red/7.png,red,0?\.?[0-9]" "$name.csv"
  done
  learns 90 "$files/photos.keras" "$files/photos" --out split --epochs 25 --batch-size 10 --validation-split 0.3
  says 'val_accuracy (0\.[89]|1)' out
  for name in flowers flowers_vectors; do
    learns 90 "$files/$name.keras" "$files/flowers.csv" --target kind --out "$name" --epochs 20
    says '"rose, red"' "$name/classes.json"
    runs evaluate "$name/model.keras" "$files/flowers.csv" --target kind
    says '^accuracy +0\.9|^accuracy +1$' out
  done
  runs train "$files/sides.keras" "$files/sides.npz" --out sides --epochs 2 --loss mse,sparse_categorical_crossentropy
  says 'kind_loss [0-9.]+ .*size_loss' out
}

# The same records in TFRecord files that TensorFlow wrote, tar archives of Python and IDX files.
records_are_those_of_the_arrays() {
  local idx=$files/digits-images.idx3,$files/digits-labels.idx1.gz name
  runs predict "$files/digits.keras" "$files/digits.tfrecord" --features "$files/digits.json" --out p.npy
  judge predictions p.npy "$files/digits_expected.npz"
  runs predict "$files/digits.keras" "$idx" --out p.npy
  judge predictions p.npy "$files/digits_expected.npz"
  runs evaluate "$files/digits.keras" "$files/digits.npz"
  cp out by_npz
  runs evaluate "$files/digits.keras" "$files/digits.tfrecord" --features "$files/digits.json"
  cmp -s out by_npz || fail "a TFRecord file evaluates otherwise than the .npz: $(cat out)"
  runs evaluate "$files/digits.keras" "$idx"
  cmp -s out by_npz || fail "IDX files evaluate otherwise than the .npz: $(cat out)"
  says 'digits-labels.idx1.gz: is compressed; it is written out once' error
  for name in photos photos_vectors photos_binary; do
    runs predict "$files/$name.keras" "$files/photos-*.tar" --out p.npy
    judge predictions p.npy "$files/${name}_expected.npz"
    runs predict "$files/$name.keras" "$files/photos-*.tfrecord" --features "$files/photos.json" --out p.npy
    judge predictions p.npy "$files/${name}_expected.npz"
    learns 90 "$files/$name.keras" "$files/photos-*.tar" --out "$name-tar" --epochs 25 --batch-size 10
    learns 90 "$files/$name.keras" "$files/photos-*.tfrecord" --features "$files/photos.json" --out "$name-tfrecord" \
      --epochs 25 --batch-size 10
  done
  runs convert "$files/photos-*.tar" tar.npz --image-size 16x20
  judge loads tar.npz
  refuses 3 "name a file that does with --features" evaluate "$files/digits.keras" "$files/digits.tfrecord"
  refuses 2 "digits.npz: --features is for .tfrecord files" evaluate "$files/digits.keras" "$files/digits.npz" \
    --features "$files/digits.json"
  head -c 5000 "$files/photos-0.tar" >cut.tar
  refuses 3 "cut.tar: is cut off" evaluate "$files/photos.keras" cut.tar
}

open_sizes_are_asked_for() {
  refuses 2 "its shape (None, None, 3) is open; choose one with --input-shape" plan "$files/any_size.keras"
  runs plan "$files/any_size.keras" --input-shape 32,24,3
  says 'was saved without compile; it is planned with the loss mse' error
  refuses 2 "found (8, 8, 1)" plan "$files/any_size.keras" --input-shape 8,8,1
  refuses 3 "choose one with --image-size" train "$files/any_size.keras" "$files/photos" --out any --loss mse
  runs train "$files/any_size.keras" "$files/photos" --out any --loss mse --image-size 16x16
}

damaged_images_are_named() {
  cp -r "$files/photos" broken
  head -c 200 "$files/photos/red/4.jpg" >broken/red/4.jpg
  refuses 3 "broken/red/4.jpg: the JPEG image is damaged" train "$files/photos.keras" broken --out damaged
  says '"status": "failed"' damaged/run.json
  echo hello >broken/red/4.jpg
  refuses 3 "broken/red/4.jpg: expected a JPEG, PNG, WebP, BMP or GIF image" evaluate "$files/photos.keras" broken
}

windows_are_those_of_keras() {
  awk 'BEGIN { print "load,wind"; for (i = 0; i < 100; ++i) print i / 100 "," i % 7 }' >load.csv
  local stride
  for stride in 1 3 40; do
    runs convert load.csv windows.npz --target load --window 24 --horizon 2 --stride "$stride"
    judge windows windows.npz load.csv 24 2 "$stride"
  done
}

written_files_are_numpys() {
  runs convert "$files/flowers.csv" flowers.npz --target kind
  judge loads flowers.npz
  runs convert "$files/photos" photos.npz --image-size 8x8
  judge loads photos.npz
}

# A learning rate with which Keras fails too.
reduced_cases_fail_in_keras() {
  runs reduce "$files/digits.keras" "$files/digits.npz" --optimizer sgd --learning-rate 1e30 --out digits-case --json
  says '"kind": "not_finite"' out
  judge case digits-case
}

predictions_are_those_of_keras
arrays_are_read_as_they_stand
models_learn
records_are_those_of_the_arrays
open_sizes_are_asked_for
damaged_images_are_named
windows_are_those_of_keras
written_files_are_numpys
reduced_cases_fail_in_keras
echo "the commands agree with the real Keras"
