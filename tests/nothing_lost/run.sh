#!/usr/bin/env bash
# What a run has learnt and what a person has on disk is never lost: by numbers that diverge, a full disk, a path that is
# read and written, a terminal that goes away, or a second run. Real disks (a tmpfs of a few MiB) and real signals;
# what needs a mount is left out where this is not root. Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$(realpath "${1:-build}/bin/plimsoll")
files=$PWD/tests/data/keras_files
make_models=$PWD/tests/memory/make_models.py
# shellcheck source=tests/cli/commands.sh
source tests/cli/commands.sh
for cases in model disk path console; do
  # shellcheck disable=SC1090
  source "tests/nothing_lost/${cases}_cases.sh"
done
scratch=$(mktemp -d)
mounted=()
clean_up() {
  local place
  for place in "${mounted[@]}"; do umount "$place" || true; done
  rm -rf "$scratch"
}
trap clean_up EXIT
cd "$scratch"

says_not() { ! grep -E -- "$1" "$2" >/dev/null || fail "unexpected '$1' in $2: $(cat "$2")"; }
exists() { [[ -e $1 ]] || fail "$1 is not there"; }
exists_not() { [[ ! -e $1 ]] || fail "$1 is there"; }
is_same() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }

# A table whose price is a + 2 b, in 300 lines.
table() {
  awk 'BEGIN { print "a,b,price"; for (i = 0; i < 300; ++i) { a = (i * 7 % 20) / 10; b = (i * 3 % 17) / 10
         print a "," b "," a + 2 * b } }'
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

# starts OUT ARGUMENT…: a run of many epochs in the background, which has done one of them; its number is in pid.
starts() {
  local folder=$1
  shift
  "$program" train "${training[@]}" --out "$folder" --epochs 1000000 "$@" >out 2>error &
  pid=$!
  waits_for '"status": "running"' "$folder/run.json"
  waits_for '"event":"epoch"' "$folder/log.jsonl"
}

# ends CODE: the run in the background does so.
ends() {
  local found=0
  wait "$pid" || found=$?
  ((found == $1)) || fail "the run ended with $found, expected $1: $(cat error)"
}

table >table.csv
model=$files/keras3_sequence.keras
training=("$model" table.csv --target price)

divergence_cases
explosion_cases
first_epoch_cases
best_cases
input_cases
overwrite_cases
inside_cases
retry_cases
second_run_cases
odd_path_cases
hang_up_cases
output_cases
killed_save_cases
limited_file_cases
budget_cases
if mkdir disk && mount -t tmpfs -o size=400m tmpfs disk 2>/dev/null; then
  mounted+=("$scratch/disk")
  python3 "$make_models" . >/dev/null
  full_disk_cases
  read_only_cases
else
  echo "left out, because nothing can be mounted here: a full disk"
fi
echo "nothing is lost"
