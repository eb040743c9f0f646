#!/usr/bin/env bash
# Memory: real limits beside Keras and PyTorch, predictions against measurements, the price of a budget.
#   bench/memory.sh [limits] [predictions] [times] [--json FILE] [OPTION…]     without a part: all; --help has the rest
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
parts=()
while (($#)) && [[ $1 != -* ]]; do
  parts+=("$1")
  shift
done
((${#parts[@]})) || parts=(limits predictions times)
python=python3
[[ " ${parts[*]} " != *' limits '* ]] || python=$(./dev peers --torch)
exec "$python" bench/memory/memory.py "${parts[@]}" --program build/bin/memory_bench --python "$python" "$@"
