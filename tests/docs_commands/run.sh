#!/usr/bin/env bash
# The commands in the documents work: of each document, the `plimsoll …` lines of its ```sh blocks run in their order,
# in a folder with the files that the text speaks of, and end with 0. `plimsoll serve` runs until its page was read. Its
# ```python blocks run too where the real Keras is there; where it is not, the test says so and ends with 77. No block of another kind has a command of plimsoll, but for what
# plimsoll prints; `./dev …` has tests of its own.
# Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD
here=$root/tests/docs_commands
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/files"
ln -s "$(realpath "${1:-build}/bin/plimsoll")" "$scratch/bin/plimsoll"
PATH=$scratch/bin:$PATH
# shellcheck source=tests/peers/references.sh
source tests/peers/references.sh
# shellcheck disable=SC2154 # find_keras sets it
python=$(find_keras >&2 && echo "$python") || python=""

fail() {
  echo "tests/docs_commands: $1"
  exit 1
}

# What the documents speak of. model.keras sorts photos (model.json is a model.to_json() of Keras 3), houses.keras
# predicts prices.
make_files() {
  local keras_files=$root/tests/data/keras_files
  cp -r "$root/examples/shapes" photos
  cp -r photos/rings new-photos
  cp "$here/model.json" architecture.json
  plimsoll convert architecture.json model.keras
  plimsoll convert model.keras trained.weights.h5
  plimsoll convert photos data.npz --image-size 24x24
  cp data.npz test.npz
  cp "$keras_files/keras3_sequence.keras" houses.keras
  cp "$keras_files/keras2_sequence.h5" old.h5
  awk 'BEGIN { print "rooms,size,price"
               for (i = 0; i < 60; ++i) print i % 5 "," i % 7 "," i % 5 + 2 * (i % 7) }' >houses.csv
  tail -n +2 houses.csv >no-names.csv
  sed '1s/.*/2020,2021,2022/' houses.csv >years.csv
  awk 'BEGIN { for (i = 0; i < 60; ++i)
                 print "{\"rooms\": " i % 5 ", \"size\": " i % 7 ", \"price\": " i % 5 + 2 * (i % 7) "}" }' >houses.jsonl
  plimsoll convert "$root/tests/text_columns/model.json" titanic.keras
  awk 'BEGIN { print "sex,class,age,note,survived"
               for (i = 0; i < 60; ++i)
                 print (i % 2 ? "male" : "female") "," 100000001 + i % 3 "," 20 + i ",\"seen, in a boat\"," i % 2 }' >passengers.csv
  sed 's/,[^,]*$//' passengers.csv >new-passengers.csv
  plimsoll convert data.npz x.npy --array x
  plimsoll convert data.npz y.npy --array y
  cp photos/rings/0.png photo.png
  make_runs || return 1
  make_record_files || return 1
  make_other_kinds
  make_tables
}

# A run whose first batch has a record that makes exp infinite, and one that was stopped after a batch.
make_runs() {
  cat >grows.json <<'JSON'
{"class_name": "Sequential", "config": {"name": "grows", "layers": [
  {"class_name": "InputLayer", "config": {"batch_input_shape": [null, 2], "name": "input"}},
  {"class_name": "Dense", "config": {"name": "wide", "units": 1, "activation": "exponential",
    "kernel_initializer": {"class_name": "Ones", "config": {}}}},
  {"class_name": "Dense", "config": {"name": "head", "units": 1}}]}}
JSON
  awk 'BEGIN { print "a,b,price"; for (i = 1; i <= 60; ++i) { a = i * 7 % 20 / 20; b = i * 3 % 17 / 20
         print (i == 11 ? 500 : a) "," b "," a + b } }' >grows.csv
  plimsoll train grows.json grows.csv --target price --loss mse --optimizer sgd --no-shuffle --out diverged || (($? == 5)) || return 1
  plimsoll train houses.keras houses.csv --target price --out interrupted --epochs 3 --max-time 0.001s || (($? == 75))
}

