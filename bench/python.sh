#!/usr/bin/env bash
# fit() in Python beside the same fit() in C++, in turns, and what recording an op and a callback cost.
# python.sh [CASE…] [OPTION…]; without a case: cnn, mlp and lstm. Ratios are to the program in C++.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cases=() options=()
while (($#)) && [[ $1 != -* ]]; do
  cases+=("$1")
  shift
done
((${#cases[@]})) || cases=(cnn mlp lstm)
options=("$@")
python=$(./dev python)
"$python" bench/peers/python_calls.py
exec "$python" bench/peers/interleave.py "${cases[@]}" \
  --plimsoll build/bin/step_bench --python "$python" --peer python "${options[@]}"
