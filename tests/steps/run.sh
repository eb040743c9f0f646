#!/usr/bin/env bash
# What holds of a training step of each example model, seen from outside in processes of their own
# (tests/programs/step_probe.cc): the planned peak is the measured one within max(2%, 8 MiB); the
# arena is at most 1.005 times what is live at once; after the first step the engine allocates
# nothing and oneDNN less than 1 KiB at a time; memory stays flat over 10,000 steps. The same holds of steps that are
# sampled for statistics.
# Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
probe=${1:-build}/bin/step_probe
failures=0
# As it is given, no second team of threads is made (and allocated) when the machine is busy.
export OMP_WAIT_POLICY=passive

expect() { # SENTENCE CONDITION LINE
  (($2)) && return
  echo "tests/steps: $1: $3"
  failures=$((failures + 1))
}

# value NAME LINE: the number after NAME= in the line.
value() {
  grep -oE "\b$1=[0-9]+" <<<"$2" | cut -d= -f2
}

check() { # MODEL BATCH STEPS [statistics]
  local line planned measured gap most
  line=$("$probe" "$@") || { echo "tests/steps: failed: $probe $*"; exit 1; }
  planned=$(value planned "$line")
  measured=$(value measured "$line")
  gap=$((measured > planned ? measured - planned : planned - measured))
  most=$((planned / 50 > 8 << 20 ? planned / 50 : 8 << 20))
  expect "the planned peak is off by more than max(2%, 8 MiB)" "$gap <= $most" "$line"
  expect "the arena is over 1.005 times the bound" \
    "$(value arena "$line") * 1000 <= $(value bound "$line") * 1005" "$line"
  expect "a step allocated" "$(value own_allocations "$line") == 0" "$line"
  expect "oneDNN allocated a large block" "$(value library_largest "$line") < 1024" "$line"
  expect "memory grew" "$(value late "$line") <= $(value early "$line") + (1 << 20)" "$line"
}

for model in mlp demo functional cnn; do
  for batch in 1 32 256; do check "$model" "$batch" 4; done
done
for model in mlp demo functional cnn; do check "$model" 32 9 statistics; done
expect "fewer than 3 steps were sampled" "$(value samples "$("$probe" mlp 32 9 statistics)") >= 3" mlp
check functional 8 10000
check demo 2 10000
check demo 2 10000 statistics

((failures == 0)) || exit 1
echo "planned peak, arena, allocations and growth of 4 models hold"