# The photos in a zip archive, by a table, and with masks; arrays in HDF5 by h5py; a series.
make_other_kinds() {
  local number
  python3 -m zipfile -c photos.zip photos
  (cd photos && echo "file,shape" && printf '%s\n' */*.png | sed -E 's|(.*)/.*|&,\1|') >labels.csv
  mv labels.csv photos
  python3 "$here/make_masks.py" photos cells
  cp "$here/data.h5" data.h5
  plimsoll convert "$here/reviews.json" reviews.keras
  mkdir -p reviews/neg reviews/pos
  for number in 1 2 3 4 5 6; do
    echo "it was bad" >"reviews/neg/$number.txt"
    echo "good" >"reviews/pos/$number.txt"
  done
  plimsoll convert "$here/segment.json" segment.keras
  plimsoll convert "$here/forecast.json" forecast.keras
  awk 'BEGIN { print "load,wind"; for (i = 0; i < 200; ++i) print sin(i / 4) "," cos(i / 9) }' >load.csv
}

# Travellers with names, dates and gaps, and a model for them.
make_tables() {
  mkdir tables
  (cd tables && python3 "$root/tests/encode/make_tables.py")
  cp tables/titanic.csv travellers.csv
  cp tables/passengers.csv newcomers.csv
  plimsoll convert tables/wide.json travellers.keras
  rm -r tables
}

# The photos in archives, images of noise in IDX files, and what real TensorFlow wrote.
make_record_files() {
  local class number=0 photo
  mkdir members shards
  for photo in photos/*/*; do
    class=$([[ $photo == photos/rings/* ]] && echo 0 || echo 1)
    cp "$photo" "members/$number.${photo##*.}"
    echo "$class" >"members/$number.cls"
    number=$((number + 1))
  done
  (cd members && tar -cf ../shards/photos-0.tar [0-4].* && tar -cf ../shards/photos-1.tar [5-9].*)
  rm -r members
  { printf '\0\0\010\004\0\0\0\012\0\0\0\030\0\0\0\030\0\0\0\003' && head -c $((10 * 24 * 24 * 3)) /dev/urandom; } \
    >train-images-idx4-ubyte
  printf '\0\0\010\001\0\0\0\012\0\1\0\1\0\1\0\1\0\1' >train-labels-idx1-ubyte
  cp "$root/fuzz/corpus/tfrecord_fuzz/tensorflow.tfrecord" records.tfrecord
  mkdir records
  cp records.tfrecord records/train-0.tfrecord
  cp records.tfrecord records/train-1.tfrecord
  cat >floats.json <<'JSON'
{"class_name": "Sequential", "config": {"name": "floats", "layers": [
  {"class_name": "InputLayer", "config": {"batch_input_shape": [null, 3, 2], "name": "x"}},
  {"class_name": "Flatten", "config": {"name": "flat"}},
  {"class_name": "Dense", "config": {"name": "y", "units": 1}}]}}
JSON
  plimsoll convert floats.json floats.keras || return 1
  awk '/^```json$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/docs/data.md" >features.json
}

# blocks DOCUMENT: writes its blocks of sh and python to 001.sh, 002.python, … each line after the number that it has
# in the document.
blocks() {
  awk '/^```(sh|python)$/ { out = sprintf("%03d.%s", ++count, substr($0, 4)); next }
       /^```/ { out = ""; next }
       out { print (out ~ /sh$/ ? NR " " : "") $0 >out }' "$1"
}

# A loop belongs to the command on the line before it.
joined_loops() { awk '{ first = $2 == "while" } NR > 1 && !first { print line; line = "" }
                      { line = line == "" ? $0 : line "; " substr($0, index($0, "while")) } END { print line }' "$1"; }

run_sh() {
  local document=$1 number line
  while read -r number line; do
    case $line in
      plimsoll\ serve\ *) serve "$document:$number" "$line" ;;
      plimsoll\ *)
        # What may take 11 hours is cut into parts here, so that a loop has something to do.
        [[ $line != *"; while "* ]] || line=${line//11h/0.5s}
        bash -c "$line" >out 2>&1 </dev/null || fail "$document:$number: '$line' ended with $?: $(cat out)"
        commands=$((commands + 1))
        ;;
      ./dev\ * | "") ;;
      *) fail "$document:$number: '$line' is not a command of plimsoll; nothing tests it" ;;
    esac
  done < <(joined_loops "$2")
}

# serve PLACE COMMAND: the page at the address that it prints is there, and a signal ends it with 0. The port of the document may
# be taken.
serve() {
  local port i server code=0
  if [[ ! -x $(dirname "$(realpath "$scratch/bin/plimsoll")")/plimsoll-serve ]]; then
    echo "$1: plimsoll-serve was not built: libcpp-httplib-dev is missing"
    return 0
  fi
  port=$(python3 -c 'import socket; it = socket.socket(); it.bind(("127.0.0.1", 0)); print(it.getsockname()[1])')
  # shellcheck disable=SC2001 # a pattern, not a text
  bash -c "exec $(sed "s/--port [0-9]*/--port $port/" <<<"$2")" >out 2>error </dev/null &
  server=$!
  for ((i = 0; i < 300; ++i)); do
    if grep -q '^http://' out; then break; fi
    sleep 0.1
  done
  python3 - "$(head -n 1 out)" <<'PY' || fail "$1: there is no page: $(cat out error)"
import sys, urllib.request
with urllib.request.urlopen(sys.argv[1], timeout=30) as reply:
    assert b"<html" in reply.read()
with urllib.request.urlopen(sys.argv[1] + "api/runs", timeout=30) as reply:
    assert b'"status"' in reply.read(), "there is no run in the list"
PY
  kill "$server"
  wait "$server" || code=$?
  ((code == 0)) || fail "$1: '$2' ended with $code: $(cat error)"
  commands=$((commands + 1))
}

# A command that stands in a block of another kind would be run by nothing. `plimsoll demo` needs Fashion-MNIST: tests/demo runs it.
check_other_blocks() {
  local found
  found=$(awk '/^```/ { inside = inside ? 0 : 1; kind = inside ? substr($0, 4) : ""; next }
               inside && kind != "sh" && /(^|[;&|] *|do )plimsoll [a-z-]+( |$)/ && !/^plimsoll demo / { print FILENAME ":" FNR ": " $0 }' "$@")
  [[ -z $found ]] || fail "commands in blocks that are not run: $found"
}

# Blocks that import plimsoll are those of python/tests/test_documents.py.
run_python() {
  [[ -n $python ]] || return 0
  ! grep -q '^import plimsoll' "$2" || return 0
  "$python" "$here/run_block.py" "$2" >out 2>&1 || fail "$1: this block failed: $(cat "$2" out)"
}

# check DOCUMENT: in a folder of its own.
check() {
  local document=$1 block commands=0 blocks=$scratch/blocks
  rm -rf "$scratch/work" "$blocks"
  cp -r "$scratch/files" "$scratch/work"
  mkdir "$blocks"
  (cd "$blocks" && blocks "$root/$document")
  cd "$scratch/work"
  for block in "$blocks"/*; do
    case $block in
      *.sh) run_sh "$document" "$block" ;;
      *.python) run_python "$document" "$block" ;;
    esac
  done
  ((commands > 0)) || fail "$document: has no command in a block of sh"
  echo "$document: $commands commands"
  cd "$root"
}

(cd "$scratch/files" && make_files) >"$scratch/log" 2>&1 || fail "the files were not made: $(cat "$scratch/log")"
mapfile -t documents < <(grep -l '^```sh' README.md docs/*.md docs/formats/*.md)
((${#documents[@]} > 5)) || fail "only ${#documents[@]} documents have commands"
check_other_blocks README.md docs/*.md docs/formats/*.md
for document in "${documents[@]}"; do check "$document"; done
python3 "$here/options_test.py" "$scratch/bin/plimsoll" "$root" || fail "the documents and the options of --help differ"
python3 "$here/kinds_test.py" "$root" || fail "a kind of data is in no command of the documents"
if [[ -z $python ]]; then
  echo "the real Keras is not there, so the blocks of python were not run"
  exit 77
fi
