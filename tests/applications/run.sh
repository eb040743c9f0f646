#!/usr/bin/env bash
# The architectures of keras.applications with random weights, saved by real Keras: they load, predict as Keras does,
# take a training step, and are planned; with all but the head frozen, far less is planned. The plan of ResNet50 at
# batch 32 takes less memory than its weights.
#
#   tests/applications/run.sh [BUILD]    expects ./dev build to have run (build/)
# Takes minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=${1:-build}

# shellcheck source=tests/peers/references.sh
source tests/peers/references.sh
find_keras

reference=$(references applications tests/applications/applications.py)
ours=$(mktemp -d)
trap 'rm -rf "$ours"' EXIT

applications() { "$python" tests/applications/applications.py "$@"; }

if [[ ! -f $reference/complete ]]; then
  applications make "$reference"
  touch "$reference/complete"
fi
"$build/bin/keras_parity" applications "$reference" "$ours"
applications judge "$reference" --ours "$ours"
applications plan "$reference" --ours "$build/bin/plimsoll"
