#!/usr/bin/env bash
# The program as a newcomer meets it: the demo on a part of Fashion-MNIST, and what it says to
# arguments and data that cannot work. Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=${1:-build}/bin/plimsoll
data=/usr/share/datasets/fashion-mnist
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "tests/demo: $1"
  exit 1
}

# refuses CODE SENTENCE ARGUMENT…: ends with that exit code and one sentence on standard error.
refuses() {
  local code=$1 sentence=$2 found=0
  shift 2
  "$program" "$@" >/dev/null 2>"$scratch/error" || found=$?
  ((found == code)) || fail "'plimsoll $*' ended with $found, expected $code"
  (($(wc -l <"$scratch/error") == 1)) || fail "'plimsoll $*' did not say one sentence: $(cat "$scratch/error")"
  grep -F -- "$sentence" "$scratch/error" >/dev/null || fail "'plimsoll $*' said: $(cat "$scratch/error")"
}

# number_of KEY: in the JSON of the last run.
number_of() { sed -nE "s/^ +\"$1\": ([0-9]+),?$/\1/p" "$scratch/out"; }

refuses 2 "unknown command 'dmeo'" dmeo
refuses 2 "unknown option '--epoch'" demo --epoch 1
refuses 2 "--epochs needs a value" demo --epochs
refuses 2 "expects a number from 1 on, found 'many'" demo --epochs many
refuses 3 "cannot be opened" demo --data "$scratch/nowhere"
head -c 100 /dev/urandom >"$scratch/train-images-idx3-ubyte.gz"
refuses 3 "train-images-idx3-ubyte.gz" demo --data "$scratch"
"$program" help | grep -F demo >/dev/null || fail "help does not list the demo"
"$program" demo --help | grep -F -- --samples >/dev/null || fail "demo --help does not list its options"

if [[ ! -d $data ]]; then
  echo "$data is not there (Debian package dataset-fashion-mnist)"
  exit 77
fi
"$program" demo --epochs 2 --samples 10000 >"$scratch/out" || fail "the demo failed: $(cat "$scratch/out")"
grep -E '^epoch 2/2  157/157  loss [0-9.]+  accuracy [0-9.]+  [0-9,]+ images/s  time [0-9:]+  memory [0-9.]+ MiB$' "$scratch/out" >/dev/null ||
  fail "no progress line: $(cat "$scratch/out")"
grep -E '^planned peak +[0-9.]+ MiB' "$scratch/out" >/dev/null || fail "no memory plan"
tail -n 2 "$scratch/out" | grep -E '^peak memory: planned .* measured ' >/dev/null || fail "no measured peak"
accuracy=$(tail -n 1 "$scratch/out" | grep -oE '^test accuracy [0-9]+' | grep -oE '[0-9]+$') || fail "no accuracy"
((accuracy >= 80)) || fail "an accuracy of $accuracy% after two short epochs"
# As on a machine's first run: nothing is kept in the cache folder yet.
XDG_CACHE_HOME=$scratch/cache "$program" demo --epochs 1 --samples 500 --json >"$scratch/out" 2>"$scratch/error" ||
  fail "the demo failed: $(cat "$scratch/error")"
[[ $(head -n 1 "$scratch/out") == "{" ]] || fail "--json prints something else, too: $(cat "$scratch/out")"
for key in peak_bytes measured_peak_bytes accuracy loss; do
  grep -E "^ +\"$key\": [0-9.]+" "$scratch/out" >/dev/null || fail "--json has no $key: $(cat "$scratch/out")"
done
planned=$(number_of peak_bytes) measured=$(number_of measured_peak_bytes)
within=$((planned / 50 > 8 << 20 ? planned / 50 : 8 << 20))
((measured - planned <= within && planned - measured <= within)) ||
  fail "a first run took $measured bytes at its peak, planned were $planned"
echo "the demo learns and says what is wrong"
