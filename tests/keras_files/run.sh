#!/usr/bin/env bash
# Files of Keras 3 and Keras 2 (tests/data/keras_files), converted by the program to every format that real Keras reads:
# it predicts the same from each, and goes on training. Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=${1:-build}/bin/plimsoll
# shellcheck source=tests/peers/references.sh
source tests/peers/references.sh
find_keras
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for file in tests/data/keras_files/*_{sequence,graph}.{keras,h5}; do
  name=$(basename "$file")
  mkdir "$scratch/$name"
  for format in keras h5 json weights.h5; do
    "$program" convert "$file" "$scratch/$name/model.$format" >"$scratch/out" 2>&1 || {
      cat "$scratch/out"
      echo "tests/keras_files: '$name' cannot be converted to .$format"
      exit 1
    }
  done
done
"$python" tests/keras_files/judge.py tests/data/keras_files "$scratch"
