#!/usr/bin/env bash
# The commands as a person uses them, on files of real Keras (tests/data/keras_files): what they print, what they
# leave, how they end, and what they say to what cannot work. Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$(realpath "${1:-build}/bin/plimsoll")
files=$PWD/tests/data/keras_files
models=$PWD/tests/docs_commands
photos=$PWD/examples/shapes # two classes, rings and stripes
# shellcheck source=tests/cli/commands.sh
source tests/cli/commands.sh
# shellcheck source=tests/cli/data_cases.sh
source tests/cli/data_cases.sh
# shellcheck source=tests/cli/kind_cases.sh
source tests/cli/kind_cases.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

says_not() { ! grep -E -- "$1" "$2" >/dev/null || fail "unexpected '$1' in $2: $(cat "$2")"; }
exists() { [[ -e $1 ]] || fail "$1 is not there"; }
exists_not() { [[ ! -e $1 ]] || fail "$1 is there"; }

# A table whose price is a + 2 b, in 300 lines.
table() {
  awk 'BEGIN { print "a,b,price"; for (i = 0; i < 300; ++i) { a = (i * 7 % 20) / 10; b = (i * 3 % 17) / 10
         print a "," b "," a + 2 * b } }'
}

help_cases() {
  local command
  runs help
  cp out list
  for command in plan check train runs serve evaluate predict summary convert demo; do
    says "^  $command  " list
    "$program" "$command" --help >help
    says '^Usage: plimsoll ' help
    says '^Examples?:' help
    says "plimsoll $command" help
    awk 'length > 100 { exit 1 }' help || fail "a line of 'plimsoll $command --help' is too long"
    runs help "$command"
    cmp -s out help || fail "'plimsoll help $command' is not 'plimsoll $command --help'"
  done
  runs --version
  says '^plimsoll [0-9]' out
}

usage_cases() {
  refuses 2 "unknown command 'trian'" trian
  refuses 2 "MODEL is missing" plan
  refuses 2 "--out is missing" train "$files/keras3_sequence.keras" table.csv
  refuses 2 "unknown option '--epoch' (did you mean --epochs?)" train a b --out run --epoch 3
  refuses 2 "one argument too many: 'c'" summary a c
  refuses 2 "--batch-size expects a number from 1 on, found '0'" plan a --batch-size 0
  refuses 2 "--memory expects a size such as 512M, 2G, 200MB or 75%, found 'lots'" plan a --memory lots
  refuses 2 "--validation-split expects a number between 0 and 1, found '2'" train a b --out run --validation-split 2
  refuses 2 "--epochs needs a value" train a b --out run --epochs
  refuses 2 "plimsoll: --metrics: 'accurate' is not known (did you mean accuracy?; known: accuracy" \
    evaluate "$files/keras3_sequence.keras" table.csv --target price --metrics accurate
  refuses 2 "--loss: 'msle_but_wrong'" evaluate "$files/keras3_sequence.keras" table.csv --target price --loss msle_but_wrong
  refuses 2 "no layer is called 'conv*'; the layers are dense" \
    train "$files/keras3_sequence.keras" table.csv --target price --out run --freeze 'conv*'
  refuses 2 "expects a .npy, .npz or .csv file" predict "$files/keras3_sequence.keras" table.csv --out p.txt
  exists_not run
  PLIMSOLL_VECTOR_TARGET=SSE5 refuses 2 "PLIMSOLL_VECTOR_TARGET: expected SSE2, SSE4, AVX2 or AVX3, found 'SSE5'" plan a
}

plan_cases() {
  runs plan "$files/keras3_sequence.keras" --batch-size 8
  says '^layer +weights +gradients +optimizer +activations +scratch$' out
  says '^dense +36 B +36 B +72 B' out
  says '^peak +[0-9.]+ MiB  in training, ' out
  says '^batches of up to [0-9]+ fit in .* without saving memory' out
  runs plan "$files/keras3_sequence.keras" --batch 8 --memory 1GiB --json
  local key
  for key in peak_bytes arena_bytes lower_bound_bytes weight_bytes gradient_bytes optimizer_bytes input_bytes \
    baseline_bytes largest_batch; do says "^ +\"$key\": [0-9]+|^  \"$key\": [0-9]+" out; done
  says '"layers": \[' out
  says '"batch_size": 8' out
  says '"fits": true' out
  runs plan "$files/keras3_sequence.keras" --memory 1MiB
  says '^a batch of 32 does not fit in 1.0 MiB \(--memory\); it can be done in [0-9.]+ MiB; not even a batch of 1 fits in' out
  runs plan "$files/keras3_sequence.keras" --memory 1MiB --json
  says '"fits": false' out
  says '"enough_bytes": [0-9]+' out
  says '"batch_that_fits": 0' out
}

