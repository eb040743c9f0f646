#!/usr/bin/env bash
# Runs keep to the memory they are given, all of it, enforced by the system: a memory cgroup where one can be made,
# else a limit on the data of the process. Each does five steps, a validation and a save
# (tests/programs/limited_run.cc); none may be killed, and the measured peak is not over the limit. Commands end with a
# refusal or are done in whatever limit, and what a refusal says is true.
# Runs alone: the measured peaks of processes are compared with their limits.
# Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=${1:-build}/bin/limited_run
plimsoll=${1:-build}/bin/plimsoll
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/memory/limits.sh
source tests/memory/limits.sh
# shellcheck source=tests/memory/limits_test.sh
source tests/memory/limits_test.sh
# shellcheck source=tests/memory/least_test.sh
source tests/memory/least_test.sh
# shellcheck source=tests/memory/advice_test.sh
source tests/memory/advice_test.sh
# shellcheck source=tests/memory/convert_test.sh
source tests/memory/convert_test.sh
# shellcheck source=tests/memory/tables_test.sh
source tests/memory/tables_test.sh
# shellcheck source=tests/memory/seen_test.sh
source tests/memory/seen_test.sh

# value NAME LINE: the number after NAME= in the line.
value() {
  grep -oE "\b$1=[0-9]+" <<<"$2" | cut -d= -f2
}

check() { # MODEL BATCH MIB [OPTION]
  local line measured limit=$(($3 << 20))
  line=$(limited "$3" "$program" "$1" "$2" "$3MiB" "${@:4}") || {
    echo "tests/memory: $1 at a batch of $2 in $3 MiB ended with $?"
    exit 1
  }
  measured=$(value measured "$line")
  if ((measured > limit || $(value planned "$line") > limit || $(value arena "$line") >= $(value plain_arena "$line"))); then
    echo "tests/memory: over $3 MiB, or nothing was saved: $line"
    exit 1
  fi
  echo "$line"
}

# check_by WAY MODEL…: and the run was fitted in that way.
check_by() {
  local line
  line=$(check "${@:2}") || {
    echo "$line"
    exit 1
  }
  [[ $line == *"$1"* ]] || {
    echo "tests/memory: expected '$1': $line"
    exit 1
  }
  echo "$line"
}

python3 tests/memory/memory_group_test.py
check cnn 512 192
check lstm 512 48
check_by 'sequences in' lstm_long 512 224 --no-micro-batches
check resnet50 32 1024
check mobilenet_v2 64 1024
if [[ ${CI:-} == true || ${PLIMSOLL_SLOW:-} == 1 ]]; then
  check encoder 64 1536
else
  echo "left out, for it takes minutes: encoder (PLIMSOLL_SLOW=1)"
fi

python3 tests/memory/make_models.py "$work" >"$work/models"
ladder deep 4096 4 8 16 32 64 120 512
compgen -G "$work/cache/plimsoll/speed-*" >/dev/null || {
  echo "tests/memory: a run in 512 MiB has room to measure the machine's speed, but did not"
  exit 1
}
ladder normalized 64 4 12 24 48 96 256
ladder recurrent 128 4 12 24 48 96 256
uses_ladder deep 4096 4 8 16 24 32 40 48 64 120
uses_ladder convolution 64 4 12 24 32 48 96
uses_ladder normalized 64 4 12 24 32 48 96
uses_ladder recurrent 128 4 12 24 32 48 96
make_table 100 40000
tables_ladder 8 16 24 32 48 64 96
python3 tests/memory/make_networks.py "$work"
python3 tests/memory/refusal_seconds.py "$plimsoll" "$work"
while read -r model batch; do
  least_is_true "$model" "$batch"
  advice_is_true "$model" "$batch"
done <"$work/models"
convert_ladder wide 4 8 12 16 20 32
convert_ladder deep 4 8 12 20
convert_is_done 12 "$work/deep.keras" "$work/part.keras" # which holds 24 MiB of values
convert_is_done 12 "$work/whole.safetensors" "$work/part.keras" --model "$work/deep.json"
convert_with_state
convert_new_ladder
plan_is_true dense 80
plan_is_true wide 100
plan_is_true convolution 128
plan_is_true normalized 64
plan_is_true recurrent 128
plan_advice_is_true normalized 32 40
plan_advice_is_true normalized 64 30
seen wide
seen recurrent
