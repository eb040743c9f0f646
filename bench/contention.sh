#!/usr/bin/env bash
# A training step beside a busy process, in times of a step on the free machine; of Plimsoll, Keras, TensorFlow and
# PyTorch: bench/peers/contention.py. Without a case: cnn, mlp and lstm.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cases=()
while (($#)) && [[ $1 != -* ]]; do
  cases+=("$1")
  shift
done
((${#cases[@]})) || cases=(cnn mlp lstm)
python=$(./dev peers --torch)
exec "$python" bench/peers/contention.py "${cases[@]}" \
  --plimsoll build/bin/step_bench --python "$python" "$@"
