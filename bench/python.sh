#!/usr/bin/env bash
# fit() in Python beside the same fit() in C++, in turns, and what recording an op and a callback cost.
# python.sh [--check] [CASE…] [OPTION…]; without a case: cnn, mlp and lstm. Ratios are to the program in C++.
# With --check it fails if fit() takes more than 1.01x the time, or a call more than python_calls.py allows.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cases=() options=() calls=()
for argument in "$@"; do
  case $argument in
    --check) calls=(--check) ;;
    -*) options+=("$argument") ;;
    *) if ((${#options[@]})); then options+=("$argument"); else cases+=("$argument"); fi ;;
  esac
done
((${#calls[@]} == 0)) || options+=(--python-at-most 1.01)
((${#cases[@]})) || cases=(cnn mlp lstm)
python=$(./dev python)
code=0
"$python" bench/peers/python_calls.py "${calls[@]}" || code=$?
"$python" bench/peers/interleave.py "${cases[@]}" \
  --plimsoll build/bin/step_bench --python "$python" --peer python "${options[@]}" || code=$?
exit "$code"
