#!/usr/bin/env bash
# Full training steps of models with an LSTM beside PyTorch and Keras, in turns: bench/peers/README.md.
# Without a case: all three. The kernels alone, beside oneDNN's: recurrent_kernels.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cases=()
while (($#)) && [[ $1 != -* ]]; do
  cases+=("$1")
  shift
done
((${#cases[@]})) || cases=(lstm lstm_1 lstm_32)
exec bash bench/step.sh "${cases[@]}" "$@"
