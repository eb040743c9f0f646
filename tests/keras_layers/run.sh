#!/usr/bin/env bash
# Every class of keras.layers in the real Keras is read or refused. A small model of each class that is read, saved by
# Keras, predicts what Keras predicts; of a class that is refused the error gives the reason of docs/keras.md.
#
#   tests/keras_layers/run.sh [BUILD]    expects ./dev build to have run (build/)
# Takes minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$(realpath "${1:-build}/bin/plimsoll")
# shellcheck source=tests/peers/references.sh
source tests/peers/references.sh
find_keras
models=$(references keras_layers tests/keras_layers/layers.py tests/keras_layers/recipes.py)
if [[ ! -f $models/complete ]]; then
  "$python" tests/keras_layers/layers.py make "$models"
  touch "$models/complete"
fi
"$python" tests/keras_layers/layers.py judge "$models" --ours "$program" --document docs/keras.md
