#!/usr/bin/env bash
# What holds of a training step of each example model, seen from outside in processes of their own
# (tests/programs/step_probe.cc): the planned peak is the measured one within max(2%, 8 MiB); the
# arena is at most 1.005 times what is live at once; after the first step the engine allocates
# nothing and oneDNN less than 1 KiB at a time; memory stays flat over 10,000 steps.
# Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
probe=${1:-build}/bin/step_probe
failures=0

expect() { # SENTENCE CONDITION LINE
  (($2)) && return
  echo "tests/steps: $1: $3"
  failures=$((failures + 1))
}

check() { # MODEL BATCH STEPS
  local line planned measured early late own_allocations library_largest arena bound
  line=$("$probe" "$@") || { echo "tests/steps: failed: $probe $*"; exit 1; }
  for name in planned measured early late own_allocations library_largest arena bound; do
    printf -v "$name" %s "$(grep -oE "\b$name=[0-9]+" <<<"$line" | cut -d= -f2)"
  done
  local gap=$((measured > planned ? measured - planned : planned - measured))
  local most=$((planned / 50 > 8 << 20 ? planned / 50 : 8 << 20))
  expect "the planned peak is off by $gap bytes" "gap <= most" "$line"
  expect "the arena is over 1.005 times the bound" "arena * 1000 <= bound * 1005" "$line"
  expect "a step allocated" "own_allocations == 0" "$line"
  expect "oneDNN allocated a large block" "library_largest < 1024" "$line"
  expect "memory grew" "late <= early + (1 << 20)" "$line"
}

for model in mlp demo functional cnn; do
  for batch in 1 32 256; do check "$model" "$batch" 4; done
done
check functional 8 10000
check demo 2 10000

((failures == 0)) || exit 1
echo "planned peak, arena, allocations and growth of 4 models hold"