# A run that ended, one whose process is gone, one whose name moves the cursor, and one that is damaged.
run_list_cases() {
  local name=$'listed/\e[31mred'
  table >table.csv
  runs train "$files/keras3_sequence.keras" table.csv --target price --out listed/first --epochs 2 --validation-split 0.1
  cp -r listed/first "$name"
  sed -i 's/"status": "done"/"status": "running"/' "$name/run.json"
  mkdir listed/bad
  echo '{' >listed/bad/run.json
  runs runs listed
  says '^first  +done  +2/2  +val_loss [0-9.e+]+ +[0-9.]+ MiB / [0-9.]+ MiB' out
  says '^\\x1b\[31mred  +killed  +2/2' out
  says '^bad  +damaged' out
  runs runs listed --json
  keeps '"name": "first", "status": "done".*"measured_peak_bytes": [0-9]+' out
  runs runs listed/first
  says '^\.  +done' out
  mkdir -p without_runs
  runs runs without_runs
  says 'without_runs: has no run' error
  refuses 3 "nowhere: cannot be read" runs nowhere
}

train_cases() {
  table >table.csv
  runs train "$files/keras3_sequence.keras" table.csv --target price --out run --epochs 3 --batch-size 20 --seed 1 \
    --validation-split 0.1
  says '^epoch 3/3 .* loss [0-9.]+ .*val_loss' out
  says '^run/model.keras is saved after 3 epoch\(s\)' out
  exists run/model.keras
  says '"status": "done"' run/run.json
  says '"xxh3": "[0-9a-f]{32}"' run/run.json
  says '"validation_records": 30' run/run.json
  says '^\{"event":"start"' run/log.jsonl
  says '^\{"event":"plan".*"peak_bytes":[0-9]+' run/log.jsonl
  (($(grep -c '^{"event":"epoch"' run/log.jsonl) == 3)) || fail "log.jsonl has not 3 epochs"
  says '^\{"event":"end".*"status":"done"' run/log.jsonl
  # What xxhsum -H2 prints for the model.
  grep 42bd52d7089ca29114ddede95c09d051 run/run.json >/dev/null || fail "another hash"

  refuses 3 "run: exists already, and its" \
    train "$files/keras3_sequence.keras" table.csv --target price --out run
  touch run/mine
  runs train "$files/keras3_sequence.keras" table.csv --target price --out run --overwrite --json
  says '"status": "done"' out
  says '"epochs": 1' out
  exists run/mine
  runs train run/model.keras table.csv --target price --out slash/
  says '^slash/model.keras is saved' out
  refuses 2 "train: --out expects the name of a folder, found ''" train run/model.keras table.csv --target price --out ''
  refuses 3 "validation_split 0.999 of 300 samples leaves one part empty" \
    train run/model.keras table.csv --target price --out empty --validation-split 0.999
  mkdir precious
  touch precious/thesis
  refuses 3 "precious: is not the folder of a run" \
    train run/model.keras table.csv --target price --out precious --overwrite
  exists precious/thesis
}

# The same seed and threads give the same model.
repeat_cases() {
  local name
  for name in one two; do
    runs train "$files/keras3_sequence.keras" table.csv --target price --out "$name" --epochs 2 --seed 5 --threads 1
  done
  cmp one/model.keras two/model.keras || fail "the same seed gave two models"
}

# A model without compile settings needs a loss; options change those of the file.
compile_cases() {
  sed 's/, "compile_config": .*/}/' "$files/keras3_sequence.json" >plain.json
  runs convert plain.json plain.keras
  says 'holds no weights' error
  refuses 2 "plain.keras: was saved without compile, so it has no loss; name one, for example --loss mse" \
    train plain.keras table.csv --target price --out plain
  exists_not plain
  runs train plain.keras table.csv --target price --out plain --loss mae --optimizer sgd --learning-rate 0.01 \
    --metrics mse,mae --freeze dense --epochs 2
  says 'loss [0-9.]+  mae [0-9.]+  mse' out
  says '"freeze": \[' plain/run.json
  refuses 3 "sequence: has no trainable weight" \
    train plain.keras table.csv --target price --out frozen --loss mae --freeze '*'
  exists_not frozen
}

