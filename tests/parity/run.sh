#!/usr/bin/env bash
# Whole models of real Keras, and what Plimsoll makes of their files: predictions, 20 steps of SGD and of the optimizer
# that the model was compiled with, the same file after loading and saving, and Keras going on from ours. README.md says
# what is compared.
#
#   tests/parity/run.sh [BUILD] [NAME…]    expects ./dev build to have run (build/); some models only
#
# PARITY_KEEP=FOLDER keeps what Plimsoll wrote.
# Takes minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=${1:-build}/bin/keras_parity
shift $(($# > 0 ? 1 : 0))

# shellcheck source=tests/peers/references.sh
source tests/peers/references.sh
find_keras

reference=$(references parity tests/parity/case.py tests/parity/reference.py tests/parity/*models.py)
if [[ -n ${PARITY_KEEP:-} ]]; then
  ours=$PARITY_KEEP
  mkdir -p "$ours"
else
  ours=$(mktemp -d)
  trap 'rm -rf "$ours"' EXIT
fi

# in_two_parts COMMAND…: Keras traces graphs on one core, so two processes take half of the models each.
in_two_parts() {
  local first second=0
  "$@" --part 0/2 &
  first=$!
  "$@" --part 1/2 || second=$?
  wait "$first" && return "$second"
}

parity() { "$python" tests/parity/parity.py "$@"; }

if [[ ! -f $reference/complete ]]; then
  in_two_parts parity make "$reference"
  touch "$reference/complete"
fi
# The last bits of two instruction sets differ, and a max pooling whose two largest numbers are that close then takes
# the other one: 20 steps later weights differ by 1e-2. So what is compared does not depend on the processor.
export PLIMSOLL_VECTOR_TARGET=AVX2
"$program" models "$reference" "$ours" "$@"
in_two_parts parity judge "$reference" --ours "$ours" "$@"
parity table "$reference" --ours "$ours" "$@"
