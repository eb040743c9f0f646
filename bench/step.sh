#!/usr/bin/env bash
# A full training step beside PyTorch, Keras and TensorFlow, in turns: bench/peers/README.md.
# Without a case: cnn and mlp.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cases=()
while (($#)) && [[ $1 != -* ]]; do
  cases+=("$1")
  shift
done
((${#cases[@]})) || cases=(cnn mlp)
python=$(./dev peers --torch)
exec "$python" bench/peers/interleave.py "${cases[@]}" \
  --plimsoll build/bin/step_bench --python "$python" "$@"