memory_cases() {
  refuses 4 "; it can be done in " \
    train "$files/keras3_sequence.keras" table.csv --target price --out small --batch-size 300 --memory 10MiB
  exists_not small
}

# A number that would make the loss not finite; the record is named, in the run's folder too.
numbers_cases() {
  { echo "a,b,price" && echo "1,1,1" && echo "1,inf,2" && echo "2,1,3"; } >bad.csv
  refuses 3 "bad.csv:3: column 'b' is infinite" train "$files/keras3_sequence.keras" bad.csv --target price --out bad --no-shuffle
  says '"status": "failed"' bad/run.json
  says '^\{"event":"end".*is infinite' bad/log.jsonl
  exists_not bad/model.keras
}

evaluate_and_predict_cases() {
  runs evaluate run/model.keras table.csv --target price
  says '^records +300$' out
  says '^loss +[0-9.e-]+$' out
  cp out by_csv
  runs evaluate run/model.keras table.npz
  cmp -s out by_csv || fail "a .csv and the .npz of it do not evaluate alike"
  refuses 2 "table.npz: --target is for .csv files" evaluate run/model.keras table.npz --target price
  refuses 2 "table.csv: --image-size is for .zip files of images, .tfrecord files, .tar files," \
    evaluate run/model.keras table.csv --target price --image-size 8x8
  awk -F, 'NR == 1 { split($0, name); next }
           { for (i = 1; i <= NF; ++i) printf "%s\"%s\": %s", i == 1 ? "{" : ", ", name[i], $i; print "}" }' table.csv >table.jsonl
  runs evaluate run/model.keras table.jsonl --target price
  cmp -s out by_csv || fail "a .csv and the lines of JSON of it do not evaluate alike"
  runs convert table.npz x.npy --array x
  runs convert table.npz y.npy --array y
  runs evaluate run/model.keras x.npy,y.npy
  cmp -s out by_csv || fail "a .csv and its two arrays do not evaluate alike"
  refuses 2 "x.npy,y.npy: --target is for .csv files" evaluate run/model.keras x.npy,y.npy --target price
  refuses 2 "table.csv: --array is for .npz files" convert table.csv z.npy --array x
  runs evaluate run/model.keras table.npz --json
  says '"records": 300' out
  runs evaluate run/model.keras table.npz --metrics mse,mae
  [[ $(cut -d ' ' -f 1 out | paste -sd ,) == records,loss,mse,mae ]] || fail "another order: $(cat out)"
  runs predict run/model.keras table.csv --target price --out p.csv
  says '^p.csv: predictions for 300 records$' out
  says '^record,' p.csv
  (($(wc -l <p.csv) == 301)) || fail "p.csv has $(wc -l <p.csv) lines"
  says '^table.csv:2,' p.csv
  runs predict run/model.keras table.npz --out p.npy --json
  says '"records": 300' out
  runs predict run/model.keras table.npz --out other.npy --batch-size 7
  cmp p.npy other.npy || fail "predictions depend on the batch"
  runs convert p.npy p.npz
}

# A model without weights can be trained, but has learnt nothing yet.
no_weights_cases() {
  local architecture=$files/keras3_sequence.json
  refuses 3 "plimsoll: $architecture: holds no weights, so the model has learnt nothing yet; train it, or give it" \
    evaluate "$architecture" table.npz
  refuses 3 "--model $architecture" predict "$architecture" table.npz --out nothing.npy
  exists_not nothing.npy
  runs train "$architecture" table.npz --out from_json
  says 'warning: .*: holds no weights; new ones are drawn$' error
  runs convert run/model.keras run.weights.h5
  runs convert run.weights.h5 again.keras --model "$architecture"
  says_not 'holds no weights' error
  runs predict again.keras table.npz --out again.npy
  cmp p.npy again.npy || fail "weights that were put into a .json predict otherwise"
  runs convert "$architecture" copy.json
  says_not 'holds no weights' error
}

# on_terminal ARGUMENT…: runs with a terminal; what it shows is in out.
on_terminal() {
  env -u NO_COLOR TERM=xterm LC_ALL=C.UTF-8 script -qec "$(printf '%q ' "$program" "$@")" /dev/null >out </dev/null || fail "'plimsoll $*' failed: $(cat out)"
}

progress_cases() {
  on_terminal convert "$photos" shapes.npz --image-size 256x256
  says 'convert .* 5/12 .* left' out
  says 'convert 12/12 .* rows/s' out
  runs convert "$photos" shapes.npz --image-size 256x256
  says_not 'rows/s' error
}

convert_cases() {
  local from to
  for from in "$files"/keras[23]_*.keras "$files"/keras[23]_*ence.h5; do
    for to in model.keras model.h5 model.json model.weights.h5 model.safetensors; do
      runs convert "$from" "$to"
      says "^$to: " out
    done
  done
  runs convert "$files/keras3_sequence.keras" lossy.safetensors --json
  says '"the architecture"' out
  says '"the state of the optimizer"' out
  runs convert lossy.safetensors again.keras --model "$files/keras3_sequence.json"
  runs convert "$files/keras3_sequence.keras" again.json
  says 'it does not hold the weights and the state of the optimizer$' out
  refuses 2 "holds weights without a model; name the model" convert lossy.safetensors again.keras
  refuses 2 "is not a known format" convert "$files/keras3_sequence.keras" model.onnx
  refuses 2 "is a model" convert "$files/keras3_sequence.keras" model.npz
}

summary_cases() {
  runs summary "$files/keras3_graph.keras"
  says 'Total params' out
  runs summary "$files/keras3_graph.keras" --json
  says '"trainable_parameters": [0-9]+' out
  says '"class_name": "Concatenate"' out
}

# waits_for PATTERN FILE: up to a minute.
waits_for() {
  local i
  for ((i = 0; i < 600; ++i)); do
    ! grep -E -- "$1" "$2" >/dev/null 2>&1 || return 0
    sleep 0.1
  done
  fail "no '$1' in $2"
}

# A signal ends after the current batch, keeps what was learnt and says so.
signal_cases() {
  local signal code pid found
  for signal in INT TERM; do
    case $signal in INT) code=130 ;; TERM) code=143 ;; esac
    "$program" train "$files/keras3_sequence.keras" table.csv --target price --out "stopped_$signal" --epochs 1000000 \
      >out 2>error &
    pid=$!
    waits_for '"event":"epoch"' "stopped_$signal/log.jsonl"
    kill "-$signal" "$pid"
    found=0
    wait "$pid" || found=$?
    ((found == code)) || fail "SIG$signal ended the run with $found, expected $code: $(cat error)"
    says '"status": "stopped"' "stopped_$signal/run.json"
    says '^\{"event":"end".*"status":"stopped"' "stopped_$signal/log.jsonl"
    exists "stopped_$signal/model.keras"
    runs evaluate "stopped_$signal/model.keras" table.npz
  done
}

# A signal in the middle of the only epoch, of a million batches, loses nothing either.
signal_in_epoch_cases() {
  local pid found=0
  awk 'BEGIN { print "a,b,price"; for (i = 0; i < 1000000; ++i) print i % 7 "," i % 5 "," i % 7 + 2 * (i % 5) }' >long.csv
  "$program" train "$files/keras3_sequence.keras" long.csv --target price --out half --batch-size 1 >out 2>error &
  pid=$!
  waits_for '"event":"plan"' half/log.jsonl
  sleep 0.2
  kill -INT "$pid"
  wait "$pid" || found=$?
  ((found == 130)) || fail "SIGINT ended the run with $found: $(cat error)"
  says '^plimsoll: stopped by an interrupt; 0 epoch\(s\) and [1-9][0-9]* batch\(es\) are done; .plimsoll resume half. goes on$' error
  says '^half/model.keras is saved after 0 epoch\(s\) and [1-9][0-9]* batch\(es\); peak memory' out
  says '"status": "stopped"' half/run.json
  says '"batches": [1-9]' half/run.json
  says '^\{"event":"end".*"epochs":0,"batches":[1-9]' half/log.jsonl
  runs convert half/model.keras half.safetensors
  runs convert "$files/keras3_sequence.keras" initial.safetensors
  ! cmp -s half.safetensors initial.safetensors || fail "the model that was saved has learnt nothing"
}

table >table.csv
help_cases
usage_cases
plan_cases
train_cases
run_list_cases
repeat_cases
compile_cases
memory_cases
numbers_cases
data_cases
shape_cases
split_cases
evaluate_and_predict_cases
no_weights_cases
class_cases
shard_cases
folder_kind_cases
zip_cases
file_name_cases
mask_cases
window_cases
one_image_cases
standard_input_cases
place_cases
text_folder_cases
array_file_cases
convert_cases
progress_cases
summary_cases
signal_cases
signal_in_epoch_cases
echo "the commands do what their help says"
